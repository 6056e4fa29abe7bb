//! Whole dialogues between a page and its host, with jobs done in this thread, before anything else happens.

mod small_book;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use engine::analysis::judge_each_move;
use engine::{Limits, Stop, json as engine_json};
use othello::Board;
use players::analysts::AnalystChoice;
use players::opening_book::OpeningBook;
use players::{PlayerOptions, Registry, SearchOptions};
use records::transcript;
use serde_json::{Value, json};
use session::puzzles;
use session::{Resources, Workbench};
use web::host::{Host, HostOptions, Output};

const OPTIONS: HostOptions = HostOptions {
    seed: 1,
    study_lanes: 2,
    splits_hints: true,
    max_hash: 16,
    date: None,
    has_book: false,
    has_farm: false,
};

fn registry() -> Arc<Registry> {
    Arc::new(Registry::new(vec![players::test_support::program()]).expect("different names"))
}

/// A page with a host; every message takes a second.
struct Page {
    host: Host,
    workbench: Workbench,
    now: Duration,
    shown: Value,
    /// All other messages since the last request.
    others: Vec<Value>,
}

impl Page {
    fn new(hello: Value) -> Self {
        Self::with_book(hello, None)
    }

    fn on(link: &str) -> Self {
        Self::new(json!({ "type": "hello", "link": link }))
    }

    fn with_book(hello: Value, book: Option<OpeningBook>) -> Self {
        let options = HostOptions { has_book: book.is_some(), ..OPTIONS };
        let search = SearchOptions { threads: 1, hash: 1 };
        let player_options = PlayerOptions { search, default_book: book.is_some(), ..PlayerOptions::default() };
        let resources = Resources { options: player_options, book, ..Resources::new(registry()) };
        let (host, workbench) = (Host::new(registry(), options), Workbench::new(resources));
        let mut page = Self { host, workbench, now: Duration::ZERO, shown: Value::Null, others: Vec::new() };
        page.ask(hello);
        page
    }

    fn ask(&mut self, request: Value) -> &Value {
        self.send(&request.to_string());
        &self.shown["view"]
    }

    fn send(&mut self, message: &str) {
        self.others.clear();
        self.now += Duration::from_secs(1);
        let outputs = self.host.receive(message, self.now);
        self.carry_out(outputs.into());
    }

    fn event(&mut self, event: Value) -> &Value {
        self.ask(json!({ "type": "event", "event": event }))
    }

    fn play(&mut self, squares: &str) {
        for square in squares.split(' ') {
            self.event(json!({ "event": "play", "square": square }));
        }
    }

    /// The values of the moves at a level.
    fn hints(&mut self, level: u32) -> Vec<Value> {
        self.event(json!({ "event": "set_hints", "level": level }));
        self.event(json!({ "event": "show_hints", "shown": true }))["hints"].as_array().expect("hints").clone()
    }

    fn open(&mut self, name: &str, text: &str) {
        self.ask(json!({ "type": "open", "files": [{ "name": name, "text": text }] }));
    }

    /// The text of a saved file.
    fn saved(&mut self, format: &str) -> &str {
        self.ask(json!({ "type": "save", "format": format }));
        self.others[0]["files"][0]["text"].as_str().unwrap_or_default()
    }

    #[track_caller]
    fn sentence(&self) -> &str {
        self.others[0]["sentence"].as_str().expect("a sentence")
    }

    fn carry_out(&mut self, mut outputs: VecDeque<Output>) {
        while let Some(output) = outputs.pop_front() {
            match output {
                Output::Send(text) => {
                    let message: Value = serde_json::from_str(&text).expect("a message is JSON");
                    if message["type"] == "view" {
                        self.shown = message;
                    } else {
                        self.others.push(message);
                    }
                }
                Output::Start { job, order, .. } => {
                    let mut replies = Vec::new();
                    self.workbench.run(&order, &Stop::new(), &mut |reply| replies.push(reply));
                    for reply in replies {
                        self.now += Duration::from_millis(150);
                        outputs.extend(self.host.reply(job, &reply, self.now));
                    }
                }
                // Every job is done before the next message.
                Output::Stop { .. } => {}
                Output::LookAtFarm => self.others.push(json!("a look at the farm")),
            }
            if outputs.is_empty() {
                outputs.extend(self.host.tick(self.now));
            }
        }
    }

