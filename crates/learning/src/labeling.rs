//! Labeling: from games to labeled positions, sorted by the number of empty squares, fewest first.
//!
//! In this order the value of a position in the graph of all games follows from the positions labeled just before, so
//! that only two numbers of empty squares are kept in memory; and a training, which begins with the end of the game,
//! too, finds its positions side by side. Everything about a position follows from the games and the options, not from
//! the threads: an interrupted job reads the labels already written and computes the rest.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use control::{Control, Stop};
use evaluation::Value;
use jobs::{InvalidJob, Work, Worker};
use othello::random::Random;
use othello::{Board, Rules, Score, squares};
use players::weights::EvaluationId;
use search::{CompiledSearch, HashTable, Question, Searcher, solving};
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;

use crate::error::{LearnError, Result};
use crate::game_store::GameReader;
use crate::job_kinds;
use crate::label_store::{LabelSource, LabelStore, MAX_STORES};
use crate::labels::{LabeledPosition, Labels};
use crate::material::chained;
use crate::parallel;
use crate::played_game::{GameInProgress, PlayedGame};
use crate::provenance::SearchSource;
use crate::shallow_search::ShallowSearch;
use crate::workforce::Workforce;

/// A game, and how far it was played exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameToLabel {
    /// The game.
    pub game: PlayedGame,
    /// The number of empty squares from which it was played exactly; 0 if unknown.
    pub exact_from: u8,
}

/// The requested labels and positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The number of empty squares from which scores are exact; 0 for none.
    pub exact_from: u32,
    /// Whether to compute the values in the graph of all games.
    pub tree: bool,
    /// The depth of the search for values, if requested.
    pub depth: Option<u32>,
    /// The numbers of empty squares of the positions.
    pub empties: RangeInclusive<u32>,
    /// The number of moves tried at random at every position of a game besides the one played: the positions after them
    /// have a search value, but no score. None of them has as few empty squares as positions with exact scores.
    pub nearby: u32,
}

/// Everything that determines the labels.
#[derive(Clone, Debug)]
pub struct LabelJob<'a, E> {
    /// Stores of games.
    pub stores: Vec<PathBuf>,
    /// Use only the first games of all stores, up to this number.
    pub first: Option<u64>,
    /// The labels to compute.
    pub wanted: Wanted,
    /// The evaluation of the searches.
    pub evaluation: &'a E,
    /// The identity of that evaluation.
    pub evaluation_id: EvaluationId,
    /// The number of threads.
    pub threads: usize,
}

/// A job in progress: its games are read and its store is open.
#[derive(Debug)]
pub struct LabelRun<'a, E> {
    /// The store to which positions are added.
    pub store: LabelStore,
    labeling: Labeling<'a, E>,
}

#[derive(Default)]
struct Games {
    games: Vec<GameToLabel>,
    /// The number of games from each store.
    counts: Vec<u64>,
    checksum: u32,
}

impl<'a, E: CompiledSearch> LabelJob<'a, E> {
    /// Reads the games and opens the store, which is resumed if it exists.
    pub fn begin(&self, output: &Path, stop: &Stop) -> Result<LabelRun<'a, E>> {
        if self.stores.len() > MAX_STORES {
            return Err(LearnError::TooManyStores);
        }
        // A store may have grown since this job began: it continues with the games that existed then.
        let before = LabelStore::source(output)?;
        let limits = before.map(|source| source.games).filter(|games| games.len() == self.stores.len());
        let games = self.read(limits.as_deref(), stop)?;
        if stop.is_set() {
            return Err(LearnError::Interrupted);
        }
        if games.games.is_empty() {
            return Err(LearnError::NoGames("take positions from"));
        }
        let store = LabelStore::open(output, &self.source(&games))?;
        let Self { ref wanted, evaluation, threads, .. } = *self;
        let labeling = Labeling { games: games.games, wanted: wanted.clone(), evaluation, threads };
        Ok(LabelRun { store, labeling })
    }

    /// The games of all stores, from each as many as there were when the job began.
    fn read(&self, limits: Option<&[u64]>, stop: &Stop) -> Result<Games> {
        let mut games = Games::default();
        let mut left = self.first.unwrap_or(u64::from(u32::MAX));
        for (index, path) in self.stores.iter().enumerate() {
            let most = limits.map_or(left, |limits| limits[index].min(left));
            let mut reader = GameReader::open(path)?;
            let mut count = 0;
            while count < most && !stop.is_set() {
                let Some(stored) = reader.next().transpose()? else { break };
                games.checksum = chained(games.checksum, &stored.game);
                games.games.push(reader.with_source(stored)?);
                count += 1;
            }
            left -= count;
            games.counts.push(count);
        }
        let is_too_many = left == 0 && self.first.is_none_or(|first| first > u64::from(u32::MAX));
        if is_too_many { Err(LearnError::TooManyGames) } else { Ok(games) }
    }

    /// Everything that determines the labels.
    fn source(&self, games: &Games) -> LabelSource {
        let Wanted { exact_from, tree, depth, empties, nearby } = &self.wanted;
        LabelSource {
            games: games.counts.clone(),
            games_checksum: games.checksum,
            empties: empties.clone().into_inner(),
            corrected_from: (*exact_from > 0).then_some(*exact_from),
            tree: *tree,
            nearby: *nearby,
            search: depth.map(|depth| SearchSource { depth, evaluation: self.evaluation_id }),
        }
    }
}

