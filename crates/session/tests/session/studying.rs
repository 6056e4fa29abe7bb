//! The analysis of a game: ordered, stopped, shown, jumped into, written as a report.

use std::time::Duration;

use engine::analysis::{JudgedMove, Judgement, Mark, Rating};
use engine::{Estimate, GameClock, Limits};
use othello::{Board, Color, Game, Rules};
use records::transcript;
use session::{Confirmation, Effect, Event, FileResult, InputKind, Message, Order, OrderNumber, Reply, Step};

use crate::test_session::{TestSession, engine, minutes, start};

const GAME: &str = "f5f6e6f4g5";

/// Two people at the end of some moves.
fn two_people() -> TestSession<Board> {
    let game = transcript::parse::<Board>(GAME).expect("a game");
    TestSession::of(start(game, [None, None], Some(GameClock::new(Duration::from_secs(10)))))
}

/// The last order to analyze: its number, the game and the first move to judge.
fn asked(test: &TestSession<Board>) -> (OrderNumber, Game<Board>, usize) {
    let order = test.effects.iter().rev().find_map(|effect| match effect {
        Effect::Start { number, order: Order::Analyze { game, from, .. } } => {
            Some((*number, game.game().expect("legal moves"), *from))
        }
        _ => None,
    });
    order.expect("an analysis was ordered")
}

/// Judges a move: the played one is worth this many hundredths of a disc less than the best, which is another.
fn judge(test: &mut TestSession<Board>, number: usize, loss: i32) {
    let (number_of_order, game, _) = asked(test);
    let mut before = game;
    before.rewind();
    for _ in 1..number {
        before.redo();
    }
    let played = before.line()[number - 1];
    let other = othello::squares(before.position().board.moves()).find(|&square| square != played).expect("a choice");
    let rating = |square, hundredths| Rating::new(square, Some(Estimate::Discs { hundredths }), vec![square]);
    let best = if loss == 0 { rating(played, 100) } else { rating(other, 100) };
    let judgement = Judgement::new(best, rating(played, 100 - loss));
    let judged = JudgedMove { number, position: before.position(), judgement };
    test.take(number_of_order, Reply::Judged { judged: Box::new(judged.into()) });
}

#[test]
fn a_game_is_analyzed_in_the_background_and_its_mistakes_are_listed() {
    let mut test = two_people();
    assert!(test.view().can.analyze && test.view().analysis.is_none());
    test.handle(Event::Analyze { level: Some(6) });
    let (order, game, from) = asked(&test);
    assert_eq!((transcript::format(&game).as_str(), from), (GAME, 0));
    let Some(Order::Analyze { choice, .. }) = test.last_order() else { panic!("ordered") };
    assert_eq!(choice.limits, Limits::of_level(6));
    assert!(test.said().starts_with("Analyzing with emilia, level 6"), "{}", test.said());
    // Meanwhile the clocks stand.
    test.now = Duration::from_secs(60);
    for (number, loss) in [(1, 0), (2, 250), (3, 0), (4, 1_200), (5, 500)] {
        judge(&mut test, number, loss);
    }
    assert!(test.view().analysis.is_some_and(|analysis| analysis.is_running && analysis.moves.len() == 5));
    test.take(order, Reply::Done);
    assert_eq!(test.said(), "The analysis is complete: 3 mistakes.");
    let view = test.view();
    assert!(view.result.is_none() && !view.seats[1].runs);
    let analysis = view.analysis.expect("an analysis");
    let mistakes: Vec<_> = analysis.mistakes().map(|judged| (judged.number, judged.color, judged.mark)).collect();
    assert_eq!(
        mistakes,
        [
            (2, Color::White, Some(Mark::Inaccuracy)),
            (4, Color::White, Some(Mark::Blunder)),
            (5, Color::Black, Some(Mark::Mistake))
        ]
    );
    // Seen from Black: White's move 4 was worth 11 discs less than nothing to White.
    assert_eq!(analysis.moves[3].black_discs, Some(11.0));
    assert_eq!((analysis.sides[1].moves, analysis.sides[1].marks.blunders), (2, 1));
    assert!(!analysis.is_running && analysis.move_count == 5 && analysis.next.is_none());
    // What is complete is not done again.
    let count = test.effects.len();
    test.handle(Event::Analyze { level: None });
    assert_eq!(test.effects.len(), count);
}

#[test]
fn an_analysis_is_stopped_and_goes_on_where_it_was() {
    let mut test = two_people();
    test.handle(Event::Analyze { level: None });
    let (first, ..) = asked(&test);
    judge(&mut test, 1, 0);
    judge(&mut test, 2, 0);
    test.handle(Event::StopAnalysis);
    assert_eq!(test.effects.last(), Some(&Effect::Stop { number: first }));
    test.take(first, Reply::Done);
    assert_eq!(test.said(), "The analysis stopped after 2 of 5 moves: no mistakes so far.");
    test.handle(Event::Analyze { level: None });
    let (second, _, from) = asked(&test);
    assert_eq!((from, second > first), (2, true));
    // What still comes of the first counts for nothing.
    test.take(first, Reply::Failed { reason: "late".to_owned() });
    assert!(test.view().analysis.is_some_and(|analysis| analysis.is_running));
    test.take(second, Reply::Failed { reason: "emilia failed: it is tired".to_owned() });
    assert_eq!(test.said(), "The game could not be analyzed: emilia failed: it is tired.");
    // Another game has none, and the one that runs ends.
    test.handle(Event::Analyze { level: None });
    let (third, ..) = asked(&test);
    test.handle(Event::Restart);
    assert_eq!(test.view().analysis, None);
    assert!(test.effects.contains(&Effect::Stop { number: third }));
    test.handle(Event::Analyze { level: None });
    assert_eq!(test.said(), "There are no moves to analyze.");
}

