//! Headers of every answer: load nothing from elsewhere, run only scripts of this server, and stay unframed.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::asked_host::AskedHost;

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Adds the headers of an answer to a request for this host, if it was one for a known host.
pub(crate) fn add(headers: &mut HeaderMap, asked: Option<&AskedHost>) {
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = content_security_policy(asked);
    // A known host has no character that a header could not have.
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
}

fn content_security_policy(asked: Option<&AskedHost>) -> String {
    // Not every browser counts a WebSocket of the same host as 'self'.
    let sockets = asked.map_or(String::new(), |asked| {
        let encrypted = if asked.is_named { format!(" wss://{}", asked.authority) } else { String::new() };
        format!(" ws://{}{encrypted}", asked.authority)
    });
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'{sockets}; worker-src 'self'; manifest-src 'self'; font-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
}
