//! KEYANO's workers on other machines: APHID over letters (`keyano@workers=8,crew=farm`).
//!
//! The player submits a job with one item for each worker that it wants: a seat. A worker that takes an item sits down and
//! works for the player, move after move, until the player leaves. A seat whose worker is lost is given to another
//! one by the executor.
//!
//! Letters may be lost, but those that arrive keep their order. The messages of a move therefore have numbers, and both
//! sides say regularly how many they have sent: a side that misses one takes the other for lost, and the move goes on without it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::Stop;
use heritage::keyano::parallel::aphid::message::Message;
use heritage::keyano::parallel::aphid::seat::{Assignment, FarCrew, Seat};
use heritage::keyano::parallel::link::{Event, FIRST, Link, PartyNumber};
use heritage::keyano::{Keyano, Method, Settings, WorkerPlace};
use heritage::settings::Settings as _;
use jobs::{Definition, Executor, Job, KnownWork, Mailbox, Party, Post, Work, Worker, Workplace, parameters};
use serde::{Deserialize, Serialize};

use crate::error::MakeError;
use crate::job_kinds::SEATS;

/// The number of the player in the conversation.
const PLAYER: Party = 0;

/// How often both sides say that they are there.
const HEARTBEAT: Duration = Duration::from_millis(250);
/// A worker that says nothing for so long during a move is lost.
const SILENCE: Duration = Duration::from_secs(2);
/// A player that says nothing for so long is gone.
const ABANDONED: Duration = Duration::from_secs(20);
/// How long a new player waits for its workers.
const ARRIVAL: Duration = Duration::from_secs(5);

/// What the player and its workers write to each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Note {
    /// From a worker: it sits there. Workers that take a seat after another have another name.
    Present { worker: u64 },
    /// To a worker: the search of a move begins.
    Begin { search: u64, worker: u64, is_new_game: bool, has_probcut: bool, nodes: Option<u64> },
    /// A message of this search.
    Message { search: u64, worker: u64, number: u64, message: Message },
    /// The sender is at work on this search and has sent this many messages.
    Alive { search: u64, worker: u64, sent: u64 },
    /// The sender leaves this search.
    Leave { search: u64, worker: u64 },
    /// To a worker: the player is there, and has nothing to do at the moment.
    Wait,
    /// To a worker: the player leaves.
    Goodbye,
}

fn write(mailbox: &mut dyn Mailbox, to: Party, note: &Note) {
    // Plain data can always be written.
    if let Ok(bytes) = serde_json::to_vec(note) {
        mailbox.send(to, bytes);
    }
}

/// The next note and who sent it; what cannot be read is ignored.
fn read(mailbox: &mut dyn Mailbox, patience: Duration) -> Option<(Party, Note)> {
    let letter = mailbox.receive(patience)?;
    let note = serde_json::from_slice(&letter.bytes).ok()?;
    Some((letter.from, note))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The messages that one side of a search has sent and received.
#[derive(Clone, Copy, Debug, Default)]
struct Exchange {
    sent: u64,
    received: u64,
}

impl Exchange {
    /// Whether a message is the next one.
    fn takes(&mut self, number: u64) -> bool {
        let is_next = number == self.received;
        self.received += u64::from(is_next);
        is_next
    }
}

/// What makes a job of seats.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatParameters {
    /// The name of the conversation.
    conversation: String,
    /// The settings of the player, as they were written.
    settings: Vec<(String, Option<String>)>,
}

/// Work at the seats of a player: every item is a seat, and its result is the number of nodes that were searched there.
struct SeatWork {
    conversation: String,
    settings: Settings,
    post: Arc<dyn Post>,
}

impl Work for SeatWork {
    type Item = ();
    type Output = u64;

    fn is_fleeting(&self) -> bool {
        true
    }

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, (), u64> {
        Box::new(move |number, ()| {
            let me = PLAYER + 1 + u32::try_from(number).ok()?;
            let mailbox = self.post.open(&self.conversation, me).ok()?;
            let worker = unique();
            let desk =
                Desk { mailbox, worker, last_sign: None, last_heard: Instant::now(), next: None, is_over: false };
            sit(self.settings, desk, stop)
        })
    }
}

