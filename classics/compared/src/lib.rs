//! Experiments on several of the classic programs.

mod bill_against_iago;
mod losses;
mod rivals;

use laboratory::Experiment;

/// BILL against IAGO.
pub fn bill_against_iago() -> Experiment {
    Experiment::new(
        bill_against_iago::NAME,
        "Lee and Mahajan 1990, 6.3",
        "BILL against IAGO at their published speeds, and the part of their evaluations in the result",
        bill_against_iago::run,
    )
}

/// All programs against each other.
pub fn rivals() -> Experiment {
    Experiment::new(
        rivals::NAME,
        "Lee and Mahajan 1990, 6.2 and 6.3; Buro 1997; Brockington 1997, Table 2 and section 3.1; CS 221 2002",
        "the classic programs against each other, with and without their main techniques",
        rivals::run,
    )
}
