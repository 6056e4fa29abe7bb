//! The page in a real Chromium, from both of its places: `emilia serve`, and the folder of static files.
//!
//! `cargo xtask test browser` makes that folder and runs these tests; they are ignored otherwise, because they take minutes.
//! The tests wait for every change; nothing depends on the speed of the machine.

#![allow(unreachable_pub)]

mod accessibility;
mod analysis;
mod driver;
#[cfg(all(unix, feature = "farm"))]
mod farm;
mod files;
mod keeping;
mod looks;
#[cfg(all(unix, feature = "farm"))]
#[path = "../../../farm/src/tests/nats.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod nats;
mod openings;
mod page;
mod place;
mod playing;
mod safety;

use driver::Browser;
use page::Page;
use place::{Folder, Place, Served};

/// The page of a server, in a new browser.
fn served() -> Option<Page> {
    Browser::start().map(|browser| Page::new(browser, Place::Served(Served::start())))
}

/// The page of a folder, in a new browser.
fn from_folder() -> Option<Page> {
    let folder = Folder::start()?;
    Browser::start().map(|browser| Page::new(browser, Place::Static(folder)))
}

/// Tests with a page of their own.
macro_rules! alone {
    ($($name:ident: $page:expr => $scenario:expr),+ $(,)?) => {
        $(
            #[test]
            #[ignore = "it needs a browser: cargo xtask test browser"]
            fn $name() {
                $page.into_iter().for_each($scenario);
            }
        )+
    };
}

/// Tests that run with both places.
macro_rules! both_ways {
    ($($name:ident: $scenario:path),+ $(,)?) => {
        mod served {
            alone! { $($name: super::served() => |page| $scenario(&page)),+ }
        }

        mod from_folder {
            alone! { $($name: super::from_folder() => |page| $scenario(&page)),+ }
        }
    };
}

both_ways! {
    a_whole_game_is_played_by_clicks: crate::playing::by_clicks,
    a_small_game_is_played_by_keys_alone: crate::playing::by_keys,
    values_appear_on_every_legal_move: crate::playing::values,
    moves_are_taken_back_and_variations_kept: crate::playing::variations,
    a_position_is_set_up_and_solved: crate::analysis::set_up_and_solve,
    solving_can_be_stopped: crate::analysis::stop_solving,
    an_analysis_has_the_figures_of_the_command: crate::analysis::equals_the_command,
    mistakes_and_puzzles_are_studied: crate::analysis::study,
    a_game_is_saved_and_opened_in_each_format: crate::files::every_format,
    one_of_several_games_is_chosen: crate::files::choice,
    a_shared_address_opens_in_another_tab: crate::keeping::share,
    a_reloaded_page_continues: crate::keeping::reload,
    a_phone_needs_no_scrolling_to_the_side: crate::looks::phone,
    a_scroll_bar_leaves_room_for_the_page: crate::looks::scroll_bar,
    dark_and_light_are_chosen_and_kept: crate::looks::dark,
    everything_is_said_in_japanese: crate::looks::japanese,
    names_in_files_are_text: crate::safety::markup,
    no_other_host_gets_a_request: crate::safety::requests,
    without_a_book_there_is_no_panel: crate::openings::no_book,
    without_a_farm_there_is_no_panel: crate::looks::no_farm,
    axe_finds_nothing_wrong: crate::accessibility::everywhere,
    axe_finds_nothing_wrong_in_the_dark_on_a_phone_and_in_japanese: crate::accessibility::in_other_looks,
}

/// The page of a server with a small opening book, in a new browser, with the book.
fn served_with_book(name: &str) -> Option<(Page, std::path::PathBuf)> {
    let book = openings::small_book(name);
    let page = Browser::start().map(|browser| Page::new(browser, Place::Served(Served::with_book(&book))));
    page.map(|page| (page, book))
}

alone! {
    a_killed_server_that_comes_back_loses_nothing: served() => keeping::killed_server,
    the_folder_works_offline_after_the_first_load: from_folder() => |page| keeping::offline(&page),
    the_book_is_stepped_through_by_clicks_and_by_keys:
        served_with_book("stepping") => |(page, book)| openings::stepping(&page, &book),
    values_and_analyses_show_the_moves_of_the_book:
        served_with_book("values") => |(page, _)| openings::values_and_analysis(&page),
    the_panel_of_the_book_fits_a_phone_and_speaks_japanese_and_axe_finds_nothing_wrong:
        served_with_book("looks") => |(page, _)| openings::looks(&page),
}

/// The page of a server that looks at a farm, in a new browser, with the farm.
#[cfg(all(unix, feature = "farm"))]
fn served_with_farm(name: &str) -> Option<(Page, farm::Farm)> {
    let farm = farm::Farm::start(name)?;
    let page = Browser::start().map(|browser| Page::new(browser, Place::Served(Served::with_farm(&farm.url()))));
    page.map(|page| (page, farm))
}

#[cfg(all(unix, feature = "farm"))]
alone! {
    the_workers_and_jobs_of_a_farm_are_shown_while_the_panel_is_open:
        served_with_farm("shown") => |(page, farm)| farm::shown(&page, &farm),
    a_farm_that_is_away_is_a_sentence_and_its_texts_are_text:
        served_with_farm("away") => |(page, farm)| farm::away_and_hostile(&page, farm),
    the_panel_of_the_farm_fits_a_phone_and_speaks_japanese_and_axe_finds_nothing_wrong:
        served_with_farm("farm-looks") => |(page, farm)| farm::looks(&page, &farm),
}
