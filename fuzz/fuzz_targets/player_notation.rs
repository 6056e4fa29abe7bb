//! Players as they are named on the command line, and the commands and times in their notation.
#![no_main]

use players::PlayerNotation;
use protocols::driving::ExternalProgram;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(notation) = text.parse::<PlayerNotation>() {
        assert_eq!(notation.text().parse::<PlayerNotation>().as_ref(), Ok(&notation));
    }
    let _ = players::time_span::parse_span(text);
    let _ = players::time_span::parse_clock(text);
    // The program is not started.
    let _ = ExternalProgram::from_command(text);
});
