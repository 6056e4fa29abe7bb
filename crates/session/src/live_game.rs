//! The game with its players, their clocks and the notes on its moves.

use std::collections::HashMap;
use std::time::Duration;

use engine::{Estimate, GameClock};
use othello::{Color, Game, IllegalMoveError, Rules, Score, Square};
use records::{Annotation, Date, Ending, GameRecord, TimeControl};
use report::diagram;

use crate::event::Step;
use crate::opponent::Opponent;

const PLACE: &str = "Emilia";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Time {
    /// Time left.
    Left(GameClock),
    /// Time used, where no limit is prescribed.
    Used(Duration),
}

impl Time {
    fn initial(control: Option<GameClock>) -> Self {
        control.map_or(Time::Used(Duration::ZERO), Time::Left)
    }

    fn has(self, time: Duration) -> bool {
        match self {
            Time::Left(clock) => time <= clock.remaining,
            Time::Used(_) => true,
        }
    }

    fn shown(self) -> Duration {
        match self {
            Time::Left(clock) => clock.remaining,
            Time::Used(used) => used,
        }
    }

    /// The same after this time, without a move that time would be added for.
    fn after(self, time: Duration) -> Self {
        match self {
            Time::Left(clock) => Time::Left(GameClock { remaining: clock.remaining.saturating_sub(time), ..clock }),
            Time::Used(used) => Time::Used(used.saturating_add(time)),
        }
    }

