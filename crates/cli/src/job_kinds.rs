//! The jobs that a worker can do, of all libraries.

use jobs::JobKinds;

/// All kinds of jobs, in this version of the program.
pub(crate) fn of_program(version: &str) -> JobKinds {
    let players = classics::registry();
    let kinds = learning::job_kinds::kinds()
        .into_iter()
        .chain(arena::job_kinds::kinds(players))
        .chain(players::job_kinds::kinds(players));
    JobKinds::new(version, kinds)
}
