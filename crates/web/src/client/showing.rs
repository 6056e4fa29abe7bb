//! Views of a client: their content, and the times at which they are sent.

use std::time::Duration;

use othello::Color;
use records::{link, sgf};
use session::{ClockTime, LegalClock, Pause, StudiedBoard, View};

use super::BoardClient;
use crate::message::{Response, SeatState, Shown, State};
use crate::turn::Turn;

/// Minimum interval between views that only show progress.
pub(super) const VIEW_PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct LastView {
    pub(super) time: Duration,
    /// Its content besides the clocks.
    pub(super) view: View,
}

impl<B: StudiedBoard> BoardClient<B> {
    pub(super) fn show(&mut self, turn: &mut Turn) {
        if turn.other_board.is_some() {
            return;
        }
        let view = self.session.view();
        let shown = Shown {
            explanations: self.panels.explanations.clone(),
            has_book: self.has_book(),
            has_farm: self.options.has_farm,
            solving: self.panels.solving.as_ref().map(|(_, solving)| solving.clone()),
            link: link::format(self.session.game()),
            state: self.state(&view),
            view,
        };
        self.last_view = Some(LastView { time: turn.now, view: without_clocks(shown.view.clone()) });
        self.is_dirty = false;
        turn.send(&Response::View(Box::new(shown)));
    }

    fn state(&self, view: &View) -> State {
        let seat = |index: usize| {
            let seat = &view.seats[index];
            seat.player.clone().map(|player| SeatState { player, level: seat.level })
        };
        State {
            board: view.board.shape,
            sgf: sgf::format(&self.session.record()),
            played: view.move_count,
            seats: [seat(0), seat(1)],
            control: view.control.map(LegalClock::of),
            seconds: [Color::Black, Color::White].map(|color| ClockTime::at_most(self.session.clock_shown(color))),
            shows_hints: view.shows_hints,
            hints: view.hint_settings,
            pace: Pause::at_most(self.session.pace()),
            is_reviewing: view.is_reviewing,
            is_waiting: view.is_waiting || view.is_reviewing,
        }
    }

    /// Shows the session, unless the last view is too recent: then the next tick does it.
    pub(super) fn show_soon(&mut self, turn: &mut Turn) {
        let is_early = self.last_view.as_ref().is_some_and(|last| turn.now < last.time + VIEW_PAUSE);
        if self.is_dirty && !is_early {
            self.show(turn);
        }
    }

    pub(super) fn has_news(&self) -> bool {
        let view = without_clocks(self.session.view());
        self.last_view.as_ref().is_none_or(|last| last.view != view)
    }
}

/// A view with clocks at zero, to be compared with another.
fn without_clocks(mut view: View) -> View {
    for seat in &mut view.seats {
        seat.seconds = 0.0;
    }
    view
}