impl<E: CompiledSearch> LabelRun<'_, E> {
    /// Labels the positions that are missing in the store, until it is stopped or the observer breaks.
    pub fn run(&mut self, workforce: &Workforce<'_>, watch: &mut Watch<'_>) -> Result<()> {
        self.labeling.run(&mut self.store, workforce, watch)?;
        if workforce.stop.is_set() { Err(LearnError::Interrupted) } else { Ok(()) }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Labeling<'a, E> {
    /// The games; a game's number is its index.
    pub(crate) games: Vec<GameToLabel>,
    pub(crate) wanted: Wanted,
    /// The evaluation of the searches.
    pub(crate) evaluation: &'a E,
    /// The number of threads that replay games; a workforce searches.
    pub(crate) threads: usize,
}

/// The progress of labeling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of empty squares of the current positions.
    pub empties: u32,
    /// The number of positions with this number of empty squares.
    pub positions: usize,
    /// The number of these that are labeled.
    pub labeled: usize,
    /// The number of positions labeled by this run.
    pub new: u64,
    /// Whether something was written since the last event.
    pub is_written: bool,
}

/// The number of positions that are labeled at a time: few, so that all threads finish at about the same time.
const PORTION: usize = 64;

/// The number of buckets of the hash table of a solver: 4 MB.
const TABLE_BUCKETS: usize = 1 << 16;

/// A position to be labeled, up to symmetry.
#[derive(Clone, Copy)]
struct Subject {
    board: Board,
    /// The number of the first game with the position.
    game: u32,
    outcome: Option<Score>,
    corrected: Option<Score>,
    exact: Option<Score>,
    /// The value of the move that was played, if known: a lower bound on the exact score.
    least: Option<Score>,
    /// Whether a player, and not chance, chose a move that leads to a position with a value in the graph.
    is_chosen: bool,
}

struct Occurrence {
    subject: Subject,
    is_black: bool,
}

/// The index of each position, up to symmetry.
type Places = HashMap<Board, u32, BuildHasherDefault<BoardHasher>>;

/// The positions with one number of empty squares.
struct Level {
    places: Places,
    /// The positions in the order of their first occurrence.
    subjects: Vec<Subject>,
    /// For every game with such a position: its number, whether Black is to move, and the index of the position.
    occurrences: Vec<(u32, bool, u32)>,
}

/// The values of the positions with one empty square less in the graph of all games.
#[derive(Default)]
struct Graph {
    places: Places,
    values: Vec<Option<Score>>,
}

impl Graph {
    /// The value of a position for the side to move.
    fn value(&self, board: &Board) -> Option<Score> {
        self.places.get(&board.canonical()).and_then(|&place| self.values[place as usize])
    }
}

#[derive(Clone, Copy)]
struct Scores {
    outcome: Score,
    /// The score after correcting the end of the game so far.
    corrected: Score,
}

struct Run<'r, 'w> {
    store: &'r mut LabelStore,
    workforce: &'r Workforce<'r>,
    watch: &'r mut Watch<'w>,
    /// The number of positions labeled so far.
    new: u64,
}

/// An observer of the progress, which may end the run.
pub type Watch<'w> = dyn FnMut(&LabelStore, &Progress) -> ControlFlow<()> + 'w;