    #[track_caller]
    fn look_up(&mut self) -> Value {
        self.ask(json!({ "type": "book" }));
        let [answer] = &self.others[..] else { panic!("one answer: {:?}", self.others) };
        assert_eq!((&answer["type"], &answer["revision"]), (&json!("book"), &self.shown["view"]["revision"]));
        answer["page"].clone()
    }

    fn legal_move(&self) -> Option<String> {
        self.shown["view"]["legal_moves"][0]["square"].as_str().map(str::to_owned)
    }
}

fn hello() -> Value {
    json!({ "type": "hello" })
}

#[test]
fn before_the_hello_nothing_happens_and_the_page_is_told_why() {
    let mut host = Host::new(registry(), OPTIONS);
    let play = json!({ "type": "event", "event": { "event": "play", "square": "f5" } });
    for request in [&play, &json!({ "type": "solve" }), &json!({ "type": "players", "board": "8x8" })] {
        let outputs = host.receive(&request.to_string(), Duration::ZERO);
        let [Output::Send(answer)] = &outputs[..] else { panic!("{request}: {outputs:?}") };
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        assert_eq!(answer, json!({ "type": "error", "sentence": "The first message has to be a hello." }));
    }
    host.receive(&hello().to_string(), Duration::ZERO);
    let outputs = host.receive(&play.to_string(), Duration::ZERO);
    let shows_move = |output: &Output| matches!(output, Output::Send(text) if text.contains("\"move_count\":1"));
    assert!(outputs.iter().any(shows_move), "{outputs:?}");
}

#[test]
fn a_whole_game_is_played_against_the_friendly_engine() {
    let mut page = Page::new(hello());
    assert_eq!(page.shown["view"]["seats"][1]["title"], "emilia 1");
    let mut moves = 0;
    while let Some(square) = page.legal_move() {
        page.play(&square);
        moves += 1;
        assert!(moves < 61, "the game ends");
    }
    let view = &page.shown["view"];
    assert!(view["result"]["verdict"].is_string(), "{view}");
    let discs = |seat: usize| view["seats"][seat]["discs"].as_u64().expect("a number");
    assert_eq!(discs(0) + discs(1) + view["empties"].as_u64().expect("a number"), 64);
}

#[test]
fn a_link_and_a_kept_state_continue_a_game_with_its_variations() {
    let mut page = Page::new(hello());
    page.event(json!({ "event": "seat_person", "color": "white" }));
    page.play("f5 d6 c3");
    page.event(json!({ "event": "go", "step": "back" }));
    page.play("c5");
    assert_eq!(page.shown["link"], "f5d6c5(c3)");
    let state = page.shown["state"].clone();

    let kept = Page::new(json!({ "type": "hello", "state": state }));
    assert_eq!(kept.shown["link"], "f5d6c5(c3)");
    assert_eq!(kept.shown["view"]["board"], page.shown["view"]["board"]);
    assert_eq!(kept.shown["state"]["seats"], json!([null, null]));

    let linked = Page::on("6x6~c2b2@1");
    assert_eq!((&linked.shown["link"], &linked.others[..]), (&json!("6x6~c2b2@1"), &[][..]));

    let broken = Page::on("f5x9");
    assert_eq!((&broken.others[0]["type"], &broken.shown["link"]), (&json!("error"), &json!("")), "a new game");
    for link in ["f5x9", "9x9~f5"] {
        let again = Page::new(json!({ "type": "hello", "state": page.shown["state"], "link": link }));
        assert_eq!((&again.others[0]["type"], &again.shown["link"]), (&json!("error"), &page.shown["link"]), "{link}");
    }
}

#[test]
fn hints_value_every_move_and_say_the_chance_to_win() {
    let mut page = Page::new(hello());
    let hints = page.hints(4);
    assert_eq!((hints.len(), &page.shown["view"]["is_advising"]), (4, &json!(false)));
    for hint in hints {
        let chance = hint["win_probability"].as_f64().expect("a chance");
        assert!((0.3..0.7).contains(&chance), "{hint}");
    }
}

#[test]
fn players_that_reach_beyond_the_page_are_refused() {
    let mut page = Page::new(hello());
    for player in include_str!("refused_players.txt").lines() {
        let view = page.event(json!({ "event": "seat", "color": "white", "player": player }));
        assert_eq!(view["message"]["kind"], "refused", "{player}: {}", view["message"]);
        assert_eq!(view["seats"][1]["player"], "emilia", "{player}");
    }
}

