//! Runs the dialogs with the screen in `dialogs/*.txt`. Each begins with `== ` and a sentence; every further line is a word
//! and its text: a setting, an input, or an expected value. In texts, `\n` is Enter, `\e` is Escape, `\u` is Ctrl-U, `\s` is
//! a space, and `{folder}` is a folder of the dialog alone. `# ` begins a comment. A dialog with several sizes is run once for each.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use engine::Estimate;
use engine::analysis::{JudgedMove, Judgement, Rating};

use super::*;

/// A line of a dialog: its number, its word, its text.
struct Step {
    line: usize,
    word: String,
    text: String,
}

#[test]
fn every_dialog_goes_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/full_screen/tests/dialogs");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the dialogs").map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() >= 4, "{paths:?}");
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("a file with dialogs");
        for dialog in dialogs(&text) {
            let files = folder_of(&format!("{name}-{}", dialog[0].line));
            for size in setting(&dialog, "sizes").unwrap_or("80x24").split(' ') {
                for board in setting(&dialog, "board").unwrap_or("8x8").split(' ') {
                    let result = match board {
                        "8x8" if setting(&dialog, "begin").is_some() => run(analyzed(), &dialog, size, &files),
                        "8x8" => run(begin::<Board>(&dialog), &dialog, size, &files),
                        "6x6" => run(begin::<SmallBoard<6>>(&dialog), &dialog, size, &files),
                        "4x4" => run(begin::<SmallBoard<4>>(&dialog), &dialog, size, &files),
                        "cut" => run(begin::<CutBoard>(&dialog), &dialog, size, &files),
                        _ => panic!("unknown board: {board}"),
                    };
                    result.unwrap_or_else(|error| panic!("{}:{error}", path.display()));
                }
            }
            fs::remove_dir_all(files).expect("the folder can be removed");
        }
    }
}

fn dialogs(text: &str) -> Vec<Vec<Step>> {
    let mut dialogs: Vec<Vec<Step>> = Vec::new();
    for (line, content) in
        (1..).zip(text.lines()).filter(|(_, content)| !content.is_empty() && !content.starts_with("# "))
    {
        let (word, text) = content.split_once(' ').unwrap_or((content, ""));
        if word == "==" {
            dialogs.push(Vec::new());
        }
        let step = Step { line, word: word.to_owned(), text: text.to_owned() };
        dialogs.last_mut().expect("a heading comes first").push(step);
    }
    dialogs
}

fn setting<'a>(dialog: &'a [Step], word: &str) -> Option<&'a str> {
    dialog.iter().find(|step| step.word == word).map(|step| step.text.as_str())
}

/// The game that the settings of a dialog describe: by default, a person with Black against an engine.
fn begin<B: StudiedBoard>(dialog: &[Step]) -> TestGame<B> {
    let clock = setting(dialog, "clock").map(|seconds| GameClock::new(time(seconds)));
    let level = setting(dialog, "opponent-level").map(|level| Level::clamped(number(level)));
    let engine = |name: &str| Opponent::new(seating(name).notation, name.to_owned(), level, clock.is_some());
    let seat = |name: &str| if name == "person" { None } else { Some(engine(name)) };
    let (black, white) =
        setting(dialog, "seats").and_then(|seats| seats.split_once(' ')).unwrap_or(("person", "random"));
    let game = match setting(dialog, "game") {
        Some(position) if position.contains(' ') => Game::from_position(position.parse().expect("a position")),
        moves => transcript::parse(moves.unwrap_or_default()).expect("legal moves"),
    };
    TestGame::with(game, [seat(black), seat(white)], clock)
}

fn time(seconds: &str) -> Duration {
    Duration::from_secs(number(seconds))
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"))
}

/// Carries out a dialog; an error begins with the number of the line.
fn run<B: StudiedBoard>(mut test: TestGame<B>, dialog: &[Step], size: &str, folder: &Path) -> Result<(), String> {
    resize(&mut test, size);
    let mut remembered = String::new();
    for Step { line, word, text } in dialog {
        let text = text.replace("{folder}", &folder.display().to_string());
        let text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\s", " ");
        let text = text.replace("\\e", "\u{1b}").replace("\\u", "\u{15}");
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let is_expected = match word.as_str() {
            "==" | "begin" | "board" | "clock" | "game" | "opponent-level" | "seats" | "sizes" => true,
            "remember" => {
                remembered = test.picture();
                true
            }
            "changed" => test.picture() != remembered,
            "shows" => has_words(&test.picture(), &text),
            "lacks" => !test.picture().contains(&text),
            "count" => test.picture().matches(rest).count() == number::<usize>(first),
            "ascii-count" => drawn(&test.screen, Look::PLAIN).matches(rest).count() == number::<usize>(first),
            "whole" => {
                let is_whole = |line: &str| line.ends_with(&text) || line.contains(&format!("{text}  "));
                test.picture().lines().any(is_whole)
            }
            "line-end" => test.picture().lines().any(|line| line.ends_with(&text)),
            "form" => format!("{:?}", test.screen.form).starts_with(&text),
            "file" => fs::write(folder.join(first), rest).is_ok(),
            "content" => fs::read_to_string(folder.join(first)).is_ok_and(|content| content == rest),
            "contains" => fs::read_to_string(folder.join(first)).is_ok_and(|content| content.contains(rest)),
            "no-file" => !folder.join(first).exists(),
            _ => match value(&test, word) {
                Some(found) => {
                    let expected = text.strip_suffix("...");
                    let is_equal = expected.map_or(found == text, |expected| found.starts_with(expected));
                    is_equal.then_some(()).ok_or(format!("{line}: {word} is {found:?}, not {text:?}"))?;
                    true
                }
                None => act(&mut test, word, &text),
            },
        };
        is_expected.then_some(()).ok_or_else(|| format!("{line}: {word} {text:?} fails\n{}", test.picture()))?;
    }
    Ok(())
}