/// A hash of boards that is faster than the default one; boards are not chosen by an attacker.
#[derive(Default)]
struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

/// The games, processed one number of empty squares at a time. Not generic, so that it is compiled only once.
#[derive(Clone, Copy)]
struct Replay<'r> {
    games: &'r [GameToLabel],
    wanted: &'r Wanted,
    threads: usize,
}

impl Replay<'_> {
    /// The minimum number of empty squares to process: games that are exact to the end need no later positions.
    fn first(&self) -> u32 {
        let Wanted { exact_from, tree, empties, .. } = &self.wanted;
        match (*exact_from, *tree) {
            (0, true) => 1,
            (0, false) => *empties.start(),
            (exact_from, _) => exact_from.min(*empties.start()),
        }
    }

    /// The positions with this number of empty squares, in the order of the games.
    fn occurrences(&self, empties: u32, scores: &[Scores], graph: &Graph) -> Vec<Occurrence> {
        let size = self.games.len().div_ceil(self.threads.max(1)).max(1);
        let firsts: Vec<usize> = (0..self.games.len()).step_by(size).collect();
        let parts: Vec<Vec<Occurrence>> = parallel::map(&firsts, self.threads, |&first| {
            let games = self.games.iter().zip(scores).enumerate().skip(first).take(size);
            games.filter_map(|(n, (game, scores))| self.occurrence(n, game, *scores, empties, graph)).collect()
        });
        let mut nearby: Vec<Vec<Occurrence>> = Vec::new();
        if self.wanted.nearby > 0 && empties > self.wanted.exact_from {
            nearby = parallel::map(&firsts, self.threads, |&first| {
                let games = self.games.iter().enumerate().skip(first).take(size);
                games.filter_map(|(number, game)| self.nearby(number, &game.game, empties)).flatten().collect()
            });
        }
        // Positions of games come first: a position that is in a game belongs to the game.
        parts.into_iter().chain(nearby).flatten().collect()
    }

    /// Positions with this number of empty squares after other moves than the one played in a game.
    fn nearby(&self, number: usize, game: &PlayedGame, empties: u32) -> Option<Vec<Occurrence>> {
        let ply = 59_usize.checked_sub(empties as usize)?;
        let played = *game.moves().get(ply)?;
        let before = GameInProgress::after(&game.moves()[..ply])?;
        let mut others = before.board.moves() & !played.bit();
        let mut random = Random::of_item(number as u64, ply as u64);
        let mut found = Vec::new();
        for _ in 0..self.wanted.nearby.min(others.count_ones()) {
            let square = squares(others).nth(random.below_u32(others.count_ones()) as usize)?;
            others &= !square.bit();
            let mut line = before;
            if line.play(square).is_some() && line.board.can_move() {
                let (board, game) = (line.board.canonical(), number as u32);
                let (outcome, corrected, exact, least) = (None, None, None, None);
                let subject = Subject { board, game, outcome, corrected, exact, least, is_chosen: false };
                found.push(Occurrence { subject, is_black: line.is_black });
            }
        }
        Some(found)
    }

    /// The occurrence in a game of a position with this number of empty squares.
    fn occurrence(
        &self,
        number: usize,
        game: &GameToLabel,
        scores: Scores,
        empties: u32,
        graph: &Graph,
    ) -> Option<Occurrence> {
        let GameToLabel { game, exact_from } = game;
        let ply = 60 - empties as usize;
        let square = *game.moves().get(ply)?;
        let mut line = GameInProgress::after(&game.moves()[..ply])?;
        let GameInProgress { board, is_black } = line;
        let of_side = |score: Score| if is_black { score } else { -score };
        let chance = game.left_to_chance() >> ply;
        let outcome = (chance == 0).then(|| of_side(scores.outcome));
        let exact = outcome.filter(|_| empties <= u32::from(*exact_from));
        // Moves after the first exact position change nothing.
        let until_exact = empties.saturating_sub(self.wanted.exact_from).min(63);
        let is_sound = self.wanted.exact_from > 0 && chance & ((1 << until_exact) - 1) == 0;
        let mut is_chosen = false;
        if self.wanted.tree && chance & 1 == 0 {
            line.play(square)?;
            is_chosen = !line.board.can_move() || graph.value(&line.board).is_some();
        }
        let corrected = is_sound.then(|| of_side(scores.corrected));
        // From the second number of empty squares on, the score of the game is exact.
        let least = (empties > self.first()).then(|| of_side(scores.corrected));
        let (board, game) = (board.canonical(), number as u32);
        let subject = Subject { board, game, outcome, corrected, exact, least, is_chosen };
        Some(Occurrence { subject, is_black })
    }
}