#[test]
fn every_format_that_is_saved_can_be_opened_again() {
    let mut page = Page::new(hello());
    page.event(json!({ "event": "seat_person", "color": "white" }));
    page.play("f5 d6 c3 d3");
    let rows = page.shown["view"]["board"]["rows"].clone();
    for format in ["txt", "ggf", "sgf", "obf", "wtb"] {
        page.ask(json!({ "type": "save", "format": format }));
        let files = page.others[0]["files"].clone();
        assert!(!files[0]["name"].as_str().expect("a name").contains('/'), "{files}");
        let mut other = Page::new(hello());
        other.ask(json!({ "type": "open", "files": files }));
        assert_eq!(other.others, Vec::<Value>::new(), "{format}");
        if format == "obf" && other.shown["view"]["set_up"].is_object() {
            other.event(json!({ "event": "set_up", "edit": "done" }));
        }
        assert_eq!(other.shown["view"]["board"]["rows"], rows, "{format}");
    }
    assert!(page.saved("svg").starts_with("<svg"));
    page.saved("html");
    assert_eq!(page.sentence(), "The game has not been analyzed.");
}

#[test]
fn an_opening_is_opened_and_pasted_by_its_name_on_every_board() {
    let tiger = transcript::parse::<Board>("f5d6c3d3c4").expect("the moves are legal");
    let position = tiger.position().to_string();
    let discs = position.split(' ').next().expect("a board");
    let rows: Vec<String> = discs.chars().collect::<Vec<_>>().chunks(8).map(|row| row.iter().collect()).collect();
    for link in ["", "6x6~", "cs221~"] {
        let mut page = Page::on(link);
        page.open("text", "Tiger\n");
        assert_eq!(page.others, Vec::<Value>::new(), "{link}");
        let view = &page.shown["view"];
        assert_eq!((&view["opening"], &view["board"]["rows"]), (&json!("Tiger"), &json!(rows)), "{link}");
    }
    // The box of a position that is set up, on the board with names.
    let mut page = Page::new(hello());
    page.event(json!({ "event": "set_up", "edit": "begin" }));
    let view = page.event(json!({ "event": "paste", "text": "tiger" }));
    assert_eq!((&view["opening"], &view["set_up"]), (&json!("Tiger"), &Value::Null));
}

#[test]
fn a_position_is_solved_and_a_try_is_judged() {
    let mut page = Page::on("4x4~");
    page.event(json!({ "event": "seat_person", "color": "white" }));
    page.ask(json!({ "type": "solve", "all_moves": true }));
    let solving = page.shown["solving"].clone();
    // White wins on the 4x4 board, 11 to 3; the two empty squares count for the winner.
    assert_eq!(solving["answers"][0]["value"], json!({ "kind": "solved", "discs": -10 }), "{solving}");
    let square = page.legal_move().expect("a move");
    page.ask(json!({ "type": "try", "square": square }));
    assert_eq!(page.others[0]["judgement"]["played"]["value"]["discs"], -10, "{}", page.others[0]);
    page.play(&square);
    assert_eq!(page.shown["solving"], Value::Null, "it was about another position");
}

#[test]
fn an_analysis_has_the_figures_of_the_command() {
    let moves = "f5d6c3d3c4f4f6f3e6e7";
    let mut page = Page::on(moves);
    let view = page.event(json!({ "event": "analyze", "level": 5 }));
    let judged = view["analysis"]["moves"].as_array().expect("judged moves").clone();
    assert_eq!((judged.len(), &view["analysis"]["is_running"]), (10, &json!(false)));

    // As `emilia analyze --level 5` does, one move after the other.
    let choice = AnalystChoice { notation: None, limits: Limits::of_level(5), exact_from: None, hash: 32 };
    let mut analyst = choice.analyst::<Board>(&registry()).expect("an analyst");
    let game = transcript::parse::<Board>(moves).expect("a game");
    let mut found = Vec::new();
    judge_each_move(&mut *analyst, &game, 0..usize::MAX, &Stop::new(), |judged| found.push(judged))
        .expect("judgements");
    assert_eq!(found.len(), judged.len());
    for (shown, expected) in judged.iter().zip(found) {
        let expected = engine_json::JudgedMove::<Board>::from(expected);
        let expected = serde_json::to_value(&expected).expect("JSON");
        for (key, pointer) in [
            ("number", "/number"),
            ("move", "/played/move"),
            ("value", "/played/value"),
            ("best", "/best/move"),
            ("best_value", "/best/value"),
            ("line", "/best/line"),
            ("mark", "/mark"),
        ] {
            assert_eq!(Some(&shown[key]), expected.pointer(pointer), "{key} of {shown} and {expected}");
        }
    }
    assert!(page.saved("html").contains("emilia, level 5"));
}