/// A number that nobody else has: the standard library has keys from the system for every hash table.
fn unique() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The work of a job of seats, on the machine of a worker.
pub(crate) fn prepare(definition: &Definition, place: &dyn Workplace) -> Result<KnownWork, String> {
    let SeatParameters { conversation, settings } = parameters(definition)?;
    let pairs = settings.iter().map(|(name, value)| (name.as_str(), value.as_deref()));
    let settings = Settings::of_named(pairs).map_err(|error| error.to_string())?;
    let post = place.post().ok_or("there is no connection to the player")?;
    heritage::keyano::tables::FILE.require().map_err(|error| error.to_string())?;
    Ok(Box::new(SeatWork { conversation, settings, post }))
}

/// What a worker has at its seat.
struct Desk {
    mailbox: Box<dyn Mailbox>,
    worker: u64,
    last_sign: Option<Instant>,
    last_heard: Instant,
    /// The search that begins next.
    next: Option<Note>,
    /// The player has left.
    is_over: bool,
}

impl Desk {
    /// Writes a note of life if it is time for one.
    fn sign(&mut self, note: &Note) {
        if self.last_sign.is_none_or(|last| last.elapsed() > HEARTBEAT) {
            self.last_sign = Some(Instant::now());
            write(self.mailbox.as_mut(), PLAYER, note);
        }
    }

    /// The next note of the player.
    fn read(&mut self, patience: Duration) -> Option<Note> {
        let (from, note) = read(self.mailbox.as_mut(), patience)?;
        if from != PLAYER {
            return None;
        }
        self.last_heard = Instant::now();
        self.is_over |= note == Note::Goodbye;
        Some(note)
    }
}

/// Works for a player until it leaves; `None` if this worker is stopped before that.
fn sit(settings: Settings, desk: Desk, stop: &Stop) -> Option<u64> {
    let mut seat = Seat::new(settings);
    let desk = Arc::new(Mutex::new(desk));
    let mut nodes = 0;
    while !stop.is_set() {
        let next = {
            let mut desk = lock(&desk);
            if desk.is_over || desk.last_heard.elapsed() > ABANDONED {
                return Some(nodes);
            }
            let present = Note::Present { worker: desk.worker };
            desk.sign(&present);
            desk.next.take().or_else(|| desk.read(HEARTBEAT / 2))
        };
        let Some(Note::Begin { search, worker, is_new_game, has_probcut, nodes: most }) = next else { continue };
        if worker != lock(&desk).worker {
            continue;
        }
        if is_new_game {
            seat.new_game();
        }
        let link = SeatLink {
            desk: Arc::clone(&desk),
            search,
            exchange: Exchange::default(),
            stop: stop.clone(),
            start: Instant::now(),
        };
        nodes += seat.work(Box::new(link), has_probcut, most);
        let mut desk = lock(&desk);
        let worker = desk.worker;
        write(desk.mailbox.as_mut(), PLAYER, &Note::Leave { search, worker });
    }
    None
}

/// A worker's link to the manager, for one search.
struct SeatLink {
    desk: Arc<Mutex<Desk>>,
    search: u64,
    exchange: Exchange,
    stop: Stop,
    start: Instant,
}

