//! For whom a request is: the `Host` and `Origin` of every request are checked.
//!
//! A page of another site can make a browser send requests here: directly, which `Origin` shows, or by letting a name of
//! its own point to this machine (DNS rebinding), which `Host` shows. An address in numbers cannot be redirected that way.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, StatusCode, header};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownHosts {
    port: u16,
    names: Vec<String>,
}

/// A known host to which a request was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AskedHost {
    /// As in the request: `localhost:8064`.
    pub(crate) authority: String,
    /// Whether it may be behind a server that encrypts.
    pub(crate) is_named: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) sentence: String,
}

impl KnownHosts {
    /// Numbers, `localhost` and these names, with this port.
    pub(crate) fn new(port: u16, names: &[String]) -> Self {
        Self { port, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

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

    #[test]
    fn requests_are_for_a_known_host_and_from_its_own_pages() {
        for line in include_str!("asked_host.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<_> = line.split(' ').collect();
            let [status, host, origin] = words[..] else { panic!("{line}") };
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
                if value != "-" {
                    headers.insert(name, value.trim_matches('"').parse().unwrap());
                }
            }
            let checked = KnownHosts::new(8064, &["Othello.example".to_owned()]).check(&headers);
            if status == "200" {
                assert_eq!(checked.unwrap().authority, host.to_ascii_lowercase(), "{line}");
            } else {
                assert_eq!(
                    checked.map_err(|refusal| refusal.status.as_str().to_owned()),
                    Err(status.to_owned()),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn a_request_for_two_hosts_is_refused() {
        let mut headers = HeaderMap::new();
        for host in ["localhost:8064", "evil.example"] {
            headers.append(header::HOST, host.parse().unwrap());
        }
        assert!(KnownHosts::new(8064, &[]).check(&headers).is_err());
    }
}