#[test]
fn a_classic_program_explains_the_position_in_its_own_terms() {
    let mut page = Page::new(hello());
    page.event(json!({ "event": "seat", "color": "white", "player": "simple@depth=2" }));
    let explained = page.shown["explanations"][0].clone();
    assert_eq!((&explained["player"], &explained["turn"]), (&json!("simple"), &json!("black")), "{explained}");
    assert!(explained["parts"].as_array().is_some_and(|parts| parts.len() == 2), "{explained}");
    page.play("f5");
    assert_eq!(page.shown["view"]["move_count"], 2);
    assert_ne!(page.shown["explanations"][0]["parts"], explained["parts"]);
}

#[test]
fn a_puzzle_is_put_on_the_board_and_its_winning_move_is_recognized() {
    let mut page = Page::on("6x6~");
    page.ask(json!({ "type": "puzzle", "empties": 8, "number": 2 }));
    assert_eq!((&page.others[0]["empties"], &page.others[0]["number"]), (&json!(8), &json!(2)));
    let view = page.shown["view"].clone();
    assert_eq!((&view["empties"], &view["board"]["shape"]), (&json!(8), &json!("8x8")));
    let mut wins = 0;
    for legal in view["legal_moves"].as_array().expect("moves") {
        page.ask(json!({ "type": "try", "square": legal["square"] }));
        let judgement = &page.others[0]["judgement"];
        assert_eq!(judgement["exact"], true);
        let is_win = judgement["played"]["value"]["discs"].as_i64() > Some(0);
        assert_eq!(page.others[0]["is_win"], is_win, "{judgement}");
        assert_eq!(page.others[0]["is_best"], judgement["best"]["move"] == legal["square"], "{judgement}");
        wins += u32::from(is_win);
    }
    assert_eq!((wins, &page.shown["view"]["revision"]), (1, &view["revision"]));
}

#[test]
fn a_day_begins_with_puzzles_of_its_own() {
    let mut page = Page::new(hello());
    let mut first = |empties: u32, day: u64| {
        page.ask(json!({ "type": "puzzle", "empties": empties, "day": day }));
        (page.others[0]["number"].clone(), page.shown["view"]["board"]["rows"].clone())
    };
    for (empties, day) in [(10, 0), (10, 20_776), (6, 20_777), (19, u64::MAX)] {
        let puzzle = &puzzles::of_day(empties, day)[0];
        let text = puzzle.problem.position.to_string();
        let rows: Vec<&str> = (0..8).map(|row| &text[8 * row..8 * row + 8]).collect();
        assert_eq!(first(empties, day), (json!(puzzle.number), json!(rows)), "{empties} {day}");
    }
    assert_ne!(first(10, 1), first(10, 2));
}

#[test]
fn a_job_that_is_cut_off_plays_the_last_move_it_reported() {
    let mut host = Host::new(registry(), OPTIONS);
    let now = Duration::from_secs(1);
    host.receive(&hello().to_string(), now);
    let event = json!({ "event": "change_level", "by": 20 });
    host.receive(&json!({ "type": "event", "event": event }).to_string(), now);
    let played = json!({ "type": "event", "event": { "event": "play", "square": "f5" } });
    let outputs = host.receive(&played.to_string(), now);
    let job = outputs.iter().find_map(|output| match output {
        Output::Start { job, order, .. } if order.contains("think") => Some(*job),
        _ => None,
    });
    let job = job.expect("the engine thinks");
    let progress = json!({
        "reply": "thought",
        "progress": { "move": "d6", "value": null, "line": "d6c3", "depth": 3, "selectivity": 100, "nodes": 9, "seconds": 0.1 },
    });
    host.reply(job, &progress.to_string(), now);
    let outputs = host.cut(job, now);
    let view = outputs.iter().find_map(|output| match output {
        Output::Send(text) => serde_json::from_str::<Value>(text).ok(),
        _ => None,
    });
    assert_eq!(view.expect("a view")["link"], "f5d6");
}

