//! For whom a request is: the `Host` and `Origin` of every request are checked.
//!
//! A page of another site can make a browser send requests here: directly, which `Origin` shows, or by letting a name of
//! its own point to this machine (DNS rebinding), which `Host` shows. An address in numbers cannot be redirected that way.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, StatusCode, header};

/// The hosts under which the server can be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownHosts {
    /// The port of the server.
    port: u16,
    /// Names besides `localhost`.
    names: Vec<String>,
}

/// A host that was asked and is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AskedHost {
    /// As in the request: `localhost:8064`.
    pub(crate) authority: String,
    /// Whether it may be behind a server that encrypts.
    pub(crate) is_named: bool,
}

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The status of the answer.
    pub(crate) status: StatusCode,
    /// Why, in a sentence.
    pub(crate) sentence: String,
}

impl KnownHosts {
    /// Numbers, `localhost` and these names, with this port.
    pub(crate) fn new(port: u16, names: &[String]) -> Self {
        Self { port, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Checks for whom a request is and where it comes from.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<AskedHost, Refusal> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let asked = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
            (Some(host), None) => self.asked_host(host),
            _ => None,
        };
        let asked = asked.ok_or_else(|| Refusal {
            status: StatusCode::MISDIRECTED_REQUEST,
            sentence: format!(
                "This server is not known under this name. Use its address in numbers or localhost, with port {}, or \
                 start it with --allow-host NAME.",
                self.port
            ),
        })?;
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_own = origins.all(|origin| origin.to_str().is_ok_and(|origin| asked.is_origin(origin)));
        if is_own {
            return Ok(asked);
        }
        let sentence = "The page of another site must not use this server.".to_owned();
        Err(Refusal { status: StatusCode::FORBIDDEN, sentence })
    }

    fn asked_host(&self, authority: &str) -> Option<AskedHost> {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => {
                host.parse::<Ipv6Addr>().ok()?;
                (host, rest.strip_prefix(':').or_else(|| rest.is_empty().then_some(""))?)
            }
            None => authority.split_once(':').unwrap_or((&authority, "")),
        };
        let is_named = self.names.iter().any(|name| name == host);
        let is_number = authority.starts_with('[') || host.parse::<Ipv4Addr>().is_ok();
        let fits = match port {
            // The default port of HTTP, or that of a server that stands before this one.
            "" => is_named || self.port == 80,
            _ => port.parse() == Ok(self.port),
        };
        let is_known = is_named || is_number || host == "localhost";
        (fits && is_known).then_some(AskedHost { authority, is_named })
    }
}

impl AskedHost {
    fn is_origin(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let rest = match origin.strip_prefix("https://") {
            Some(rest) if self.is_named => Some(rest),
            _ => origin.strip_prefix("http://"),
        };
        rest == Some(self.authority.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: Option<&str>, origin: Option<&str>) -> Result<String, StatusCode> {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, value.parse().unwrap());
            }
        }
        let known = KnownHosts::new(8064, &["Othello.example".to_owned()]);
        known.check(&headers).map(|asked| asked.authority).map_err(|refusal| refusal.status)
    }

    #[test]
    fn numbers_localhost_and_allowed_names_are_known_with_the_port_of_the_server() {
        for host in [
            "127.0.0.1:8064",
            "192.168.1.20:8064",
            "[::1]:8064",
            "localhost:8064",
            "LocalHost:8064",
            "othello.example:8064",
            "othello.example",
        ] {
            assert_eq!(check(Some(host), None), Ok(host.to_ascii_lowercase()), "{host}");
        }
    }

    #[test]
    fn every_other_host_is_refused() {
        for host in [
            "evil.example:8064",
            "evil.example",
            "localhost",
            "localhost:80",
            "127.0.0.1",
            "127.0.0.1:8065",
            "127.0.0.1.evil.example:8064",
            "localhost.:8064",
            "localhost:8064:8064",
            "user@localhost:8064",
            "[::1",
            "[::1]8064",
            "[localhost]:8064",
            "[::1]:8064]",
            "0x7f000001:8064",
            "2130706433:8064",
            "127.1:8064",
            ":8064",
            "",
        ] {
            assert_eq!(check(Some(host), None), Err(StatusCode::MISDIRECTED_REQUEST), "{host}");
        }
        assert_eq!(check(None, None), Err(StatusCode::MISDIRECTED_REQUEST));
        let mut headers = HeaderMap::new();
        for host in ["localhost:8064", "evil.example"] {
            headers.append(header::HOST, host.parse().unwrap());
        }
        assert!(KnownHosts::new(8064, &[]).check(&headers).is_err());
    }

    #[test]
    fn the_origin_must_be_the_host_that_was_asked() {
        let local = Some("localhost:8064");
        assert!(check(local, Some("http://localhost:8064")).is_ok());
        for origin in [
            "http://localhost",
            "http://127.0.0.1:8064",
            "https://localhost:8064",
            "http://evil.example",
            "http://localhost:8064.evil.example",
            "null",
            "",
        ] {
            assert_eq!(check(local, Some(origin)), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        assert!(check(Some("othello.example"), Some("https://othello.example")).is_ok());
    }
}