/// The value that a word stands for, as text.
fn value<B: StudiedBoard>(test: &TestGame<B>, word: &str) -> Option<String> {
    let (screen, view) = (&test.screen, &test.screen.view);
    Some(match word {
        "moves" => test.moves(),
        "move-count" => view.move_count.to_string(),
        "position" => test.session.game().position().to_string(),
        "is-over" => test.session.is_over().to_string(),
        "shows-hints" => view.shows_hints.to_string(),
        "unsaved" => or_none(view.unsaved.clone()),
        "person" => {
            let people = view.seats.iter().filter(|seat| seat.is_person());
            people.map(|seat| seat.color.to_string()).collect()
        }
        "awaits-person" => screen.awaits_person().to_string(),
        "is-ascii" => drawn(screen, Look::PLAIN).is_ascii().to_string(),
        "seconds" => screen.seat(view.turn).seconds.to_string(),
        "hints" => view.hints.len().to_string(),
        "hint-lines" => listed_hints(test).to_string(),
        "hint-settings" => format!("{} {}", view.hint_settings.level, view.hint_settings.lines),
        "prompt" => match &screen.form {
            Form::Prompt(prompt) => prompt.line.text(),
            form => format!("{form:?}"),
        },
        "requests" => format!("{:?}", test.requests),
        "effects" => test.effects.len().to_string(),
        "stops" => {
            let is_stop =
                |effect: &&Effect<B>| matches!(effect, Effect::Stop { number } if Some(*number) == asked(test));
            test.effects.iter().filter(is_stop).count().to_string()
        }
        "other-board" => match test.effects.last() {
            Some(Effect::ChangeBoard(other)) => other.shape.name().to_owned(),
            _ => "none".to_owned(),
        },
        "stopped-analysis" => {
            let stopped = test.effects.last().is_some_and(
                |effect| matches!(effect, Effect::Stop { number } if Some(*number) == order_to_analyze(test)),
            );
            stopped.to_string()
        }
        "asked-level" => or_none(test.asked.as_ref().and_then(|(_, _, limits)| limits.level)),
        "choice" => choice(test).line.text(),
        "listed" => or_none(choice(test).listed().map(|listed| &listed.name)),
        "chosen" => chosen(test),
        "chosen-level" => or_none(choice(test).chosen_level()),
        "is-in-list" => (choice(test).level_place() == Some(choice(test).level)).to_string(),
        "rows" => test.picture().lines().count().to_string(),
        _ => return None,
    })
}

