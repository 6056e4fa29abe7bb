//! Where KEYANO finds workers elsewhere (`keyano@crew=farm`): on the farm that an environment variable names.

use std::sync::Arc;

use farm::{Farm, FarmAddress, FarmSettings};
use players::far_crew::{self, Office};

use crate::arguments::farm_options::version;
use crate::interrupt;
use crate::output;

/// The variable with the address of the farm: `nats://HOST`, with a name, a password and a port if necessary.
const VARIABLE: &str = "EMILIA_FARM";

/// Lets the players of this process find workers.
pub fn provide() {
    far_crew::provide(|| {
        let url = std::env::var(VARIABLE).unwrap_or_default();
        if url.is_empty() {
            return Err(format!("crew=farm needs the address of a farm: set {VARIABLE} to nats://HOST[:PORT]"));
        }
        let address = FarmAddress { url, ..FarmAddress::default() };
        // Every worker takes one seat.
        let settings = FarmSettings { chunk: Some(1), ..FarmSettings::new(version()) };
        let stop = interrupt::flag().map_err(|error| error.to_string())?;
        let farm = Farm::connect(&address, settings, &stop, |sentence: &str| output::complain(&sentence));
        let farm = farm.map_err(|error| error.to_string())?;
        let notify = Box::new(|sentence: &str| output::complain(&sentence));
        Ok(Office { post: Arc::new(farm.post()), executor: Box::new(farm), notify })
    });
}