impl SeatLink {
    /// What arrives within this time. That the manager is lost ends the search, whatever the reason.
    fn next(&mut self, patience: Duration) -> Option<Event<Message>> {
        let mut desk = lock(&self.desk);
        let alive = Note::Alive { search: self.search, worker: desk.worker, sent: self.exchange.sent };
        desk.sign(&alive);
        if self.stop.is_set() || desk.is_over || desk.next.is_some() || desk.last_heard.elapsed() > ABANDONED {
            return Some(Event::Lost(FIRST));
        }
        let me = desk.worker;
        match desk.read(patience)? {
            Note::Message { search, worker, number, message } if (search, worker) == (self.search, me) => {
                Some(match self.exchange.takes(number) {
                    true => Event::Message { from: FIRST, message },
                    false => Event::Lost(FIRST),
                })
            }
            Note::Alive { search, worker, sent } if (search, worker) == (self.search, me) => {
                (sent > self.exchange.received).then_some(Event::Lost(FIRST))
            }
            Note::Leave { search, .. } if search == self.search => Some(Event::Lost(FIRST)),
            begin @ Note::Begin { .. } => {
                desk.next = Some(begin);
                Some(Event::Lost(FIRST))
            }
            // The player waits only when this search is over.
            Note::Wait | Note::Goodbye => Some(Event::Lost(FIRST)),
            _ => None,
        }
    }
}

impl Link<Message> for SeatLink {
    fn me(&self) -> PartyNumber {
        FIRST + 1
    }

    fn parties(&self) -> usize {
        // A worker writes only to the manager.
        2
    }

    fn send(&mut self, _: PartyNumber, message: Message) {
        let mut desk = lock(&self.desk);
        let note = Note::Message { search: self.search, worker: desk.worker, number: self.exchange.sent, message };
        self.exchange.sent += 1;
        write(desk.mailbox.as_mut(), PLAYER, &note);
    }

    fn worked(&mut self, _: u64) {}

    fn receive(&mut self) -> Option<Event<Message>> {
        self.next(Duration::ZERO)
    }

    fn wait(&mut self, patience: u64) -> Option<Event<Message>> {
        self.next(Duration::from_micros(patience).min(HEARTBEAT))
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }
}

/// A seat as the player sees it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Who sits there.
    worker: u64,
    /// When it was last heard of; `None` if there was never anybody.
    last_heard: Option<Instant>,
    /// Whether it has to forget the last game.
    is_new_game: bool,
}

impl Place {
    fn is_taken(&self) -> bool {
        self.last_heard.is_some_and(|last| last.elapsed() < SILENCE)
    }
}

/// What the player has of the conversation.
struct Reception {
    mailbox: Box<dyn Mailbox>,
    places: Vec<Place>,
    /// The number of searches so far.
    searches: u64,
    is_searching: bool,
    last_sign: Instant,
}

impl Reception {
    /// The next note of a seat, with its index. Notes of life are noted.
    fn read(&mut self, patience: Duration) -> Option<(usize, Note)> {
        let (from, note) = read(self.mailbox.as_mut(), patience)?;
        let index = usize::try_from(from).ok()?.checked_sub(1)?;
        let place = self.places.get_mut(index)?;
        let (Note::Present { worker }
        | Note::Message { worker, .. }
        | Note::Alive { worker, .. }
        | Note::Leave { worker, .. }) = note
        else {
            return None;
        };
        if worker != place.worker {
            // Somebody else has taken the seat; notes of its predecessor are ignored.
            if !matches!(note, Note::Present { .. }) {
                return None;
            }
            *place = Place { worker, last_heard: None, is_new_game: true };
        }
        place.last_heard = Some(Instant::now());
        Some((index, note))
    }

    fn write(&mut self, index: usize, note: &Note) {
        write(self.mailbox.as_mut(), PLAYER + 1 + index as Party, note);
    }

    fn write_all(&mut self, note: &Note) {
        (0..self.places.len()).for_each(|index| self.write(index, note));
    }
}

/// The workers of a player.
struct Crew {
    reception: Arc<Mutex<Reception>>,
    /// Set when the player leaves.
    over: Stop,
    threads: Vec<JoinHandle<()>>,
}

/// Who carries out jobs, and how its workers are reached.
pub struct Office {
    /// Carries out the job of the seats.
    pub executor: Box<dyn Executor + Send>,
    /// Carries letters to the workers.
    pub post: Arc<dyn Post>,
    /// Tells people what they should know.
    pub notify: Box<dyn Fn(&str) + Send>,
}

impl std::fmt::Debug for Office {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Office").finish_non_exhaustive()
    }
}

