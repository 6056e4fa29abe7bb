//! The jobs that a worker can do, of all libraries.

use jobs::Registry;

/// All kinds of jobs, in this version of the program.
pub(crate) fn registry(version: &str) -> Registry {
    let players = classics::registry();
    let kinds = learning::job_kinds::kinds()
        .into_iter()
        .chain(arena::job_kinds::kinds(players))
        .chain(players::job_kinds::kinds(players));
    Registry::new(version, kinds)
}
