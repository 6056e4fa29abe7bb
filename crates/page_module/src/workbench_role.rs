//! The role of a workbench.

use std::cell::RefCell;

use engine::Stop;
use evaluation::weights::Weights;
use players::{PlayerOptions, SearchOptions};
use session::{Resources, Workbench};

use super::{failed, registry, script, taken_bytes, taken_text};

thread_local! {
    static WORKBENCH: RefCell<Option<Workbench>> = const { RefCell::new(None) };
}

/// Installs the weight file in the buffer; returns 0 if it is not one.
#[unsafe(no_mangle)]
extern "C" fn install_weights() -> u32 {
    match Weights::from_bytes(&taken_bytes()) {
        Ok(weights) => {
            evaluation::install(&weights);
            1
        }
        Err(error) => {
            failed(&error.to_string());
            0
        }
    }
}

/// Begins the role, with a maximum hash table size in MB.
#[unsafe(no_mangle)]
extern "C" fn begin_workbench(hash: u32) {
    let options = PlayerOptions { search: SearchOptions { threads: 1, hash }, ..PlayerOptions::default() };
    WORKBENCH.set(Some(Workbench::new(Resources { options, ..Resources::new(registry()) })));
}

/// Carries out the order in the buffer, until the script stops it.
#[unsafe(no_mangle)]
extern "C" fn run() {
    let (order, stop) = (taken_text(), Stop::with_poll(|| script::poll() != 0));
    WORKBENCH.with_borrow_mut(|workbench| {
        if let Some(workbench) = workbench {
            workbench.run(&order, &stop, &mut |reply| script::tell(reply.as_ptr(), reply.len()));
        }
    });
}
