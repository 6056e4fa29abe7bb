//! The kinds of jobs that a program knows: how it does the items of a job that somebody else submitted.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use control::Stop;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::content_id::ContentId;
use crate::definition::Definition;
use crate::work::Work;

/// Files of a job on the machine of its worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocalFiles(pub BTreeMap<ContentId, PathBuf>);

impl LocalFiles {
    /// The path of a file with this content. The error is a sentence.
    pub fn path(&self, id: &ContentId) -> Result<PathBuf, String> {
        self.0.get(id).cloned().ok_or_else(|| format!("the job does not name the file {id}"))
    }
}

/// Does one item of a job after the other: number and item in, result out, all as data; `None` if it was stopped.
pub type Step<'w> = Box<dyn FnMut(u64, Value) -> Result<Option<Value>, String> + 'w>;

/// The work of a job that somebody else submitted, without its types.
pub trait RemoteWork: Send + Sync {
    /// A worker for one thread.
    fn start<'w>(&'w self, stop: &'w Stop) -> Step<'w>;
}

impl<W: Work + Send> RemoteWork for W {
    fn start<'w>(&'w self, stop: &'w Stop) -> Step<'w> {
        let mut work = self.worker(stop);
        Box::new(move |number, item| {
            let item = serde_json::from_value(item).map_err(|error| format!("item {number} is invalid: {error}"))?;
            let output = work(number, item).map(serde_json::to_value).transpose();
            output.map_err(|error| format!("the result of item {number} cannot be sent: {error}"))
        })
    }
}

/// The work of a job, ready to be done.
pub type KnownWork = Box<dyn RemoteWork>;

/// A kind of jobs.
#[derive(Clone)]
pub struct Kind {
    /// Name in definitions.
    pub name: &'static str,
    prepare: Arc<Prepare>,
}

/// Prepares the work of a job. The error is a sentence.
type Prepare = dyn Fn(&Definition, &LocalFiles) -> Result<KnownWork, String> + Send + Sync;

impl Kind {
    /// A kind with this name, and how the work of its jobs is prepared; an error of that is a sentence.
    pub fn new(
        name: &'static str,
        prepare: impl Fn(&Definition, &LocalFiles) -> Result<KnownWork, String> + Send + Sync + 'static,
    ) -> Self {
        Self { name, prepare: Arc::new(prepare) }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kind").field(&self.name).finish()
    }
}

/// The kinds of jobs that a program knows, and its version.
#[derive(Clone, Debug)]
pub struct Registry {
    /// The version of the program: it does only jobs of the same version.
    pub version: String,
    kinds: Vec<Kind>,
}

impl Registry {
    /// These kinds, in this version of the program.
    pub fn new(version: &str, kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self { version: version.to_owned(), kinds: kinds.into_iter().collect() }
    }

    /// The names of all kinds.
    pub fn names(&self) -> Vec<&'static str> {
        self.kinds.iter().map(|kind| kind.name).collect()
    }

    /// Prepares the work of a job. The error is a sentence.
    pub fn prepare(&self, definition: &Definition, files: &LocalFiles) -> Result<KnownWork, String> {
        let Definition { kind, version, .. } = definition;
        if *version != self.version {
            return Err(format!("the job is for version {version} of Emilia; this is version {}", self.version));
        }
        let known = self.kinds.iter().find(|known| known.name == kind);
        let known =
            known.ok_or_else(|| format!("unknown kind of job {kind:?}; expected {}", self.names().join(", ")))?;
        (known.prepare)(definition, files)
    }
}

/// Reads the parameters of a job. The error is a sentence.
pub fn parameters<T: DeserializeOwned>(definition: &Definition) -> Result<T, String> {
    let parameters = definition.parameters.clone();
    serde_json::from_value(parameters).map_err(|error| format!("the parameters of the job are invalid: {error}"))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Job, Threads, Worker};

    /// Multiplies numbers.
    struct Times(u64);

    impl Work for Times {
        type Item = u64;
        type Output = u64;

        fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, u64, u64> {
            Box::new(|_, item| (!stop.is_set()).then_some(item * self.0))
        }

        fn check(&self, _: u64, item: &u64, output: &u64) -> Result<(), String> {
            if output.is_multiple_of(*item) { Ok(()) } else { Err("not a multiple".to_owned()) }
        }
    }

    fn registry() -> Registry {
        let prepare = |definition: &Definition, _: &LocalFiles| -> Result<KnownWork, String> {
            Ok(Box::new(Times(parameters(definition)?)))
        };
        Registry::new("1", [Kind::new("times", prepare)])
    }

    fn definition(version: &str) -> Definition {
        Definition { version: version.to_owned(), ..Definition::new("times", &7).expect("data") }
    }

    #[test]
    fn the_work_of_a_definition_is_the_work_that_was_defined() {
        let work = registry().prepare(&definition("1"), &LocalFiles::default()).expect("a known kind");
        let stop = Stop::new();
        let mut far = work.start(&stop);
        let job = Job { work: &Times(7), items: &|number| number + 1, definition: &|| Ok(definition("1")) };
        let mut taken = 0;
        job.run(&Threads(3), 0..50, &stop, |number, output| {
            let elsewhere = far(number, Value::from(number + 1)).expect("an item").expect("not stopped");
            assert_eq!(elsewhere, Value::from(output));
            taken += 1;
            ControlFlow::Continue(())
        })
        .expect("threads");
        assert_eq!(taken, 50);
        stop.set();
        assert_eq!(far(1, Value::from(1)), Ok(None));
    }

    #[test]
    fn unknown_kinds_versions_parameters_and_items_are_refused_in_a_sentence() {
        let refusal = |definition: &Definition| match registry().prepare(definition, &LocalFiles::default()) {
            Ok(_) => panic!("{definition:?} is not refused"),
            Err(sentence) => sentence,
        };
        assert!(refusal(&definition("2")).contains("version 2"), "{}", refusal(&definition("2")));
        let other = Definition { kind: "plus".to_owned(), ..definition("1") };
        assert_eq!(refusal(&other), "unknown kind of job \"plus\"; expected times");
        let wrong = Definition { parameters: Value::from("seven"), ..definition("1") };
        assert!(refusal(&wrong).contains("parameters"), "{}", refusal(&wrong));
        let work = registry().prepare(&definition("1"), &LocalFiles::default()).expect("a known kind");
        let stop = Stop::new();
        assert!(work.start(&stop)(3, Value::from("x")).expect_err("not a number").contains("item 3"));
    }
}
