//! The kinds of jobs of a program, by which a worker finds the work of a job from elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use control::Stop;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::content_id::ContentId;
use crate::definition::Definition;
use crate::error::InvalidJob;
use crate::work::Work;

/// Files of a job on the machine of its worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocalFiles(pub BTreeMap<ContentId, PathBuf>);

impl LocalFiles {
    /// The path of a file with this content.
    pub fn path(&self, id: &ContentId) -> Result<PathBuf, InvalidJob> {
        self.0.get(id).cloned().ok_or(InvalidJob::File(*id))
    }
}

/// Does one item of a job after the other: number and item in, result out, all as data; `None` if it was stopped.
pub type Step<'w> = Box<dyn FnMut(u64, Value) -> Result<Option<Value>, InvalidJob> + 'w>;

/// The work of a job from elsewhere, without its types.
pub trait RemoteWork: Send + Sync {
    /// A worker for one thread.
    fn start<'w>(&'w self, stop: &'w Stop) -> Step<'w>;
}

impl<W: Work + Send> RemoteWork for W {
    fn start<'w>(&'w self, stop: &'w Stop) -> Step<'w> {
        let mut work = self.worker(stop);
        Box::new(move |number, item| {
            let item = serde_json::from_value(item).map_err(|error| InvalidJob::Item(number, error))?;
            let output = work(number, item).map(serde_json::to_value).transpose();
            output.map_err(|error| InvalidJob::Output(number, error))
        })
    }
}

/// The work of a job, ready to be done.
pub type KnownWork = Box<dyn RemoteWork>;

/// A kind of jobs.
#[derive(Clone)]
pub struct JobKind {
    /// Name in definitions.
    pub name: &'static str,
    prepare: Arc<Prepare>,
}

type Prepare = dyn Fn(&Definition, &LocalFiles) -> Result<KnownWork, InvalidJob> + Send + Sync;

impl JobKind {
    /// A kind with this name and a function that prepares the work of its jobs.
    pub fn new(
        name: &'static str,
        prepare: impl Fn(&Definition, &LocalFiles) -> Result<KnownWork, InvalidJob> + Send + Sync + 'static,
    ) -> Self {
        Self { name, prepare: Arc::new(prepare) }
    }
}

impl fmt::Debug for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JobKind").field(&self.name).finish()
    }
}

/// The kinds of jobs of a program, and its version.
#[derive(Clone, Debug)]
pub struct JobKinds {
    /// The version of the program: it does only jobs of the same version.
    pub version: String,
    kinds: Vec<JobKind>,
}

impl JobKinds {
    /// These kinds, in this version of the program.
    pub fn new(version: &str, kinds: impl IntoIterator<Item = JobKind>) -> Self {
        Self { version: version.to_owned(), kinds: kinds.into_iter().collect() }
    }

    /// The names of all kinds.
    pub fn names(&self) -> Vec<&'static str> {
        self.kinds.iter().map(|kind| kind.name).collect()
    }

    /// Prepares the work of a job.
    pub fn prepare(&self, definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
        let Definition { kind, version, .. } = definition;
        if *version != self.version {
            return Err(InvalidJob::Version { found: version.clone(), expected: self.version.clone() });
        }
        let known = self.kinds.iter().find(|known| known.name == kind);
        let expected = || self.names().join(", ");
        let known = known.ok_or_else(|| InvalidJob::Kind { found: kind.clone(), expected: expected() })?;
        (known.prepare)(definition, files)
    }
}

/// Reads the parameters of a job.
pub fn parameters<T: DeserializeOwned>(definition: &Definition) -> Result<T, InvalidJob> {
    let parameters = definition.parameters.clone();
    serde_json::from_value(parameters).map_err(InvalidJob::Parameters)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Job, Threads, Worker};

    struct Times(u64);

    impl Work for Times {
        type Item = u64;
        type Output = u64;

        fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, u64, u64> {
            Box::new(|_, item| (!stop.is_set()).then_some(item * self.0))
        }

        fn check(&self, _: u64, item: &u64, output: &u64) -> Result<(), InvalidJob> {
            if output.is_multiple_of(*item) { Ok(()) } else { Err("not a multiple".into()) }
        }
    }

    fn job_kinds() -> JobKinds {
        let prepare = |definition: &Definition, _: &LocalFiles| -> Result<KnownWork, InvalidJob> {
            Ok(Box::new(Times(parameters(definition)?)))
        };
        JobKinds::new("1", [JobKind::new("times", prepare)])
    }

    fn definition(version: &str) -> Definition {
        Definition { version: version.to_owned(), ..Definition::new("times", &7).expect("data") }
    }

    #[test]
    fn the_work_of_a_definition_is_the_work_that_was_defined() {
        let work = job_kinds().prepare(&definition("1"), &LocalFiles::default()).expect("a known kind");
        let stop = Stop::new();
        let mut remote = work.start(&stop);
        let job = Job { work: &Times(7), items: &|number| number + 1, definition: &|| Ok(definition("1")) };
        let mut taken = 0;
        job.run(&Threads(3), 0..50, &stop, |number, output| {
            let elsewhere = remote(number, Value::from(number + 1)).expect("an item").expect("not stopped");
            assert_eq!(elsewhere, Value::from(output));
            taken += 1;
            ControlFlow::Continue(())
        })
        .expect("threads");
        assert_eq!(taken, 50);
        stop.set();
        assert!(remote(1, Value::from(1)).is_ok_and(|output| output.is_none()));
    }

    #[test]
    fn unknown_kinds_versions_parameters_and_items_are_refused_in_a_sentence() {
        let refusal = |definition: &Definition| match job_kinds().prepare(definition, &LocalFiles::default()) {
            Ok(_) => panic!("{definition:?} is not refused"),
            Err(error) => error.to_string(),
        };
        assert!(refusal(&definition("2")).contains("version 2"), "{}", refusal(&definition("2")));
        let other = Definition { kind: "plus".to_owned(), ..definition("1") };
        assert_eq!(refusal(&other), "unknown kind of job \"plus\"; expected times");
        let wrong = Definition { parameters: Value::from("seven"), ..definition("1") };
        assert!(refusal(&wrong).contains("parameters"), "{}", refusal(&wrong));
        let work = job_kinds().prepare(&definition("1"), &LocalFiles::default()).expect("a known kind");
        let stop = Stop::new();
        assert!(work.start(&stop)(3, Value::from("x")).expect_err("not a number").to_string().contains("item 3"));
    }
}
