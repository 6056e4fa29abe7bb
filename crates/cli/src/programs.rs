//! The programs that are registered with the command line.

use std::sync::Arc;

use jobs::JobKind;
use laboratory::{Experiment, LabProgram};
use learning::learner::Learner;
use players::{Registry, RegistryError};

/// Registered programs: their players, learners, experiments and kinds of jobs.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) registry: Arc<Registry>,
    /// Learners with the names of their programs.
    pub(crate) learners: Vec<(&'static str, Learner)>,
    /// Experiments of the programs, and those with Emilia itself.
    pub(crate) experiments: Vec<Experiment>,
    #[cfg_attr(not(feature = "farm"), expect(dead_code))]
    job_kinds: Vec<JobKind>,
}

impl Programs {
    pub(crate) fn new(programs: Vec<LabProgram>) -> Result<Self, RegistryError> {
        let (mut players, mut learners) = (Vec::new(), Vec::new());
        let (mut experiments, mut job_kinds) = (Vec::new(), Vec::new());
        for program in programs {
            learners.extend(program.learner.map(|learner| (program.player.name, learner)));
            experiments.extend(program.experiments);
            job_kinds.extend(program.job_kinds);
            players.push(program.player);
        }
        experiments.extend(laboratory::own_experiments());
        Ok(Self { registry: Arc::new(Registry::new(players)?), learners, experiments, job_kinds })
    }

    /// The version that machines of a farm compare: that of this program, with the registered programs.
    #[cfg(feature = "farm")]
    pub(crate) fn version(&self) -> String {
        self.registry.version(crate::about().version)
    }

    /// The kinds of jobs that a worker can do.
    #[cfg(feature = "farm")]
    pub(crate) fn job_kinds(&self) -> jobs::JobKinds {
        let kinds = learning::job_kinds::kinds()
            .into_iter()
            .chain(arena::job_kinds::kinds(&self.registry))
            .chain(players::job_kinds::kinds(&self.registry))
            .chain(self.job_kinds.iter().cloned());
        jobs::JobKinds::new(&self.version(), kinds)
    }
}
