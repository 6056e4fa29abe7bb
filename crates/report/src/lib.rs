//! Boards, plots and analysed games as people see them: as text, as SVG and as pages of HTML.
//!
//! Nothing here depends on a command, a terminal or a server: each of them requests its texts from here.

pub mod analysis;
pub mod axes;
pub mod columns;
pub mod diagram;
pub mod look;
pub mod plot;
pub mod results_page;
pub mod svg;
pub mod words;