impl<E: CompiledSearch> Labeling<'_, E> {
    /// Labels all requested positions that the store does not have, until it is stopped or `watch` breaks.
    pub(crate) fn run(&self, store: &mut LabelStore, workforce: &Workforce<'_>, watch: &mut Watch<'_>) -> Result<()> {
        if store.is_complete() {
            return Ok(());
        }
        let mut scores = scores_of(&self.games);
        let replay = Replay { games: &self.games, wanted: &self.wanted, threads: self.threads };
        let mut graph = Graph::default();
        let mut run = Run { store, workforce, watch, new: 0 };
        for empties in replay.first()..=*self.wanted.empties.end() {
            let Level { places, subjects, occurrences } = distinct(replay.occurrences(empties, &scores, &graph));
            let labels = self.label(empties, &subjects, &graph, &mut run)?;
            if labels.len() < subjects.len() {
                return Err(LearnError::Interrupted);
            }
            if empties <= self.wanted.exact_from {
                for (game, is_black, place) in occurrences {
                    if let Some(score) = labels[place as usize].corrected {
                        scores[game as usize].corrected = if is_black { score } else { -score };
                    }
                }
            }
            graph = Graph { places, values: labels.iter().map(|labels| labels.tree).collect() };
        }
        run.store.finish()
    }

    /// Labels the positions, except those that the store has, and adds them to it. Returns the labels in order; only
    /// those of the first positions if it was stopped.
    fn label(&self, empties: u32, subjects: &[Subject], graph: &Graph, run: &mut Run<'_, '_>) -> Result<Vec<Labels>> {
        let known = run.store.written(empties)?;
        let is_same =
            |(known, subject): (&LabeledPosition, &Subject)| known.board == subject.board && known.game == subject.game;
        if known.len() > subjects.len() || !known.iter().zip(subjects).all(is_same) {
            return Err(run.store.differs("it has positions that are not in the games"));
        }
        let is_wanted = self.wanted.empties.contains(&empties);
        let mut labels: Vec<Labels> = known.iter().map(|position| position.labels).collect();
        let rest = &subjects[labels.len()..];
        let portions: Vec<&[Subject]> = rest.chunks(PORTION).collect();
        let is_exact = empties <= self.wanted.exact_from;
        let depth = self.wanted.depth.filter(|_| is_wanted);
        // Known here, and quick to find.
        let in_graph = |portion: &&[Subject]| -> Vec<Option<Score>> {
            portion.iter().map(|subject| tree_value(subject, graph)).collect()
        };
        let has_graph = self.wanted.tree && !is_exact;
        let tree = if has_graph { parallel::map(&portions, self.threads, in_graph) } else { Vec::new() };
        let work =
            LabelWork { parameters: LabelParameters { is_exact, depth, positions: None }, evaluation: self.evaluation };
        let items = |number: u64| -> Vec<LabelQuestion> {
            let portion = portions.get(number as usize).copied().unwrap_or_default();
            portion.iter().map(|subject| LabelQuestion::of(subject, &work.parameters)).collect()
        };
        let parameters = || LabelParameters { positions: Some(positions_id(rest)), ..work.parameters };
        let numbers = 0..portions.len() as u64;
        let mut failed = None;
        let workforce = run.workforce;
        let done = workforce.run(&work, job_kinds::LABELS, &items, &parameters, numbers, |number, answers| {
            let first = labels.len();
            let portion = portions[number as usize];
            let tree = tree.get(number as usize).map_or(&[][..], Vec::as_slice);
            let portion = portion.iter().zip(answers).enumerate();
            labels.extend(portion.map(|(index, (subject, answer))| {
                let tree = tree.get(index).copied().flatten();
                self.wanted.labels(subject, &work.parameters, answer, tree)
            }));
            let (positions, labeled) = (subjects.len(), labels.len());
            let mut write = || -> Result<ControlFlow<()>> {
                let mut is_written = is_wanted && run.write(subjects, &labels, first)?;
                if is_wanted && labeled == positions {
                    run.store.flush()?;
                    is_written = true;
                }
                let progress = Progress { empties, positions, labeled, new: run.new, is_written };
                Ok((run.watch)(run.store, &progress))
            };
            let flow = write();
            if !matches!(flow, Ok(ControlFlow::Continue(()))) {
                failed = Some(flow.err().unwrap_or(LearnError::Interrupted));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        failed.map_or(Ok(()), Err)?;
        done?;
        Ok(labels)
    }
}

impl Wanted {
    /// The labels of a position, given what was searched for it and its value in the graph.
    fn labels(
        &self,
        subject: &Subject,
        parameters: &LabelParameters,
        answer: Option<i32>,
        in_graph: Option<Score>,
    ) -> Labels {
        let Subject { outcome, corrected, exact, .. } = *subject;
        let labels = Labels { outcome, corrected, ..Labels::default() };
        if !parameters.is_exact {
            return Labels { tree: in_graph, search: answer.map(Value::new), ..labels };
        }
        let exact = exact.or(answer.map(|score| Score::new(score as i8)));
        Labels {
            corrected: exact,
            tree: exact.filter(|_| self.tree),
            search: exact.filter(|_| parameters.depth.is_some()).map(Value::of_score),
            ..labels
        }
    }
}

impl Run<'_, '_> {
    /// Adds the positions from index `first` on to the store; returns whether a block was written.
    fn write(&mut self, subjects: &[Subject], labels: &[Labels], first: usize) -> Result<bool> {
        let mut is_written = false;
        for (&Subject { board, game, .. }, &labels) in subjects.iter().zip(labels).skip(first) {
            is_written |= self.store.add(&LabeledPosition { board, game, labels })?;
            self.new += 1;
        }
        Ok(is_written)
    }
}

/// Which values of positions are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelParameters {
    /// Whether the exact score is searched for, and not the value of a search.
    is_exact: bool,
    depth: Option<u32>,
    /// Identifies the positions if they are sent elsewhere.
    positions: Option<u64>,
}

/// A position whose value is searched for; none if it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LabelQuestion(Option<(u64, u64, Option<i8>)>);

impl LabelQuestion {
    fn of(subject: &Subject, parameters: &LabelParameters) -> Self {
        let Subject { board, exact, least, .. } = subject;
        let is_known = if parameters.is_exact { exact.is_some() } else { parameters.depth.is_none() };
        let least = least.filter(|_| parameters.is_exact).map(|least| least.discs() as i8);
        Self((!is_known).then_some((board.player, board.opponent, least)))
    }
}

fn positions_id(subjects: &[Subject]) -> u64 {
    fnv1a(subjects.iter().map(|subject| {
        let Subject { board, exact, least, .. } = subject;
        let known = [exact, least].map(|score| score.map_or(i8::MAX, |score| score.discs() as i8) as u8);
        [&board.player.to_le_bytes()[..], &board.opponent.to_le_bytes(), &known].concat()
    }))
}

/// Searches for the values of positions: exact scores in discs, or values in their parts.
#[derive(Debug)]
pub(crate) struct LabelWork<E> {
    pub(crate) parameters: LabelParameters,
    pub(crate) evaluation: E,
}

impl<E: CompiledSearch> Work for LabelWork<E> {
    type Item = Vec<LabelQuestion>;
    type Output = Vec<Option<i32>>;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, Self::Item, Self::Output> {
        let table = HashTable::with_buckets(TABLE_BUCKETS).expect("a small table");
        let solver = Searcher::new(&self.evaluation, table, 1);
        let mut shallow = ShallowSearch::new(&self.evaluation);
        let LabelParameters { is_exact, depth, .. } = self.parameters;
        let mut answer = move |LabelQuestion(question)| {
            if stop.is_set() {
                return None;
            }
            let Some((player, opponent, least)) = question else { return Some(None) };
            let board = Board::new(player, opponent);
            match depth {
                _ if is_exact => {
                    let score = solve(&solver, &board, least.map(Score::new), stop)?;
                    Some(Some(score.discs()))
                }
                Some(depth) => Some(Some(shallow.value(&board, depth).parts())),
                None => Some(None),
            }
        };
        Box::new(move |_, questions| questions.into_iter().map(&mut answer).collect())
    }

    fn check(&self, _: u64, questions: &Self::Item, answers: &Self::Output) -> Result<(), InvalidJob> {
        let is_possible = |(question, answer): (&LabelQuestion, &Option<i32>)| match (question.0, answer) {
            (Some((.., least)), Some(score)) if self.parameters.is_exact => {
                (i32::from(least.unwrap_or(-64))..=64).contains(score)
            }
            (Some(_), Some(value)) => (Value::MIN.parts()..=Value::MAX.parts()).contains(value),
            (question, answer) => question.is_none() && answer.is_none(),
        };
        if questions.len() == answers.len() && questions.iter().zip(answers).all(is_possible) {
            Ok(())
        } else {
            Err("impossible values".into())
        }
    }

    fn is_spot_checked(&self) -> bool {
        true
    }
}

fn solve<E: CompiledSearch>(solver: &Searcher<E>, board: &Board, least: Option<Score>, stop: &Stop) -> Option<Score> {
    let control = Control::new().with_stop(stop.clone());
    let window = least.map(|least| (Value::of_score(least).parts(), Value::INFINITE.parts()));
    let question = Question { window, ..Question::default() };
    let empty_count = board.empty_count();
    let report = solver.search(board, &question, &control, &mut |reports| solving(empty_count, reports));
    let value = report.lines.first()?.value;
    (!control.is_stopped()).then(|| Score::new((value.parts() / Value::PER_DISC) as i8))
}

/// Passes every position of the games, up to symmetry, that has a value in the graph of all games (Buro) to `take`: the
/// number of the first game that contains it and its value for the side to move. Positions with one empty square come
/// first, then those with two, and so on; `level_done` is called with each number of empty squares when it is done.
pub fn tree_values(
    games: &[GameToLabel],
    threads: usize,
    mut take: impl FnMut(&Board, u32, Score),
    mut level_done: impl FnMut(u32),
) {
    let wanted = Wanted { exact_from: 0, tree: true, depth: None, empties: 1..=60, nearby: 0 };
    let replay = Replay { games, wanted: &wanted, threads };
    let scores = scores_of(games);
    let mut graph = Graph::default();
    for empties in wanted.empties.clone() {
        let Level { places, subjects, .. } = distinct(replay.occurrences(empties, &scores, &graph));
        let values: Vec<_> = subjects.iter().map(|subject| tree_value(subject, &graph)).collect();
        for (subject, value) in subjects.iter().zip(&values) {
            if let Some(value) = value {
                take(&subject.board, subject.game, *value);
            }
        }
        graph = Graph { places, values };
        level_done(empties);
    }
}

/// The scores of games before any is corrected.
fn scores_of(games: &[GameToLabel]) -> Vec<Scores> {
    let score = |game: &GameToLabel| game.game.score();
    games.iter().map(score).map(|score| Scores { outcome: score, corrected: score }).collect()
}

/// The best known value among the moves of a position, if a player chose one of them or all are known: the best of a few
/// random moves is a poor estimate.
fn tree_value(subject: &Subject, graph: &Graph) -> Option<Score> {
    let board = subject.board;
    let mut is_complete = true;
    let mut best = None;
    for square in squares(board.moves()) {
        let after = board.after(square, board.flips(square));
        let value = if after.can_move() {
            graph.value(&after).map(|score| -score)
        } else if after.must_pass() {
            graph.value(&after.pass())
        } else {
            Some(-after.final_score())
        };
        is_complete &= value.is_some();
        best = best.max(value);
    }
    best.filter(|_| subject.is_chosen || is_complete)
}

fn distinct(met: Vec<Occurrence>) -> Level {
    let mut places = Places::with_capacity_and_hasher(met.len(), BuildHasherDefault::default());
    let mut subjects: Vec<Subject> = Vec::new();
    let mut occurrences = Vec::with_capacity(met.len());
    for Occurrence { subject: met, is_black } in met {
        let place = *places.entry(met.board).or_insert(subjects.len() as u32);
        occurrences.push((met.game, is_black, place));
        match subjects.get_mut(place as usize) {
            // The first game with a value decides.
            Some(subject) => {
                subject.outcome = subject.outcome.or(met.outcome);
                subject.corrected = subject.corrected.or(met.corrected);
                subject.exact = subject.exact.or(met.exact);
                subject.least = subject.least.max(met.least);
                subject.is_chosen |= met.is_chosen;
            }
            None => subjects.push(met),
        }
    }
    Level { places, subjects, occurrences }
}