/// Opens an office. The error is a sentence.
pub type OpenOffice = dyn Fn() -> Result<Office, String> + Send + Sync;

/// Where players of this process find workers elsewhere.
static OFFICES: OnceLock<Box<OpenOffice>> = OnceLock::new();

/// Says where players of this process find workers elsewhere; without it, `crew=farm` is refused. The first one to say so
/// decides.
pub fn provide(open: impl Fn() -> Result<Office, String> + Send + Sync + 'static) {
    let _ = OFFICES.set(Box::new(open));
}

/// A KEYANO with its workers, wherever its settings say that they are.
pub(crate) fn with_crew(settings: Settings, pairs: Vec<(String, Option<String>)>) -> Result<Keyano, MakeError> {
    let keyano = Keyano::new(settings);
    if settings.place == WorkerPlace::Here {
        return Ok(keyano);
    }
    if settings.method != Method::Aphid || settings.shared_table {
        return Err(MakeError::request("crew=farm is only for parallel=aphid and shared-table=off"));
    }
    let open = OFFICES.get().ok_or_else(|| MakeError::request("crew=farm is not available here"))?;
    let office = open().map_err(MakeError::request)?;
    let crew = Crew::hire(settings, pairs, office).map_err(MakeError::request)?;
    Ok(keyano.with_far_crew(Box::new(crew)))
}

impl Crew {
    /// Submits the job of the seats and waits a moment for those who take them.
    fn hire(settings: Settings, pairs: Vec<(String, Option<String>)>, office: Office) -> Result<Self, String> {
        let conversation = format!("{:016x}{:016x}", unique(), unique());
        let Office { executor, post, notify } = office;
        let reception = Reception {
            mailbox: post.open(&conversation, PLAYER)?,
            places: vec![Place::default(); settings.workers],
            searches: 0,
            is_searching: false,
            last_sign: Instant::now(),
        };
        let reception = Arc::new(Mutex::new(reception));
        let over = Stop::new();
        let parameters = SeatParameters { conversation: conversation.clone(), settings: pairs };
        let definition = Definition::new(SEATS, &parameters)?;
        let work = SeatWork { conversation, settings, post };
        let seats = settings.workers as u64;
        let threads = vec![
            {
                let over = over.clone();
                thread::spawn(move || {
                    let job = Job { work: &work, items: &|_| (), definition: &|| Ok(definition.clone()) };
                    // Without the farm the player is alone, which it is prepared for.
                    let _ = job.run(executor.as_ref(), 0..seats, &over, |_, _| ControlFlow::Continue(()));
                })
            },
            {
                let (over, reception) = (over.clone(), Arc::clone(&reception));
                thread::spawn(move || receive(&reception, &over))
            },
        ];
        // After waiting in vain once, a process does not wait for every further player.
        static SOME_ARE_MISSING: AtomicBool = AtomicBool::new(false);
        let patience = if SOME_ARE_MISSING.load(Relaxed) { HEARTBEAT } else { ARRIVAL };
        let start = Instant::now();
        let missing = || lock(&reception).places.iter().filter(|place| !place.is_taken()).count();
        while start.elapsed() < patience && missing() > 0 {
            thread::sleep(HEARTBEAT / 10);
        }
        let missing = missing();
        if missing > 0 && !SOME_ARE_MISSING.swap(true, Relaxed) {
            notify(&format!("{missing} of {} workers of the crew are not there yet", settings.workers));
        }
        Ok(Self { reception, over, threads })
    }
}

/// Between searches, hears who is there and says that the player is.
fn receive(reception: &Mutex<Reception>, over: &Stop) {
    while !over.is_set() {
        {
            let mut reception = lock(reception);
            if !reception.is_searching {
                while reception.read(Duration::ZERO).is_some() {}
                if reception.last_sign.elapsed() > HEARTBEAT {
                    reception.last_sign = Instant::now();
                    reception.write_all(&Note::Wait);
                }
            }
        }
        thread::sleep(HEARTBEAT / 10);
    }
}