    /// The same after a move that took this time.
    fn after_move(self, time: Duration) -> Self {
        let mut after = self.after(time);
        if let Time::Left(clock) = &mut after {
            clock.remaining = clock.remaining.saturating_add(clock.increment);
        }
        after
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Overstepping {
    color: Color,
    /// Its time when its turn began.
    before: Time,
    /// The moves of the position in which it happened: looking at others does not undo it.
    moves: Vec<Square>,
}

/// A game under way.
///
/// Moments are spans since the program began: no clock is read here.
#[derive(Clone, Debug)]
pub(crate) struct LiveGame<B: Rules> {
    pub(crate) game: Game<B>,
    /// Black's and White's engine; none is a person.
    seats: [Option<Opponent>; 2],
    /// The clock of the game; players may bring their own.
    pub(crate) control: Option<GameClock>,
    times: [Time; 2],
    /// Time of the current turn that the side to move used before the clock was last stopped.
    used_in_turn: Duration,
    /// When the clock of the side to move was started; nothing while it is stopped.
    running_since: Option<Duration>,
    overstepping: Option<Overstepping>,
    /// Notes on the moves, by the line that ends with each: the time taken and the value that the player expected.
    notes: HashMap<Vec<Square>, Annotation>,
    /// The record that the game came from, until a move is added to it.
    pub(crate) source: Option<GameRecord<B>>,
    pub(crate) is_unsaved: bool,
}

impl<B: Rules> LiveGame<B> {
    /// A game to be played from its current position, with stopped clocks.
    pub(crate) fn new(game: Game<B>, seats: [Option<Opponent>; 2], control: Option<GameClock>) -> Self {
        let times = seats.each_ref().map(|seat| Time::initial(own_clock(seat.as_ref()).or(control)));
        Self {
            game,
            seats,
            control,
            times,
            used_in_turn: Duration::ZERO,
            running_since: None,
            overstepping: None,
            notes: HashMap::new(),
            source: None,
            is_unsaved: false,
        }
    }

    pub(crate) fn turn(&self) -> Color {
        self.game.position().turn
    }

    /// Changes the player of a color. Its clock keeps running, unless one of the two has its own.
    pub(crate) fn set_seat(&mut self, color: Color, seat: Option<Opponent>) {
        let (before, after) = (own_clock(self.opponent(color)), own_clock(seat.as_ref()));
        if before != after {
            self.times[color as usize] = Time::initial(after.or(self.control));
        }
        self.seats[color as usize] = seat;
    }

    pub(crate) fn opponent(&self, color: Color) -> Option<&Opponent> {
        self.seats[color as usize].as_ref()
    }

    pub(crate) fn opponent_mut(&mut self, color: Color) -> Option<&mut Opponent> {
        self.seats[color as usize].as_mut()
    }

    pub(crate) fn is_person(&self, color: Color) -> bool {
        self.opponent(color).is_none()
    }

    pub(crate) fn player_name(&self, color: Color) -> String {
        self.opponent(color).map_or("you".to_owned(), Opponent::title)
    }

    pub(crate) fn swap_seats(&mut self) {
        self.seats.swap(0, 1);
        if self.seats.iter().flatten().any(|opponent| opponent.own_clock().is_some()) {
            self.times.swap(0, 1);
        }
    }

    pub(crate) fn control_of(&self, color: Color) -> Option<GameClock> {
        own_clock(self.opponent(color)).or(self.control)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.is_over() || self.out_of_time().is_some()
    }

    pub(crate) fn out_of_time(&self) -> Option<Color> {
        self.overstepping.as_ref().filter(|late| late.moves == self.game.moves()).map(|late| late.color)
    }

    pub(crate) fn note(&self, line: &[Square]) -> Option<&Annotation> {
        self.notes.get(line).filter(|note| !note.is_empty())
    }

    pub(crate) fn verdict(&self) -> String {
        diagram::verdict(&self.game.position(), self.out_of_time())
    }

    pub(crate) fn run_clock(&mut self, runs: bool, now: Duration) {
        if runs && self.running_since.is_none() {
            self.running_since = Some(now);
        } else if !runs {
            self.used_in_turn = self.time_of_turn(now);
            self.running_since = None;
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running_since.is_some()
    }

    /// Ends the turn of a side that has run out of time; returns whether it has just done so.
    pub(crate) fn look_at_clock(&mut self, now: Duration) -> bool {
        let is_out = !self.times[self.turn() as usize].has(self.time_of_turn(now));
        if !is_out || self.is_over() || self.running_since.is_none() {
            return false;
        }
        self.end_turn(now);
        true
    }

    /// Time on the clock of a color: the time left, or the time used where no limit is prescribed.
    pub(crate) fn clock_shown(&self, color: Color, now: Duration) -> Duration {
        let turn = if color == self.turn() { self.time_of_turn(now) } else { Duration::ZERO };
        self.times[color as usize].after(turn).shown()
    }

    /// The clock of the side to move as an engine sees it.
    pub(crate) fn clock_for_engine(&self, now: Duration) -> Option<GameClock> {
        match self.times[self.turn() as usize].after(self.time_of_turn(now)) {
            Time::Left(clock) => Some(clock),
            Time::Used(_) => None,
        }
    }

    fn time_of_turn(&self, now: Duration) -> Duration {
        let runs = self.running_since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.used_in_turn.saturating_add(runs)
    }

    /// Charges the side to move for its turn, which ends with a move or with its time, and stops the clock.
    fn end_turn(&mut self, now: Duration) {
        let (color, time) = (self.turn(), self.stop_turn(now));
        let before = self.times[color as usize];
        let is_in_time = before.has(time);
        self.times[color as usize] = if is_in_time { before.after_move(time) } else { before.after(time) };
        if !is_in_time {
            self.overstepping = Some(Overstepping { color, before, moves: self.game.moves() });
        }
    }

    /// Leaves a turn without a move: no time is added for it.
    fn leave_turn(&mut self, now: Duration) {
        let (turn, time) = (self.turn() as usize, self.stop_turn(now));
        if self.times[turn].has(time) {
            self.times[turn] = self.times[turn].after(time);
        }
    }

    /// Continues a game that was lost on time: the loser gets back what was left when its turn began.
    fn restore_time(&mut self) {
        if let Some(Overstepping { color, before, .. }) = self.overstepping.take() {
            self.times[color as usize] = before;
        }
    }

    /// Stops the clock at the end of a turn, and returns the time that the turn took.
    fn stop_turn(&mut self, now: Duration) -> Duration {
        let time = self.time_of_turn(now);
        self.used_in_turn = Duration::ZERO;
        self.running_since = None;
        time
    }

    /// Plays a move of the side to move, with the value that its player expects.
    pub(crate) fn play(
        &mut self,
        square: Square,
        value: Option<Estimate>,
        now: Duration,
    ) -> Result<(), IllegalMoveError> {
        let game = self.after(square)?;
        // A move elsewhere continues a game that was lost on time.
        self.restore_time();
        let time = self.time_of_turn(now);
        self.end_turn(now);
        self.advance(game, square);
        let moves = self.game.moves();
        if let Some(overstepping) = &mut self.overstepping {
            overstepping.moves.clone_from(&moves);
        }
        self.notes.entry(moves).or_insert_with(|| note(value, time));
        Ok(())
    }

    fn after(&self, square: Square) -> Result<Game<B>, IllegalMoveError> {
        let mut game = self.game.clone();
        game.play(square)?;
        Ok(game)
    }

    /// Goes to the position after a move, which makes the game another one if it is new.
    fn advance(&mut self, game: Game<B>, square: Square) {
        if !self.game.branches().contains(&square) {
            self.source = None;
            self.is_unsaved = true;
        }
        self.game = game;
    }

    /// Goes to another position of the game; false if there was none to go to. The time that the clocks have run is used.
    /// Only taking back a move restores the time of a side that had run out of it.
    pub(crate) fn go(&mut self, step: Step, now: Duration) -> bool {
        let Some(game) = self.reached_by(step) else { return false };
        self.leave_turn(now);
        if matches!(step, Step::TakeBack) && self.has_person() {
            self.restore_time();
        }
        self.game = game;
        true
    }

    /// Goes to the position after a move, which is a variation of the game from now on. The time that the clocks
    /// have run is used, and none is noted for the move.
    pub(crate) fn step_in(&mut self, square: Square, now: Duration) -> Result<(), IllegalMoveError> {
        let game = self.after(square)?;
        self.leave_turn(now);
        self.advance(game, square);
        Ok(())
    }

    /// Goes to the position after this number of moves of the line, which begins where the game does; false if it is not a
    /// line of the game.
    pub(crate) fn go_along(&mut self, line: &[Square], count: usize, now: Duration) -> bool {
        let mut game = self.game.clone();
        game.rewind();
        if line.iter().any(|&square| game.play(square).is_err()) {
            return false;
        }
        while game.move_count() > count && game.undo().is_some() {}
        self.leave_turn(now);
        self.game = game;
        true
    }

    pub(crate) fn has_person(&self) -> bool {
        self.is_person(Color::Black) || self.is_person(Color::White)
    }

    /// The game at the position that a step leads to, if there is one.
    pub(crate) fn reached_by(&self, step: Step) -> Option<Game<B>> {
        let is_persons_turn = |game: &Game<B>| self.is_person(game.position().turn);
        let mut game = self.game.clone();
        match step {
            // Back to the last position in which a person moves, if there is one.
            Step::TakeBack if self.has_person() => {
                while game.undo().is_some() && !is_persons_turn(&game) {}
                if !is_persons_turn(&game) {
                    return None;
                }
            }
            // Forward to the next one, or to the end.
            Step::PlayAgain if self.has_person() => while game.redo().is_some() && !is_persons_turn(&game) {},
            Step::TakeBack | Step::Back => drop(game.undo()),
            Step::PlayAgain | Step::Forward => drop(game.redo()),
            Step::ToStart => game.rewind(),
            Step::ToEnd => game.forward(),
            Step::Variation => change_variation(&mut game),
        }
        (game.moves() != self.game.moves()).then_some(game)
    }

    /// The moves that were tried beside the last one, in the order in which they came.
    pub(crate) fn variations(&self) -> Vec<Square> {
        let mut game = self.game.clone();
        if game.undo().is_none() { Vec::new() } else { game.branches() }
    }

    /// Replaces the game, with fresh clocks. Engines without a level play by the clock, so that they need
    /// a level if the new game has no clock.
    pub(crate) fn restart(&mut self, game: Game<B>, control: Option<GameClock>) {
        let seats = self.seats.clone().map(|seat| {
            let Opponent { notation, name, level } = seat?;
            Some(Opponent::new(notation, name, level, control.is_some()))
        });
        *self = Self::new(game, seats, control);
    }

    pub(crate) fn load(&mut self, record: GameRecord<B>) {
        let mut game = record.game.clone();
        game.forward();
        self.restart(game, self.control);
        self.notes = self.noted(&record);
        self.source = Some(record);
    }

    /// Continues a game from an earlier session, with the notes of its record and the times on the clocks.
    pub(crate) fn resume(&mut self, record: &GameRecord<B>, clocks: [Duration; 2]) {
        self.notes = self.noted(record);
        let is_played_here = record.place == PLACE;
        self.source = (!is_played_here).then(|| record.clone());
        self.is_unsaved = is_played_here && !self.game.line().is_empty();
        for (time, shown) in self.times.iter_mut().zip(clocks) {
            match time {
                Time::Left(clock) => clock.remaining = shown,
                Time::Used(used) => *used = shown,
            }
        }
    }

    fn noted(&self, record: &GameRecord<B>) -> HashMap<Vec<Square>, Annotation> {
        let noted = record.annotations.iter().enumerate().filter(|(_, note)| !note.is_empty());
        let lines = self.lines();
        noted.filter_map(|(ply, note)| Some((lines.get(ply)?.clone()?, note.clone()))).collect()
    }

    /// For every ply of the whole line the moves up to and including it; nothing for a pass.
    pub(crate) fn lines(&self) -> Vec<Option<Vec<Square>>> {
        let mut end = self.game.clone();
        end.forward();
        let mut moves = Vec::new();
        let line = |ply: othello::Ply| {
            moves.push(ply.square?);
            Some(moves.clone())
        };
        end.plies().into_iter().map(line).collect()
    }

    /// The record of the game; the date is that of a game that was played here.
    pub(crate) fn record(&self, date: Option<Date>) -> GameRecord<B> {
        if let Some(source) = &self.source {
            return GameRecord { game: self.game.clone(), ..source.clone() };
        }
        let [black, white] = [Color::Black, Color::White].map(|color| self.player_name(color));
        let mut end = self.game.clone();
        end.forward();
        let late = self.overstepping.as_ref().filter(|late| late.moves == end.moves());
        let area = B::GEOMETRY.area() as i8;
        let lost = late.map(|late| Score::new(if late.color == Color::Black { -area } else { area }));
        let controls = [Color::Black, Color::White].map(|color| self.control_of(color));
        let clock = controls[0].filter(|_| controls[0] == controls[1]);
        let mut record = GameRecord {
            black,
            white,
            place: PLACE.to_owned(),
            date,
            result: lost.or(end.score()),
            ending: late.map(|_| Ending::Timeout),
            time_control: clock.map(|GameClock { remaining, increment }| TimeControl {
                initial: remaining,
                increment,
                ..TimeControl::default()
            }),
            ..GameRecord::new(self.game.clone())
        };
        for (ply, line) in self.lines().into_iter().enumerate() {
            if let Some(note) = line.and_then(|line| self.note(&line)) {
                record.annotate(ply, note.clone());
            }
        }
        record
    }
}

/// The clock that an engine brings, in place of that of the game.
fn own_clock(opponent: Option<&Opponent>) -> Option<GameClock> {
    opponent.and_then(Opponent::own_clock)
}

/// The note on a move, as in the records of matches: whole milliseconds, and only values in discs.
fn note(value: Option<Estimate>, time: Duration) -> Annotation {
    let evaluation = match value {
        Some(Estimate::Solved(score)) => Some(f64::from(score.discs())),
        Some(Estimate::Discs { hundredths }) => Some(f64::from(hundredths) / 100.0),
        _ => None,
    };
    let time = Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    Annotation { evaluation, time: Some(time), comment: String::new() }
}

fn change_variation<B: Rules>(game: &mut Game<B>) {
    let Some(last) = game.undo() else { return };
    let branches = game.branches();
    let index = branches.iter().position(|&square| square == last).unwrap_or(0);
    let next = branches.get((index + 1) % branches.len().max(1)).copied().unwrap_or(last);
    // A branch of the tree is a legal move.
    let _ = game.play(next);
}

#[cfg(test)]
mod tests {
    use othello::Board;
    use players::PlayerNotation;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn engine(text: &str) -> Option<Opponent> {
        let notation: PlayerNotation = text.parse().expect("a player");
        let name = notation.label();
        Some(Opponent::new(Box::new(notation), name, None, false))
    }

    fn live(control: Option<GameClock>) -> LiveGame<Board> {
        LiveGame::new(Game::new(), [None, engine("random")], control)
    }

    fn play(live: &mut LiveGame<Board>, moves: &str, now: Duration) {
        for name in moves.split(' ') {
            live.play(name.parse().expect("a square"), None, now).expect("a legal move");
        }
    }

    /// The times on Black's and White's clock.
    fn shown(live: &LiveGame<Board>, now: Duration) -> [Duration; 2] {
        [Color::Black, Color::White].map(|color| live.clock_shown(color, now))
    }

    fn notes(live: &LiveGame<Board>) -> Vec<(Option<f64>, Option<Duration>)> {
        live.record(None).annotations.iter().map(|note| (note.evaluation, note.time)).collect()
    }

    fn moves(live: &LiveGame<Board>) -> String {
        live.game.moves().iter().map(Square::to_string).collect()
    }

    #[test]
    fn a_clock_runs_down_for_the_side_to_move_alone_and_can_be_stopped() {
        let control = GameClock { remaining: 10 * SECOND, increment: 2 * SECOND };
        let mut live = live(Some(control));
        live.run_clock(true, SECOND);
        assert_eq!(shown(&live, 4 * SECOND), [7 * SECOND, 10 * SECOND]);
        live.run_clock(false, 4 * SECOND);
        assert_eq!(live.clock_shown(Color::Black, 100 * SECOND), 7 * SECOND);
        live.run_clock(true, 100 * SECOND);
        play(&mut live, "f5", 101 * SECOND);
        // Four seconds used, two added.
        assert_eq!(live.clock_shown(Color::Black, 200 * SECOND), 8 * SECOND);
        assert_eq!(live.clock_for_engine(200 * SECOND), Some(control));
        live.run_clock(true, 200 * SECOND);
        assert!(!live.look_at_clock(210 * SECOND));
        assert!(live.look_at_clock(211 * SECOND));
        assert!(live.is_over() && live.verdict().contains("White has run out of time: Black wins."));
        assert!(!live.look_at_clock(212 * SECOND), "once is enough");
        assert_eq!(live.clock_shown(Color::White, 212 * SECOND), Duration::ZERO);
        assert!(live.go(Step::TakeBack, 212 * SECOND));
        assert!(!live.is_over());
    }

    #[test]
    fn stepping_through_a_game_adds_no_time() {
        let control = GameClock { remaining: 10 * SECOND, increment: 3 * SECOND };
        let mut live = live(Some(control));
        play(&mut live, "f5 d6", SECOND);
        assert_eq!(shown(&live, SECOND), [13 * SECOND, 13 * SECOND]);
        for step in [Step::Back, Step::Forward, Step::ToStart, Step::ToEnd, Step::TakeBack, Step::PlayAgain] {
            assert!(live.go(step, SECOND), "{step:?}");
            assert_eq!(shown(&live, SECOND), [13 * SECOND, 13 * SECOND], "{step:?}");
        }
        // The time that the side to move has used until then is charged.
        live.run_clock(true, SECOND);
        assert!(live.go(Step::Back, 5 * SECOND));
        assert_eq!(shown(&live, SECOND), [9 * SECOND, 13 * SECOND]);
    }

    #[test]
    fn who_has_run_out_of_time_and_takes_back_has_what_was_left_when_the_turn_began() {
        let control = GameClock { remaining: 10 * SECOND, increment: 2 * SECOND };
        let mut live = live(Some(control));
        live.run_clock(true, Duration::ZERO);
        play(&mut live, "f5", 4 * SECOND);
        play(&mut live, "d6", 4 * SECOND);
        live.run_clock(true, 4 * SECOND);
        assert!(live.look_at_clock(13 * SECOND));
        assert_eq!(live.out_of_time(), Some(Color::Black));
        assert_eq!(live.clock_shown(Color::Black, 13 * SECOND), Duration::ZERO);
        assert!(live.go(Step::TakeBack, 14 * SECOND));
        assert_eq!((live.out_of_time(), live.clock_shown(Color::Black, 14 * SECOND)), (None, 8 * SECOND));
        // A key that comes between the last moment and the next look at the clock takes back as well.
        play(&mut live, "f5 d6", 14 * SECOND);
        live.run_clock(true, 14 * SECOND);
        assert!(live.go(Step::TakeBack, 25 * SECOND));
        assert_eq!(live.clock_shown(Color::Black, 25 * SECOND), 10 * SECOND);
        // The same for a side that lost by a move that came too late.
        live.run_clock(true, 25 * SECOND);
        play(&mut live, "f5", 36 * SECOND);
        assert_eq!((live.out_of_time(), live.turn()), (Some(Color::Black), Color::White));
        assert!(live.go(Step::TakeBack, 36 * SECOND));
        assert_eq!(live.clock_shown(Color::Black, 36 * SECOND), 10 * SECOND);
    }

    #[test]
    fn a_game_that_was_lost_on_time_stays_lost_while_it_is_stepped_through() {
        let mut live = live(Some(GameClock::new(10 * SECOND)));
        play(&mut live, "f5 d6", SECOND);
        live.run_clock(true, SECOND);
        assert!(live.look_at_clock(12 * SECOND));
        assert!(live.go(Step::Back, 12 * SECOND));
        assert!(!live.is_over(), "it is an earlier position");
        assert!(live.go(Step::ToEnd, 13 * SECOND));
        assert_eq!((live.is_over(), live.out_of_time()), (true, Some(Color::Black)));
        let record = live.record(None);
        assert_eq!((record.result, record.ending), (Some(Score::new(-64)), Some(Ending::Timeout)));
        // Another move continues the game, which is no longer lost.
        assert!(live.go(Step::Back, 14 * SECOND));
        play(&mut live, "f6", 14 * SECOND);
        assert_eq!((live.is_over(), live.clock_shown(Color::Black, 14 * SECOND)), (false, 10 * SECOND));
        assert_eq!(live.record(None).ending, None);
    }

    #[test]
    fn a_record_has_the_clock_the_time_of_every_move_and_what_engines_expected() {
        let control = GameClock { remaining: 60 * SECOND, increment: 2 * SECOND };
        let mut live = live(Some(control));
        live.run_clock(true, SECOND);
        play(&mut live, "f5", 4 * SECOND);
        live.run_clock(true, 4 * SECOND);
        let value = Some(Estimate::Discs { hundredths: -125 });
        live.play("d6".parse().expect("a square"), value, 5 * SECOND).expect("legal");
        let clock = TimeControl { initial: 60 * SECOND, increment: 2 * SECOND, ..TimeControl::default() };
        assert_eq!(live.record(None).time_control, Some(clock));
        assert_eq!(notes(&live), [(None, Some(3 * SECOND)), (Some(-1.25), Some(SECOND))]);
        // A variation has notes of its own, and the moves before it keep theirs.
        live.go(Step::Back, 6 * SECOND);
        live.run_clock(true, 6 * SECOND);
        play(&mut live, "f6", 8 * SECOND);
        assert_eq!(notes(&live), [(None, Some(3 * SECOND)), (None, Some(2 * SECOND))]);
    }

    #[test]
    fn moves_of_a_loaded_game_keep_their_notes_when_it_is_played_on() {
        let mut record = GameRecord::<Board>::new(Game::new());
        record.game.play("f5".parse().expect("a square")).expect("legal");
        record.annotate(0, Annotation { evaluation: Some(1.5), time: Some(SECOND), comment: "bold".to_owned() });
        let noted = record.annotations.clone();
        let mut live = live(None);
        live.load(record);
        assert_eq!(live.record(None).annotations, noted);
        play(&mut live, "d6", SECOND);
        assert_eq!(live.record(None).annotations[0], noted[0]);
    }

    #[test]
    fn a_player_that_brings_its_own_clock_plays_by_it() {
        let mut live = LiveGame::<Board>::new(Game::new(), [None, engine("emilia@level=8,time=1m+1s")], None);
        assert_eq!(shown(&live, SECOND), [Duration::ZERO, 60 * SECOND]);
        play(&mut live, "f5", SECOND);
        let clock = GameClock { remaining: 60 * SECOND, increment: SECOND };
        assert_eq!(live.clock_for_engine(SECOND), Some(clock));
        live.set_seat(Color::White, engine("emilia"));
        assert_eq!(live.clock_for_engine(SECOND), None);
    }

    #[test]
    fn without_a_clock_the_time_used_is_shown() {
        let mut live = live(None);
        live.run_clock(true, SECOND);
        assert_eq!(live.clock_shown(Color::Black, 3 * SECOND), 2 * SECOND);
        play(&mut live, "f5", 4 * SECOND);
        assert_eq!(live.clock_shown(Color::Black, 9 * SECOND), 3 * SECOND);
        assert_eq!(live.clock_for_engine(9 * SECOND), None);
    }

    #[test]
    fn the_person_takes_back_a_whole_turn_and_may_step_through_every_move() {
        let mut live = live(None);
        play(&mut live, "f5 d6 c3 d3", SECOND);
        let go = |live: &mut LiveGame<Board>, step| (live.go(step, SECOND), moves(live));
        assert_eq!(go(&mut live, Step::TakeBack), (true, "f5d6".to_owned()));
        assert_eq!(go(&mut live, Step::Back), (true, "f5".to_owned()));
        assert_eq!(go(&mut live, Step::ToStart), (true, String::new()));
        assert_eq!(go(&mut live, Step::TakeBack), (false, String::new()));
        assert_eq!(go(&mut live, Step::PlayAgain), (true, "f5d6".to_owned()));
        assert_eq!(go(&mut live, Step::ToEnd), (true, "f5d6c3d3".to_owned()));
        assert!(!go(&mut live, Step::Forward).0);
    }

    #[test]
    fn variations_are_gone_through_in_turn() {
        let mut live = live(None);
        play(&mut live, "f5 d6", SECOND);
        assert!(!live.go(Step::Variation, SECOND), "there is only one");
        live.go(Step::Back, SECOND);
        play(&mut live, "f6", SECOND);
        live.go(Step::Back, SECOND);
        play(&mut live, "f4", SECOND);
        assert_eq!(live.variations().len(), 3);
        for expected in ["f5d6", "f5f6", "f5f4"] {
            assert!(live.go(Step::Variation, SECOND));
            assert_eq!(moves(&live), expected);
        }
    }

    #[test]
    fn a_loaded_game_keeps_its_record_until_it_is_changed() {
        let mut live = live(None);
        let mut record = GameRecord::new(Game::new());
        record.game.play("f5".parse().expect("a square")).expect("legal");
        record.black = "Rosenbloom".to_owned();
        live.load(record);
        assert_eq!((moves(&live).as_str(), live.is_unsaved), ("f5", false));
        live.go(Step::Back, SECOND);
        play(&mut live, "f5", SECOND);
        assert_eq!(live.record(None).black, "Rosenbloom");
        play(&mut live, "d6", SECOND);
        assert!(live.is_unsaved);
        assert_eq!((live.record(None).black, live.record(None).white), ("you".to_owned(), "random".to_owned()));
    }
}