#[test]
fn a_clock_that_runs_out_is_noticed_without_a_request() {
    let mut host = Host::new(registry(), OPTIONS);
    let ask =
        |host: &mut Host, event: Value, now| host.receive(&json!({ "type": "event", "event": event }).to_string(), now);
    host.receive(&hello().to_string(), Duration::ZERO);
    let new_game = json!({ "event": "new_game", "sides": "both", "clock": "5s", "board": "8x8" });
    ask(&mut host, new_game, Duration::from_secs(1));
    let due = host.next_tick().expect("the clock runs");
    assert!(due >= Duration::from_secs(6) && due < Duration::from_secs(7), "{due:?}");
    assert_eq!(host.tick(Duration::from_secs(3)), [], "nothing to show");
    let outputs = host.tick(due);
    let Some(Output::Send(text)) = outputs.first() else { panic!("{outputs:?}") };
    let shown: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(shown["view"]["result"]["out_of_time"], "black");
}

#[test]
fn a_sentence_begins_with_a_capital_unless_it_begins_with_a_square() {
    let sentence = |link: &str| Page::on(link).sentence().to_owned();
    assert!(sentence("9x9~f5").starts_with("\"9x9\" in the link"), "{}", sentence("9x9~f5"));
    assert!(sentence("8x8~~~").starts_with("The link has too many parts"), "{}", sentence("8x8~~~"));
    assert!(sentence("f5a1").contains("a1 flips nothing; legal moves: ") && !sentence("f5a1").contains("A1"));
}

#[test]
fn the_name_of_a_file_stays_as_it_is_at_the_start_of_a_sentence() {
    let mut page = Page::new(hello());
    let file = |name: &str, text: &str| json!({ "name": name, "text": text });
    for (files, number, start) in [
        (json!([file("news.txt", "f5f5f5")]), Value::Null, "news.txt"),
        (json!([file("/home/x/two games.ggf", "nothing")]), Value::Null, "two games.ggf, end of file: found no game"),
        (json!([file("x.txt", "f5d6c3")]), json!(1000), "x.txt has no game 1000; it has 1."),
        (json!([file("x.txt", "f5"), file("y.txt", "f5")]), Value::Null, "2 files with games were given"),
        (json!([file("names.jou", "")]), Value::Null, "No file with games was given."),
    ] {
        page.ask(json!({ "type": "open", "files": files, "number": number }));
        let sentence = page.sentence();
        assert!(sentence.starts_with(start) && sentence.ends_with('.'), "{start}: {sentence}");
    }
}

#[test]
fn a_message_that_is_not_understood_is_refused_in_plain_words() {
    let mut page = Page::new(hello());
    for line in include_str!("refused_messages.txt").lines() {
        let (words, message) = line.split_once('\t').expect("words and a message");
        page.send(&with_whole_state(message, &page.shown["state"]));
        assert_eq!(page.others.len(), 1, "{message}: {:?}", page.others);
        let sentence = page.sentence();
        assert!(sentence.contains(words) && sentence.len() < 110, "{message}: {sentence}");
        for foreign in ["usize", "u32", "enum", "line 1", "column", "`"] {
            assert!(!sentence.contains(foreign), "{message}: {sentence}");
        }
    }
}

/// A message whose state, if it has one, is that of a game with some keys replaced.
fn with_whole_state(message: &str, state: &Value) -> String {
    let Ok(mut message_value) = serde_json::from_str::<Value>(message) else { return message.to_owned() };
    let Some(Value::Object(replaced)) = message_value.get_mut("state") else { return message.to_owned() };
    for (key, value) in state.as_object().expect("a state") {
        replaced.entry(key).or_insert(value.clone());
    }
    message_value.to_string()
}

#[test]
fn numbers_in_events_that_are_too_large_are_refused_by_the_view() {
    let mut page = Page::new(hello());
    for (event, words) in [
        (json!({ "event": "set_pace", "seconds": 1e300 }), "pace out of range: 1e300 s; expected 0 to 60 s"),
        (json!({ "event": "set_hints", "lines": 1_000_000_000_000_u64 }), "number of hint lines out of range"),
        (json!({ "event": "set_hints", "level": 61 }), "hint level out of range: 61; expected 1 to 60"),
        (json!({ "event": "new_game", "sides": "black", "clock": "25h", "board": "8x8" }), "up to a day"),
    ] {
        let view = page.event(event.clone());
        let message = &view["message"];
        let sentence = message["sentence"].as_str().expect("a sentence").to_lowercase();
        assert!(message["kind"] == "refused" && sentence.contains(words), "{event}: {message}");
        assert!(sentence.len() < 150, "{sentence}");
    }
}