/// Carries out an input; false if there is no such word.
fn act<B: StudiedBoard>(test: &mut TestGame<B>, word: &str, text: &str) -> bool {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "keys" => test.type_keys(text),
        "press" => {
            for name in text.split(' ') {
                let key = match name.strip_prefix("Ctrl-") {
                    Some(letter) => {
                        KeyEvent::new(KeyCode::Char(letter.parse().expect("a letter")), KeyModifiers::CONTROL)
                    }
                    None => keys().into_iter().find(|key| format!("{key:?}") == name).expect("a key").into(),
                };
                test.happen(Input::Key(key));
            }
        }
        "terminate" => test.happen(Input::Terminate),
        "paste" => test.happen(Input::Paste(text.to_owned())),
        "size" => resize(test, text),
        "slow" => test.is_slow = true,
        "restart" => test.handle(Event::Restart),
        "plays" => {
            let choice = Choice::of(text.parse().expect("a square"));
            test.take(asked(test).expect("a question"), Reply::Chosen { choice: choice.into() });
        }
        "thinks" => {
            let line = vec![text.parse().expect("a square")];
            let progress = Progress { depth: 9, selectivity: 100, line, nodes: 12_345, ..Progress::default() };
            test.take(asked(test).expect("a question"), Reply::Thought { progress: progress.into() });
        }
        "fails" => {
            let number = last_order(test, |order| matches!(order, Order::NewGame)).expect("a new game");
            test.take(number, Reply::Failed { reason: "random failed: it is tired".to_owned() });
        }
        "advice" => test.advice_level = number(text),
        "answer" => {
            let answer = test.choice().expect("an answer");
            test.take_answer(answer);
        }
        "now" => {
            test.now = time(text);
            test.tick();
        }
        // The time passes as for the loop of the program, whose watch stands while the screen awaits the person.
        "wait" => {
            for _ in 0..number(text) {
                if !test.screen.awaits_person() {
                    test.now += Duration::from_secs(1);
                }
                test.tick();
            }
        }
        "cursor" => test.screen.cursor = test.screen.geometry.parse_square(text).expect("a square"),
        "footer" => click_footer(test, text),
        "click" => {
            let layout = Layout::new(B::GEOMETRY, test.screen.size).expect("it fits");
            let area = layout.square(B::GEOMETRY.parse_square(first).expect("a square"));
            let (x, y) = rest.split_once(' ').expect("a place in the square");
            click(test, area.x + number::<u16>(x), area.y + number::<u16>(y));
        }
        "click-at" if rest == "last" => click(test, number(first), test.screen.size.1 - 1),
        "click-at" => click(test, number(first), number(rest)),
        "move-mouse" => test.happen(mouse(MouseEventKind::Moved, number(first), number(rest))),
        "wheel" if text == "up" => test.happen(mouse(MouseEventKind::ScrollUp, 10, 10)),
        "wheel" => test.happen(mouse(MouseEventKind::ScrollDown, 10, 10)),
        _ => return false,
    }
    true
}

fn click<B: StudiedBoard>(test: &mut TestGame<B>, column: u16, row: u16) {
    test.happen(mouse(MouseEventKind::Down(MouseButton::Left), column, row));
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Input {
    Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}

/// Clicks on the first of these words in the last row.
fn click_footer<B: StudiedBoard>(test: &mut TestGame<B>, words: &str) {
    let picture = test.picture();
    let footer = picture.lines().last().expect("a line");
    let at = footer.find(words).unwrap_or_else(|| panic!("{words:?} is not in {footer:?}"));
    click(test, footer[..at].chars().count() as u16, test.screen.size.1 - 1);
}

fn resize<B: StudiedBoard>(test: &mut TestGame<B>, size: &str) {
    let (width, height) = match size.split_once('x') {
        Some((width, height)) => (number(width), number(height)),
        None => needed(&B::GEOMETRY),
    };
    test.happen(Input::Resize(width, height));
}

fn listed_hints<B: StudiedBoard>(test: &TestGame<B>) -> usize {
    let picture = test.picture();
    let rows = picture.lines().skip_while(|row| !row.contains("Hints ")).skip(1);
    let panel = rows.map(|row| row.chars().skip(43).collect::<String>());
    panel.take_while(|row| !row.contains("Moves")).filter(|row| row.trim_start().starts_with(['+', '-'])).count()
}

fn order_to_analyze<B: StudiedBoard>(test: &TestGame<B>) -> Option<OrderNumber> {
    last_order(test, |order| matches!(order, Order::Analyze { .. }))
}

fn last_order<B: StudiedBoard>(test: &TestGame<B>, is_wanted: fn(&Order<B>) -> bool) -> Option<OrderNumber> {
    test.effects.iter().rev().find_map(|effect| match effect {
        Effect::Start { number, order } if is_wanted(order) => Some(*number),
        _ => None,
    })
}

/// The number of the last question to the engine.
fn asked<B: StudiedBoard>(test: &TestGame<B>) -> Option<OrderNumber> {
    test.asked.as_ref().map(|(number, ..)| *number)
}

/// Two people after some moves, whose analysis was requested.
fn analyzed() -> TestGame<Board> {
    let game = transcript::parse::<Board>("f5f6e6f4g5").expect("a game");
    let mut test = TestGame::with(game.clone(), [None, None], None);
    test.type_keys("x");
    let order = order_to_analyze(&test).expect("it is analyzed");
    test.shows("Analysis, 0 of 5 moves");
    let mut before = Game::<Board>::new();
    for (number, (square, loss)) in game.moves().into_iter().zip([0, 250, 0, 1_200, 0]).enumerate() {
        let other = othello::squares(before.position().board.moves()).find(|&other| other != square);
        let rating = |square, hundredths| Rating::new(square, Some(Estimate::Discs { hundredths }), vec![square]);
        let best = rating(if loss == 0 { square } else { other.expect("a choice") }, 100);
        let judgement = Judgement::new(best, rating(square, 100 - loss));
        let judged = JudgedMove { number: number + 1, position: before.position(), judgement };
        test.take(order, Reply::Judged { judged: Box::new(judged.into()) });
        before.play(square).expect("legal");
    }
    test.take(order, Reply::Done);
    test
}
