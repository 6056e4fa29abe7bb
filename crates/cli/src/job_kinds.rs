//! The jobs that a worker can do, of all libraries.

use jobs::Registry;

/// All kinds of jobs, in this version of the program.
pub(crate) fn registry(version: &str) -> Registry {
    let kinds = learning::job_kinds::KINDS.into_iter().chain(arena::job_kinds::KINDS).chain(players::job_kinds::KINDS);
    Registry::new(version, kinds)
}
