//! The tables of DESDEMONA, made as in its paper: values of configurations from random games (section 4.2), weights of
//! features by gradient descent from half-smart games (section 3).

mod gradient_descent;
mod half_smart_games;
mod learner;
mod simple_values;
mod weights;

pub use gradient_descent::{PATH_MOVES, Rates, Sample};
pub use learner::LEARNER;
pub use simple_values::simple_values;
pub use weights::{LookAhead, StageReport, WeightTraining};