#[test]
fn a_mistake_is_jumped_to_from_anywhere_and_the_analysis_stays_with_its_game() {
    let mut test = two_people();
    test.handle(Event::ShowMove { number: 3 });
    assert_eq!(test.said(), "The game has not been analyzed.");
    test.handle(Event::Analyze { level: None });
    for number in 1..=5 {
        judge(&mut test, number, 0);
    }
    test.handle(Event::ShowMove { number: 3 });
    assert_eq!(test.moves(), "f5f6");
    assert_eq!(test.view().analysis.and_then(|analysis| analysis.next), Some(3));
    // A variation is tried there: the line of the analysis is found again.
    let other = test.view().legal_moves.into_iter().map(|legal| legal.square).find(|square| square != "e6");
    test.play(&other.expect("a choice"));
    assert_eq!(test.view().analysis.and_then(|analysis| analysis.next), None);
    test.handle(Event::ShowMove { number: 5 });
    assert_eq!(test.moves(), "f5f6e6f4");
    test.handle(Event::Go { step: Step::ToEnd });
    assert_eq!(test.moves(), GAME);
    test.handle(Event::ShowMove { number: 999 });
    assert_eq!(test.moves(), GAME);
}

#[test]
fn moves_are_stepped_into_for_both_sides_and_the_game_goes_on_where_it_was() {
    let mut test = TestSession::<Board>::with([None, engine("random", None)], None);
    test.play("f5");
    let game = test.moves();
    // Who is to move does not matter, and the engine does not answer.
    let mut stepped = game.clone();
    for _ in 0..3 {
        let square = test.view().legal_moves[0].square.clone();
        test.handle(Event::StepIn { square: square.clone() });
        stepped += &square;
        assert_eq!((test.moves(), test.view().is_reviewing), (stepped.clone(), true));
        assert!(!test.view().is_thinking);
    }
    test.handle(Event::StepIn { square: "a1".to_owned() });
    assert_eq!(test.moves(), stepped, "{}", test.said());
    assert!(test.said().contains("a1"), "{}", test.said());
    for _ in 0..3 {
        test.handle(Event::Go { step: Step::Back });
    }
    assert_eq!((test.moves(), test.view().is_reviewing), (game.clone(), false));
    // A move that is played there continues the game, and the engine answers.
    let square = test.view().legal_moves[1].square.clone();
    test.play(&square);
    assert_eq!(test.moves().len(), game.len() + 4, "{}", test.moves());
    assert!(test.moves().starts_with(&(game + &square)));
}

#[test]
fn stepping_into_a_move_stops_the_clock() {
    let mut test = TestSession::<Board>::with([None, None], minutes(1));
    test.handle(Event::Tick);
    assert!(test.view().seats[0].runs);
    test.handle(Event::StepIn { square: "f5".to_owned() });
    assert!(test.view().seats.iter().all(|seat| !seat.runs));
    test.handle(Event::Go { step: Step::Back });
    assert!(test.view().seats[0].runs, "the game goes on");
}

#[test]
fn while_a_game_is_analyzed_its_engine_waits() {
    let mut test = TestSession::<Board>::with([None, engine("random", None)], None);
    test.is_slow = true;
    test.play("f5");
    test.handle(Event::Analyze { level: None });
    assert!(test.view().is_waiting && test.view().is_reviewing);
    test.handle(Event::Continue);
    assert!(test.view().is_thinking && !test.view().is_reviewing);
}

#[test]
fn the_report_is_a_page_about_the_game_and_a_file_is_not_overwritten_unasked() {
    let mut test = two_people();
    let write = |overwrite| Event::WriteReport { path: "game.html".into(), overwrite };
    test.handle(write(false));
    assert_eq!(test.said(), "The game has not been analyzed.");
    test.handle(Event::Analyze { level: None });
    judge(&mut test, 1, 0);
    judge(&mut test, 2, 500);
    test.handle(write(false));
    let Some(Effect::WriteReport { html, overwrite: false, .. }) = test.effects.last() else { panic!("written") };
    assert!(html.starts_with("<!doctype html>") || html.starts_with("<!DOCTYPE html>"), "{}", &html[..40]);
    assert!(html.contains("Interrupted after 2 of 5 moves.") && html.contains("you"), "{html}");
    test.take_file("game.html", FileResult::Exists { there: vec!["game.html".into()], is_report: true });
    let asked = test.view().question;
    assert!(matches!(asked, Some(Confirmation::Overwrite { is_report: true, .. })), "{asked:?}");
    test.handle(write(true));
    test.take_file("game.html", FileResult::ReportWritten);
    assert_eq!(test.said(), "The report was written to game.html.");
    let reason = "cannot write game.html".to_owned();
    test.take_file("game.html", FileResult::Failed { what: InputKind::Report, reason });
    assert!(matches!(test.view().message.map(|said| said.message), Some(Message::Refused { .. })));
}
