//! The names of everything on the server: streams, subjects, buckets. `docs/farm.md` lists them with who may use them.

use jobs::ContentId;

pub(crate) const JOBS_STREAM: &str = "EMILIA_JOBS";
pub(crate) const RESULTS_STREAM: &str = "EMILIA_RESULTS";
/// The bucket with the state of every campaign, and decisions about campaigns.
pub(crate) const CAMPAIGNS: &str = "EMILIA_campaigns";
/// The bucket of the workers; an entry lives as long as its worker renews it.
pub(crate) const WORKERS: &str = "EMILIA_workers";
/// The bucket of chunks and workers that were set aside, with the reasons.
pub(crate) const ASIDE: &str = "EMILIA_aside";
/// The object store of definitions, weights and books, by content.
pub(crate) const FILES: &str = "EMILIA_files";
pub(crate) const ALL_JOBS: &str = "emilia.jobs.>";
pub(crate) const ALL_RESULTS: &str = "emilia.results.>";
/// The prefix of the parts of JetStream that an account of its own imports from the account of the farm. Its answers stay in
/// that account, whatever reply subject a request has.
pub(crate) const IMPORTED_API: &str = "emilia.api";
/// Subject of the names of campaigns that were cancelled or have ended.
pub(crate) const CONTROL: &str = "emilia.control";

/// A version or a name as part of a subject, in which only some characters are allowed.
pub fn token(text: &str) -> String {
    let allowed = |symbol: char| if symbol.is_ascii_alphanumeric() { symbol } else { '-' };
    let token: String = text.chars().map(allowed).take(64).collect();
    token.trim_matches('-').to_owned()
}

/// Whether this is a key of a bucket that the program would write.
pub(crate) fn is_key(text: &str) -> bool {
    let is_part = |part: &str| part == token(part) && !part.is_empty();
    text.split('.').all(is_part) && text.len() <= 200
}

pub(crate) fn job_subject(version: &str, task: &ContentId) -> String {
    format!("emilia.jobs.{}.{task}", token(version))
}

pub(crate) fn jobs_of_version(version: &str) -> String {
    format!("emilia.jobs.{}.>", token(version))
}

pub(crate) fn consumer(version: &str) -> String {
    format!("workers-{}", token(version))
}

pub(crate) fn result_subject(task: &ContentId, worker: &str) -> String {
    format!("emilia.results.{task}.{}", token(worker))
}

pub(crate) fn results_of(task: &ContentId) -> String {
    format!("emilia.results.{task}.*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_names_become_single_tokens() {
        assert_eq!(token("0.1.0 (4b75b0a, 2026-11-16)"), "0-1-0--4b75b0a--2026-11-16");
        assert_eq!(token("a.b>*\n é"), "a-b");
        let task = ContentId::of(b"x");
        assert_eq!(result_subject(&task, "my.host"), format!("emilia.results.{task}.my-host"));
    }
}
