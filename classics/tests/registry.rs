//! The players by their names.

use engine::{Limits, Silent, Stop};
use othello::{Board, CutBoard, Game};

use players::PlayableBoard;
use players::{PlayerOptions, SearchOptions};

fn options() -> PlayerOptions {
    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
    PlayerOptions { seed: 1, search, ..PlayerOptions::default() }
}

#[test]
fn every_player_is_found_by_its_name_and_opens_a_game() {
    fn check<B: PlayableBoard>() {
        for entry in classics::registry().entries::<B>() {
            let notation = entry.name.parse().unwrap();
            let mut player = classics::registry()
                .named_player::<B>(&notation, &options(), players::SharedResources::default())
                .unwrap();
            assert_eq!(player.name(), entry.name);
            player.new_game().unwrap();
            let mut game = Game::default();
            let choice = player.choose(&game, &Limits::of_level(1), &mut Silent, &Stop::new()).unwrap();
            game.play(choice.square).unwrap();
        }
    }
    othello::on_every_board!(check);
    assert_eq!(classics::registry().strongest::<Board>().name, "emilia");
    assert_eq!(classics::registry().strongest::<CutBoard>().name, "desdemona");
}

#[test]
fn errors_in_settings_name_the_player_and_what_may_be_meant() {
    for (text, words) in [
        ("iago@killers=of", "iago: unknown setting \"killers\"; valid: ordering, saved"),
        ("iago@early-count=of", "iago: early-count cannot be \"of\" (did you mean off?); expected one of on, off"),
        ("iago@orderin=response", "iago: unknown setting \"orderin\" (did you mean ordering?)"),
        ("iago@saved", "iago: saved needs a value; expected saved= and one of 3, 1, 0"),
        ("bill3@plies", "bill3: plies needs a value"),
        ("keyano@mobility=exat", "keyano: mobility cannot be \"exat\" (did you mean exact?)"),
        ("logistello@table=separate", "logistello: unknown setting \"table\" (did you mean tables?)"),
        ("desdemona@adjacency=onn", "desdemona: adjacency cannot be \"onn\" (did you mean on?)"),
        ("igao", "(did you mean iago?)"),
        ("deep-thought", "minimum-disc, maximum-disc, random"),
    ] {
        let error =
            classics::registry().limited_player::<Board>(&text.parse().unwrap(), &options()).err().unwrap().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    for text in ["iago@historical", "bill2@killers", "desdemona@transposition"] {
        assert!(classics::registry().limited_player::<Board>(&text.parse().unwrap(), &options()).is_ok(), "{text}");
    }
}
