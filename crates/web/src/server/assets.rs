//! The files of the page, which are part of the program: nothing is read from the disk.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

fn file(path: &str) -> Option<(EmbeddedFile, &'static str)> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        // How the page reaches its host differs between the server and the static page.
        "host.js" => "host-socket.js",
        // It is for the type checker.
        "tsconfig.json" => return None,
        name => name,
    };
    Some((Page::get(name)?, content_type(name)?))
}

fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

/// Answers a request for a file. A browser asks every time whether it has changed, and keeps it if not.
pub(crate) fn answer(method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
    let Some((file, content_type)) = file(path) else {
        return plain(StatusCode::NOT_FOUND, "There is no such page.\n");
    };
    if !matches!(*method, Method::GET | Method::HEAD) {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "Files can only be read.\n");
    }
    let tag = tag(&file);
    let is_known = headers.get_all(header::IF_NONE_MATCH).iter().any(|known| names_tag(known, &tag));
    let mut response = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(Body::from(file.data));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        response
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

pub(crate) fn plain(status: StatusCode, sentence: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(sentence.to_owned()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn tag(file: &EmbeddedFile) -> String {
    let digits: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

fn names_tag(list: &HeaderValue, tag: &str) -> bool {
    let is_same = |known: &str| known.trim().trim_start_matches("W/") == tag;
    list.to_str().is_ok_and(|list| list.split(',').any(is_same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_for_browsers_has_a_type_and_a_tag_by_which_it_is_not_sent_again() {
        let mut count = 0;
        for name in Page::iter().filter(|name| content_type(name).is_some() && name != "tsconfig.json") {
            let path = format!("/{name}");
            let answered = answer(&Method::GET, &path, &HeaderMap::new());
            assert_eq!(answered.status(), StatusCode::OK, "{name}");
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, answered.headers()[header::ETAG].clone());
            assert_eq!(answer(&Method::GET, &path, &headers).status(), StatusCode::NOT_MODIFIED, "{name}");
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
            assert_eq!(answer(&Method::GET, &path, &headers).status(), StatusCode::OK, "{name}");
            count += 1;
        }
        assert!(count > 0);
    }

    #[test]
    fn only_files_of_the_page_are_found() {
        for path in
            ["/../Cargo.toml", "/../src/lib.rs", "//index.html", "/./index.html", "/tsconfig.json", "/strings", "x"]
        {
            assert_eq!(answer(&Method::GET, path, &HeaderMap::new()).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(answer(&Method::POST, "/", &HeaderMap::new()).status(), StatusCode::METHOD_NOT_ALLOWED);
    }
}