#[test]
fn an_engine_that_waits_waits_after_a_reload_too() {
    let mut page = Page::new(hello());
    page.play("f5");
    page.event(json!({ "event": "go", "step": "back" }));
    assert_eq!(page.shown["view"]["is_waiting"], true);
    let again = Page::new(json!({ "type": "hello", "state": page.shown["state"] }));
    assert_eq!(again.shown["view"]["is_waiting"], true);
    assert_eq!(again.shown["link"], page.shown["link"]);
}

#[test]
fn a_game_is_analyzed_again_at_another_level() {
    let mut page = Page::on("f5d6");
    for level in [1, 2, 2] {
        let view = page.event(json!({ "event": "analyze", "level": level }));
        assert!(view["analysis"]["analyst"].as_str().expect("words").contains(&format!("level {level}")), "{view}");
        assert_eq!(view["analysis"]["moves"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn a_record_that_could_not_be_kept_is_refused() {
    let mut page = Page::new(hello());
    page.play("f5");
    let link = page.shown["link"].clone();
    let sgf = format!("(;GM[2]FF[4]SZ[8]C[{}];B[f5];W[d6])", "long ".repeat(100_000));
    page.open("long.sgf", &sgf);
    assert!(page.sentence().contains("too long"), "{}", page.sentence());
    assert_eq!(page.shown["link"], link);
}

/// A page with the small book, after these moves.
fn page_with_book(link: &str) -> Page {
    Page::with_book(json!({ "type": "hello", "link": link }), Some(small_book::small_book()))
}

#[test]
fn the_book_says_what_it_knows_about_a_position_and_its_moves() {
    let mut page = page_with_book("f5");
    assert_eq!(page.shown["has_book"], true);
    let found = page.look_up();
    assert_eq!(found["in_book"], true);
    assert_eq!(found["value"], json!({ "kind": "discs", "discs": 1.0 }));
    assert_eq!((&found["games"], &found["is_open"]), (&json!(100), &json!(false)));
    assert_eq!(found["others_at_most"], Value::Null, "there are no others");
    let names = ["Perpendicular", "Diagonal", "Parallel"];
    let expected: Vec<_> = small_book::REPLIES.iter().zip(names).map(|(&(square, value, games), name)| {
        let value = json!({ "kind": "discs", "discs": value });
        let depth = small_book::DEPTH;
        json!({ "move": square, "symmetric_moves": [], "value": value, "to": "book", "depth": depth, "selectivity": 73, "games": games, "opening": name })
    }).collect();
    assert_eq!(found["moves"], json!(expected));
    let branches = found["tree"]["branches"].as_array().expect("branches");
    let drawn: Vec<_> =
        branches.iter().map(|branch| json!([branch["move"], branch["share"], branch["value"]["discs"]])).collect();
    // The same values, seen from Black.
    assert_eq!(drawn, [json!(["d6", 0.6, -1.0]), json!(["f6", 0.3, -0.5]), json!(["f4", 0.1, 3.0])]);
    assert!(found["line"].as_str().expect("a line").starts_with("d6"), "{found}");
}

#[test]
fn moves_of_the_book_are_stepped_into_and_out_of_while_the_engine_waits() {
    let mut page = page_with_book("");
    for (square, link) in [("f5", "f5"), ("d6", "f5d6")] {
        page.event(json!({ "event": "step_in", "square": square }));
        assert_eq!((&page.shown["link"], &page.shown["view"]["is_reviewing"]), (&json!(link), &json!(true)));
    }
    let leaf = page.look_up();
    assert_eq!((&leaf["in_book"], &leaf["moves"][0]["to"]), (&json!(true), &json!("leaf")));
    // The other moves that lead out of the book are not better.
    assert_eq!((&leaf["value"]["discs"], &leaf["others_at_most"]), (&json!(-1.0), &json!(-1.0)));
    let square = leaf["moves"][0]["move"].clone();
    page.event(json!({ "event": "step_in", "square": square }));
    let outside = page.look_up();
    assert_eq!((&outside["in_book"], &outside["value"]), (&json!(false), &Value::Null));
    assert_eq!((&outside["moves"], &outside["tree"]["branches"]), (&json!([]), &json!([])));
    for _ in 0..2 {
        page.event(json!({ "event": "go", "step": "back" }));
    }
    assert_eq!(page.look_up()["moves"][0]["move"], "d6");
}

#[test]
fn moves_that_are_the_same_by_symmetry_are_listed_and_drawn_once() {
    let found = page_with_book("").look_up();
    let moves = found["moves"].as_array().expect("moves");
    assert_eq!((moves.len(), &moves[0]["move"]), (1, &json!("d3")));
    assert_eq!(moves[0]["symmetric_moves"], json!(["c4", "f5", "e6"]));
    let branches = found["tree"]["branches"].as_array().expect("branches");
    assert_eq!((branches.len(), &branches[0]["move"]), (1, &json!("f5")));
}

#[test]
fn the_values_on_the_board_are_those_of_the_panel_of_the_book_and_of_the_analysis() {
    let mut page = page_with_book("f5");
    let hints: Vec<_> = page.hints(4).iter().map(|hint| json!([hint["move"], hint["value"], hint["origin"]])).collect();
    let known = page.look_up();
    let known = known["moves"].as_array().expect("moves").iter();
    let known: Vec<_> = known.map(|known| json!([known["move"], known["value"], "book"])).collect();
    assert_eq!((hints.len(), &hints), (small_book::REPLIES.len(), &known));
    let mut page = page_with_book("f5f4");
    let view = page.event(json!({ "event": "analyze", "level": 1 }));
    let judged = &view["analysis"]["moves"][1];
    assert_eq!(json!([judged["move"], judged["value"], "book"]), known[2]);
    assert_eq!(json!([judged["best"], judged["best_value"], "book"]), known[0]);
    // The four first moves have the same value on their squares, and name each other.
    let mut page = page_with_book("");
    let hints = page.hints(4);
    assert_eq!(hints.len(), 4);
    for hint in hints {
        assert_eq!((&hint["value"], &hint["origin"]), (&json!({ "kind": "discs", "discs": -1.0 }), &json!("book")));
        assert_eq!(hint["symmetric_moves"].as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn an_analysis_marks_the_moves_of_the_book() {
    let mut page = page_with_book("f5d6c3d3");
    let view = page.event(json!({ "event": "analyze", "level": 1 }));
    let moves = view["analysis"]["moves"].as_array().expect("moves");
    let marked: Vec<_> = moves.iter().map(|judged| judged["in_book"].as_bool()).collect();
    assert_eq!(marked, [Some(true), Some(true), Some(false), Some(false)]);
    assert!(page.saved("html").contains(">book<"), "the report marks them, too");
}

#[test]
fn without_a_book_or_on_another_board_there_is_nothing_to_look_up() {
    let mut other = page_with_book("");
    other.event(json!({ "event": "new_game", "sides": "both", "clock": "", "board": "6x6" }));
    for mut page in [Page::new(hello()), other] {
        assert_eq!(page.shown["has_book"], false);
        page.ask(json!({ "type": "book" }));
        assert_eq!(page.others, [json!({ "type": "error", "sentence": "There is no opening book here." })]);
    }
}

#[test]
fn a_farm_is_looked_at_if_there_is_one_and_nothing_else_can_be_done_with_it() {
    let mut page = Page::new(hello());
    assert_eq!(page.shown["has_farm"], false);
    page.ask(json!({ "type": "farm" }));
    assert_eq!(page.others, [json!({ "type": "error", "sentence": "There is no farm here." })]);
    page.host = Host::new(registry(), HostOptions { has_farm: true, ..OPTIONS });
    page.ask(hello());
    assert_eq!(page.shown["has_farm"], true);
    // Other keys change nothing.
    for request in [json!({ "type": "farm" }), json!({ "type": "farm", "task": "3fa9", "decision": "cancel" })] {
        page.ask(request);
        assert_eq!(page.others, ["a look at the farm"]);
    }
    for kind in ["farm_pause", "farm pause", "pause", "cancel", "clear", "Farm"] {
        page.ask(json!({ "type": kind, "task": "3fa9" }));
        let [answer] = &page.others[..] else { panic!("one answer: {:?}", page.others) };
        assert_eq!(answer["type"], "error", "{kind}");
    }
    for event in ["farm", "pause", "cancel"] {
        page.event(json!({ "event": event, "task": "3fa9" }));
        assert_eq!(page.others[0]["type"], "error", "{event}");
    }
}
