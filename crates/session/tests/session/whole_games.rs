//! Whole games played by events alone, compared with the same games by the rules.

use othello::random::Random;
use othello::{Board, Color, CutBoard, Game, Position, SmallBoard, SquareSet, squares};
use players::PlayableBoard;
use session::{Event, Step, View};

use crate::test_session::{TestSession, engine};

fn agrees<B: PlayableBoard>(view: &View, game: &Game<B>) {
    let position = game.position();
    let shown: String = view.board.rows.concat().chars().filter(|symbol| *symbol != ' ').collect();
    let turn = position.turn;
    assert_eq!(format!("{shown} {}", turn.disc()), position.to_string());
    assert_eq!(view.turn, turn);
    for color in [Color::Black, Color::White] {
        assert_eq!(view.seats[color as usize].discs, position.discs(color).count() as usize);
    }
    let name = |square| B::GEOMETRY.square_name(square);
    let legal: Vec<_> = squares(position.board.moves()).map(name).collect();
    assert_eq!(view.legal_moves.iter().map(|legal| legal.square.clone()).collect::<Vec<_>>(), legal);
    for legal in &view.legal_moves {
        // The discs that change hands, by playing the move.
        let square = B::GEOMETRY.parse_square(&legal.square).expect("a square");
        let after = position.play(square).expect("a legal move");
        let flipped: Vec<_> = squares(position.discs(!turn) & after.discs(turn)).map(name).collect();
        assert_eq!(legal.flips, flipped);
    }
    let plies = game.plies();
    assert_eq!(view.played, plies.len());
    let shown: Vec<_> = view.moves[..view.played].iter().map(|ply| (ply.color, ply.square.clone())).collect();
    assert_eq!(shown, plies.iter().map(|ply| (ply.color, ply.square.map(name))).collect::<Vec<_>>());
    assert_eq!(
        view.last_move.as_ref().map(|last| last.square.clone()),
        game.moves().last().map(|&square| name(square))
    );
    assert_eq!((view.move_count, view.empties), (game.move_count(), position.board.empties().count()));
    assert_eq!(view.result.is_some(), game.is_over());
    if let Some(result) = &view.result {
        assert_eq!(Some(result.score), game.score());
        let winner = match result.score.discs() {
            0 => None,
            score => Some(if score > 0 { Color::Black } else { Color::White }),
        };
        assert_eq!((result.winner, result.out_of_time), (winner, None));
    }
}

/// Two people play random moves to the end, and go back to the start.
fn two_people<B: PlayableBoard>(seed: u64) {
    let mut test = TestSession::<B>::with([None, None], None);
    let mut game = Game::<B>::from_position(Position::start());
    let mut random = Random::new(seed);
    while !game.is_over() {
        agrees(&test.view(), &game);
        let moves: Vec<_> = squares(game.position().board.moves()).collect();
        let square = moves[random.below(moves.len())];
        game.play(square).expect("a legal move");
        test.play(&B::GEOMETRY.square_name(square));
    }
    agrees(&test.view(), &game);
    test.play("a1");
    assert_eq!(test.said(), "The game is over.");
    while game.undo().is_some() {
        assert!(test.view().can.take_back);
        test.handle(Event::Go { step: Step::TakeBack });
        agrees(&test.view(), &game);
        assert!(test.view().can.play_again);
    }
    assert!(!test.view().can.take_back);
}

#[test]
fn a_game_of_two_people_is_shown_as_the_rules_have_it_on_every_board() {
    for seed in 1..4 {
        two_people::<Board>(seed);
        two_people::<SmallBoard<6>>(seed);
        two_people::<SmallBoard<4>>(seed);
        two_people::<CutBoard>(seed);
    }
}

/// The person always plays the first legal move, as the engine does.
fn against_an_engine<B: PlayableBoard>() {
    let mut test = TestSession::<B>::new();
    let mut game = Game::<B>::default();
    while !game.is_over() {
        game.play(game.position().board.moves().first().expect("a move")).expect("legal");
    }
    while let Some(legal) = test.view().legal_moves.first().cloned() {
        assert!(test.view().can.play);
        test.play(&legal.square);
    }
    agrees(&test.view(), &game);
}

#[test]
fn a_game_against_an_engine_is_played_by_events_alone_on_every_board() {
    othello::on_every_board!(against_an_engine);
}

#[test]
fn variations_are_listed_where_they_were_tried() {
    let mut test = TestSession::<SmallBoard<6>>::with([None, None], None);
    let first: Vec<_> = test.view().legal_moves.into_iter().map(|legal| legal.square).collect();
    for square in &first {
        test.play(square);
        test.handle(Event::Go { step: Step::Back });
    }
    test.handle(Event::Go { step: Step::Forward });
    let view = test.view();
    assert_eq!(view.moves[0].variations, first);
    assert_eq!((view.variations.clone(), view.can.variation), (first.clone(), true));
    test.handle(Event::Go { step: Step::Variation });
    assert_eq!(test.view().last_move.map(|last| last.square), first.first().cloned());
}

#[test]
fn two_engines_are_watched_and_made_to_wait() {
    let mut test = TestSession::<Board>::with([engine("random", None), engine("simple", None)], None);
    assert!(test.session.is_over(), "they play by themselves");
    test.handle(Event::Go { step: Step::TakeBack });
    assert!(test.view().is_waiting && test.view().can.go_on);
    test.handle(Event::Go { step: Step::ToStart });
    assert_eq!(test.moves(), "");
    test.handle(Event::Continue);
    assert!(test.session.is_over());
}