impl FarCrew for Crew {
    fn assemble(&mut self, assignment: Assignment) -> Option<Box<dyn Link<Message>>> {
        let Assignment { nodes, has_probcut } = assignment;
        let mut reception = lock(&self.reception);
        while reception.read(Duration::ZERO).is_some() {}
        let taken: Vec<usize> =
            (0..reception.places.len()).filter(|&index| reception.places[index].is_taken()).collect();
        let share = nodes.map(|nodes| nodes / taken.len().max(1) as u64);
        if taken.is_empty() {
            return None;
        }
        reception.searches += 1;
        reception.is_searching = true;
        let search = reception.searches;
        let mut parties = Vec::new();
        for index in taken {
            let Place { worker, is_new_game, .. } = reception.places[index];
            reception.places[index].is_new_game = false;
            reception.write(index, &Note::Begin { search, worker, is_new_game, has_probcut, nodes: share });
            parties.push(Colleague { index, worker, exchange: Exchange::default(), has_begun: false, is_lost: false });
        }
        let reception = Arc::clone(&self.reception);
        Some(Box::new(CrewLink { reception, search, parties, start: Instant::now(), last_sign: Instant::now() }))
    }

    fn new_game(&mut self) {
        lock(&self.reception).places.iter_mut().for_each(|place| place.is_new_game = true);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        lock(&self.reception).write_all(&Note::Goodbye);
        self.over.set();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// A worker as the manager sees it during a search.
#[derive(Clone, Copy, Debug)]
struct Colleague {
    index: usize,
    worker: u64,
    exchange: Exchange,
    /// Whether it is known to search.
    has_begun: bool,
    is_lost: bool,
}

/// The manager's link to its workers, for one search.
struct CrewLink {
    reception: Arc<Mutex<Reception>>,
    search: u64,
    parties: Vec<Colleague>,
    start: Instant,
    last_sign: Instant,
}

impl CrewLink {
    /// A party is not heard any more in this search.
    fn lose(reception: &mut Reception, search: u64, colleague: &mut Colleague) {
        colleague.is_lost = true;
        reception.write(colleague.index, &Note::Leave { search, worker: colleague.worker });
    }

    /// What arrives within this time.
    fn next(&mut self, patience: Duration) -> Option<Event<Message>> {
        let mut reception = lock(&self.reception);
        let search = self.search;
        if self.last_sign.elapsed() > HEARTBEAT {
            self.last_sign = Instant::now();
            for Colleague { index, worker, exchange, .. } in self.parties.iter().filter(|party| !party.is_lost) {
                reception.write(*index, &Note::Alive { search, worker: *worker, sent: exchange.sent });
            }
        }
        for (number, colleague) in (FIRST + 1..).zip(&mut self.parties) {
            let place = reception.places[colleague.index];
            // It may also have left, or not have heard of the search.
            let is_idle = !colleague.has_begun && self.start.elapsed() > SILENCE;
            if !colleague.is_lost && (!place.is_taken() || place.worker != colleague.worker || is_idle) {
                Self::lose(&mut reception, search, colleague);
                return Some(Event::Lost(number));
            }
        }
        let (index, note) = reception.read(patience)?;
        let position = self.parties.iter().position(|party| party.index == index && !party.is_lost)?;
        let (number, colleague) = (FIRST + 1 + position, &mut self.parties[position]);
        let is_lost = match note {
            Note::Message { search: of, number: count, message, .. } if of == search => {
                colleague.has_begun = true;
                if colleague.exchange.takes(count) {
                    return Some(Event::Message { from: number, message });
                }
                true
            }
            Note::Alive { search: of, sent, .. } if of == search => {
                colleague.has_begun = true;
                sent > colleague.exchange.received
            }
            Note::Leave { search: of, .. } => of == search,
            // Between searches, after this one.
            Note::Present { .. } => colleague.has_begun,
            _ => false,
        };
        if !is_lost {
            return None;
        }
        Self::lose(&mut reception, search, colleague);
        Some(Event::Lost(number))
    }
}

impl Link<Message> for CrewLink {
    fn me(&self) -> PartyNumber {
        FIRST
    }

    fn parties(&self) -> usize {
        1 + self.parties.len()
    }

    fn send(&mut self, to: PartyNumber, message: Message) {
        let Some(colleague) = to.checked_sub(FIRST + 1).and_then(|index| self.parties.get_mut(index)) else { return };
        let Colleague { index, worker, .. } = *colleague;
        let note = Note::Message { search: self.search, worker, number: colleague.exchange.sent, message };
        colleague.exchange.sent += 1;
        lock(&self.reception).write(index, &note);
    }

    fn worked(&mut self, _: u64) {}

    fn receive(&mut self) -> Option<Event<Message>> {
        self.next(Duration::ZERO)
    }

    fn wait(&mut self, patience: u64) -> Option<Event<Message>> {
        self.next(Duration::from_micros(patience))
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }
}

impl Drop for CrewLink {
    fn drop(&mut self) {
        lock(&self.reception).is_searching = false;
    }
}

#[cfg(test)]
mod tests {
    use engine::{Choice, Limits, Player, Silent};
    use heritage::keyano::ProbCut;
    use jobs::{AnyJob, JobError, Letter, LocalFiles, LocalPost, Order, Take, Threads};
    use othello::{Board, Color, Game, Position};
    use search::samples::{Origin, Samples};

    use super::*;

    /// Without what makes values depend on the path: the table and ProbCut.
    fn plain(workers: usize) -> Settings {
        Settings { probcut: ProbCut::Off, table: None, workers, place: WorkerPlace::Farm, ..Settings::default() }
    }

    fn game(seed: u64) -> Game {
        let board = Samples::<Board>::new(seed).position_with_moves(Origin::SensibleGame, 34);
        Game::from_position(Position { board, turn: Color::Black })
    }

    fn chosen(keyano: &mut Keyano, game: &Game, depth: u32) -> Choice {
        keyano.choose(game, &Limits::of_depth(depth), &mut Silent, &Stop::new()).expect("a move")
    }

    /// A player with a crew, and what it knows of it.
    fn player(workers: usize, office: Office) -> (Keyano, Arc<Mutex<Reception>>) {
        let crew = Crew::hire(plain(workers), Vec::new(), office).expect("a crew");
        let reception = Arc::clone(&crew.reception);
        (Keyano::new(plain(workers)).with_far_crew(Box::new(crew)), reception)
    }

    fn office(executor: Box<dyn Executor + Send>, post: Arc<dyn Post>) -> Office {
        Office { executor, post, notify: Box::new(|_| ()) }
    }

    fn here(workers: usize) -> Office {
        office(Box::new(Threads(workers)), Arc::new(LocalPost::default()))
    }

    #[test]
    fn workers_elsewhere_find_the_value_of_one_party_move_after_move() {
        for workers in [1, 3] {
            let (mut keyano, reception) = player(workers, here(workers));
            assert!(lock(&reception).places.iter().all(Place::is_taken), "everybody is there");
            for seed in 0..4 {
                let game = game(seed);
                let expected = chosen(&mut Keyano::new(Settings { workers: 1, ..plain(1) }), &game, 7);
                let choice = chosen(&mut keyano, &game, 7);
                assert_eq!((choice.value, choice.depth), (expected.value, 7), "{workers} workers, {game:?}");
                assert_eq!(lock(&reception).searches, seed + 1, "they were asked");
                keyano.new_game().expect("another game");
            }
            let start = Instant::now();
            drop(keyano);
            assert!(start.elapsed() < ABANDONED, "the workers are told that the player leaves");
        }
    }

    /// Loses one letter in so many.
    struct Careless(LocalPost, u64);
    struct CarelessMailbox(Box<dyn Mailbox>, othello::random::Random, u64);

    impl Post for Careless {
        fn open(&self, conversation: &str, party: Party) -> Result<Box<dyn Mailbox>, String> {
            let random = othello::random::Random::of_item(self.1, u64::from(party));
            Ok(Box::new(CarelessMailbox(self.0.open(conversation, party)?, random, self.1)))
        }
    }

    impl Mailbox for CarelessMailbox {
        fn send(&mut self, to: Party, bytes: Vec<u8>) {
            if self.1.below(self.2 as usize) > 0 {
                self.0.send(to, bytes);
            }
        }

        fn receive(&mut self, patience: Duration) -> Option<Letter> {
            self.0.receive(patience)
        }
    }

    #[test]
    fn lost_letters_cost_time_and_not_the_move() {
        for one_in in [5, 40] {
            let office = office(Box::new(Threads(2)), Arc::new(Careless(LocalPost::default(), one_in)));
            let (mut keyano, _) = player(2, office);
            for seed in 10..13 {
                let expected = chosen(&mut Keyano::new(plain(1)), &game(seed), 7);
                assert_eq!(chosen(&mut keyano, &game(seed), 7).value, expected.value, "one letter in {one_in}");
            }
        }
    }

    /// Ends the first worker after a while, and never has another one for its seat.
    struct Deserted(Duration);

    impl Executor for Deserted {
        fn execute(
            &self,
            job: &dyn AnyJob,
            numbers: std::ops::Range<u64>,
            _: Order,
            stop: &Stop,
            _: &mut Take<'_>,
        ) -> Result<(), JobError> {
            let early = Stop::new();
            thread::scope(|scope| {
                for number in numbers {
                    let stop = if number == 0 { &early } else { stop };
                    scope.spawn(move || drop(job.worker(stop)(number)));
                }
                thread::sleep(self.0);
                early.set();
            });
            Ok(())
        }
    }

    #[test]
    fn a_worker_that_ends_during_a_move_costs_time_and_not_the_move() {
        for workers in [1, 2] {
            let executor = Box::new(Deserted(Duration::from_millis(300)));
            let (mut keyano, reception) = player(workers, office(executor, Arc::new(LocalPost::default())));
            let game = game(20);
            let expected = chosen(&mut Keyano::new(plain(1)), &game, 9);
            assert_eq!(chosen(&mut keyano, &game, 9).value, expected.value);
            assert_eq!(lock(&reception).searches, 1);
            thread::sleep(SILENCE + HEARTBEAT);
            let taken = lock(&reception).places.iter().filter(|place| place.is_taken()).count();
            assert_eq!(taken, workers - 1);
            // The next move is searched by those who are left, or alone.
            assert_eq!(chosen(&mut keyano, &game, 9).value, expected.value);
        }
    }

    #[test]
    fn without_anybody_the_player_is_alone() {
        let mut keyano = player(2, here(0)).0;
        assert_eq!(chosen(&mut keyano, &game(30), 7).value, chosen(&mut Keyano::new(plain(1)), &game(30), 7).value);
    }

    #[test]
    fn what_cannot_be_done_elsewhere_is_refused_in_a_sentence() {
        let refusal = |settings: Settings| with_crew(settings, Vec::new()).expect_err("refused").to_string();
        let ybw = Settings { method: Method::YoungBrothers, ..plain(2) };
        assert!(refusal(ybw).contains("only for parallel=aphid"), "{}", refusal(ybw));
        assert!(refusal(plain(2)).contains("not available here"), "{}", refusal(plain(2)));
        let definition = |settings: &[(&str, &str)]| {
            let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
            let parameters = SeatParameters { conversation: "x".to_owned(), settings: settings.collect() };
            Definition::new(SEATS, &parameters).expect("data")
        };
        let refusal = |pairs: &[(&str, &str)]| match prepare(&definition(pairs), &LocalFiles::default()) {
            Ok(_) => panic!("{pairs:?} is not refused"),
            Err(sentence) => sentence,
        };
        assert!(refusal(&[("table", "60")]).contains("table"), "{}", refusal(&[("table", "60")]));
        assert!(refusal(&[]).contains("no connection"), "{}", refusal(&[]));
    }
}
