//! Messages of an arbitrary page, made as in the tests of the page.

#[path = "../../crates/web/tests/dialogue/quotation.rs"]
mod quotation;
#[path = "../../crates/web/tests/dialogue/requests.rs"]
pub(crate) mod requests;
