//! The page in a real Chromium, from both of its places: `emilia serve`, and the folder of static files.
//!
//! `cargo xtask test browser` makes that folder and runs these tests; they are ignored otherwise, because they take minutes.
//! Everything is waited for; nothing depends on how fast the machine is.

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

/// Tests that run with both places.
macro_rules! both_ways {
    ($($name:ident: $scenario:path),+ $(,)?) => {
        mod served {
            $(
                #[test]
                #[ignore = "it needs a browser: cargo xtask test browser"]
                fn $name() {
                    if let Some(page) = super::served() {
                        $scenario(&page);
                    }
                }
            )+
        }

        mod from_folder {
            $(
                #[test]
                #[ignore = "it needs a browser: cargo xtask test browser"]
                fn $name() {
                    if let Some(page) = super::from_folder() {
                        $scenario(&page);
                    }
                }
            )+
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
    nobody_else_is_asked_for_anything: crate::safety::requests,
    without_a_book_there_is_no_panel: crate::openings::no_book,
    without_a_farm_there_is_no_panel: crate::looks::no_farm,
    axe_finds_nothing_wrong: crate::accessibility::everywhere,
    axe_finds_nothing_wrong_in_the_dark_on_a_phone_and_in_japanese: crate::accessibility::in_other_looks,
}

#[test]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn a_killed_server_that_comes_back_loses_nothing() {
    if let Some(page) = served() {
        keeping::killed_server(page);
    }
}

#[test]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn the_folder_works_offline_after_the_first_load() {
    if let Some(page) = from_folder() {
        keeping::offline(&page);
    }
}

/// The page of a server with a small opening book, in a new browser, with the book.
fn served_with_book(name: &str) -> Option<(Page, std::path::PathBuf)> {
    let book = openings::small_book(name);
    let page = Browser::start().map(|browser| Page::new(browser, Place::Served(Served::with_book(&book))));
    page.map(|page| (page, book))
}

#[test]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn the_book_is_stepped_through_by_clicks_and_by_keys() {
    if let Some((page, book)) = served_with_book("stepping") {
        openings::stepping(&page, &book);
    }
}

#[test]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn values_and_analyses_show_what_is_in_the_book() {
    if let Some((page, _)) = served_with_book("values") {
        openings::values_and_analysis(&page);
    }
}

#[test]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn the_panel_of_the_book_fits_a_phone_and_speaks_japanese_and_axe_finds_nothing_wrong() {
    if let Some((page, _)) = served_with_book("looks") {
        openings::looks(&page);
    }
}

/// The page of a server that looks at a farm, in a new browser, with the farm.
#[cfg(all(unix, feature = "farm"))]
fn served_with_farm(name: &str) -> Option<(Page, farm::Farm)> {
    let farm = farm::Farm::start(name)?;
    let page = Browser::start().map(|browser| Page::new(browser, Place::Served(Served::with_farm(&farm.url()))));
    page.map(|page| (page, farm))
}

#[test]
#[cfg(all(unix, feature = "farm"))]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn the_workers_and_jobs_of_a_farm_are_shown_while_the_panel_is_open() {
    if let Some((page, farm)) = served_with_farm("shown") {
        farm::shown(&page, &farm);
    }
}

#[test]
#[cfg(all(unix, feature = "farm"))]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn a_farm_that_is_away_is_a_sentence_and_its_texts_are_text() {
    if let Some((page, farm)) = served_with_farm("away") {
        farm::away_and_hostile(&page, farm);
    }
}

#[test]
#[cfg(all(unix, feature = "farm"))]
#[ignore = "it needs a browser: cargo xtask test browser"]
fn the_panel_of_the_farm_fits_a_phone_and_speaks_japanese_and_axe_finds_nothing_wrong() {
    if let Some((page, farm)) = served_with_farm("farm-looks") {
        farm::looks(&page, &farm);
    }
}
