//! Formats read back what they write: random games with random comments, on every board.

use std::io::Cursor;
use std::time::Duration;

use othello::{Board, Color, Game, Position, Rules, Score, SquareSet, squares};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use records::obf::{MoveScore, Problem};
use records::thor::{self, Names};
use records::{
    self, Annotation, Date, Ending, Format, GameRecord, TheoreticalScore, TimeControl, Writer, ggf, sgf, transcript,
};

/// Text with all kinds of special characters.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-zA-Z ]{1,20}",
        r#"[\[\]\\"'();:%#\n\r\t A-Z\u{e9}\u{3bb}\u{1f600}]{1,30}"#,
        any::<String>(),
        Just("ends with \\".to_owned()),
        Just("first\n(;GM[Othello]PB[not a game];)\n(;FF[4])".to_owned()),
    ]
}

/// Any position: a random disc or none on every square.
fn position<B: Rules>() -> impl Strategy<Value = Position<B>> {
    let area = B::GEOMETRY.area() as usize;
    (vec(0..4u8, area), any::<bool>()).prop_map(|(discs, black)| {
        let (mut player, mut opponent) = (B::Set::EMPTY, B::Set::EMPTY);
        for (square, disc) in squares(B::PLAYABLE).zip(discs) {
            match disc {
                0 => player |= B::Set::only(square),
                1 => opponent |= B::Set::only(square),
                _ => {}
            }
        }
        let turn = if black { Color::Black } else { Color::White };
        Position { board: B::from_discs(player, opponent), turn }
    })
}

/// Plays as many moves as there are choices, or to the end of the game.
fn play<B: Rules>(game: &mut Game<B>, choices: &[u16]) {
    for &choice in choices {
        let moves: Vec<_> = squares(game.position().board.moves()).collect();
        if moves.is_empty() {
            return;
        }
        game.play(moves[usize::from(choice) % moves.len()]).expect("a legal move");
    }
}

/// Choices for a whole game, or for the beginning of one.
fn choices<B: Rules>() -> impl Strategy<Value = Vec<u16>> {
    let area = B::GEOMETRY.area() as usize;
    prop_oneof![vec(any::<u16>(), 0..area), vec(any::<u16>(), area)]
}

fn line<B: Rules>(start: impl Strategy<Value = Position<B>>) -> impl Strategy<Value = Game<B>> {
    (start, choices::<B>()).prop_map(|(start, choices)| {
        let mut game = Game::from_position(start);
        play(&mut game, &choices);
        game
    })
}

fn any_start<B: Rules>() -> impl Strategy<Value = Position<B>> {
    prop_oneof![Just(Position::start()), position()]
}

/// A game with branches, at the end of its line.
fn tree<B: Rules>() -> impl Strategy<Value = Game<B>> {
    let branches = vec((0..100usize, vec(any::<u16>(), 1..10)), 0..6);
    (line(any_start()), branches).prop_map(|(mut game, branches)| {
        for (back, choices) in branches {
            for _ in 0..back % (game.move_count() + 1) {
                game.undo();
            }
            play(&mut game, &choices);
        }
        game.forward();
        game
    })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-6400i32..6400).prop_map(|hundredths| f64::from(hundredths) / 100.0),
        any::<f64>().prop_filter("finite", |number| number.is_finite()),
    ]
}

fn duration() -> impl Strategy<Value = Duration> {
    let hundredths = (0..1_000_000u64).prop_map(|hundredths| Duration::from_millis(10 * hundredths));
    prop_oneof![
        Just(Duration::ZERO),
        hundredths,
        (any::<u32>(), 0..1_000_000_000u32).prop_map(|(seconds, nanos)| { Duration::new(u64::from(seconds), nanos) })
    ]
}

fn time_control() -> impl Strategy<Value = TimeControl> {
    let times = (duration(), duration(), duration());
    times.prop_map(|(initial, increment, extension)| TimeControl { initial, increment, extension })
}

fn date() -> impl Strategy<Value = Date> {
    (1..=9999u16, 0..=12u8, 0..=31u8).prop_map(|(year, month, day)| {
        let day = Date::of_day(year, month, day).or(Date::of_month(year, month));
        day.or(Date::of_year(year)).expect("a year from 1 to 9999")
    })
}

fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![Just(Ending::Resignation), Just(Ending::Timeout), Just(Ending::Agreement)]
}

fn score<B: Rules>() -> impl Strategy<Value = Score> {
    let area = B::GEOMETRY.area() as i8;
    (-area..=area).prop_map(Score::new)
}

/// A record with all metadata for a game without branches.
fn record<B: Rules>(game: impl Strategy<Value = Game<B>>) -> impl Strategy<Value = GameRecord<B>> {
    let people = (text(), text(), option::of(number()), option::of(number()));
    let occasion = (text(), text(), option::of(date()), option::of(time_control()), text());
    let outcome = (option::of(score::<B>()), option::of(ending()));
    let annotation = (option::of(number()), option::of(duration()), text())
        .prop_map(|(evaluation, time, comment)| Annotation { evaluation, time, comment });
    let annotations = prop_oneof![Just(Vec::new()), vec(annotation, 0..130)];
    (game, people, occasion, outcome, annotations).prop_map(|(game, people, occasion, outcome, annotations)| {
        let plies = game.plies().len();
        let mut record = GameRecord::new(game);
        (record.black, record.white, record.black_rating, record.white_rating) = people;
        (record.event, record.place, record.date, record.time_control, record.comment) = occasion;
        (record.result, record.ending) = outcome;
        for (ply, annotation) in annotations.into_iter().take(plies).enumerate() {
            record.annotate(ply, annotation);
        }
        record
    })
}

/// Checks that a record survives writing and reading, in a file with two copies.
fn assert_file_round_trip(record: &GameRecord, format: Format) {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, format).expect("a text format");
    writer.write(record).expect("a record that fits");
    writer.write(record).expect("a record that fits");
    writer.finish().expect("written");
    let back: Vec<_> = records::read(bytes.as_slice(), "memory", format).collect();
    assert_eq!(back.len(), 2, "{}", String::from_utf8_lossy(&bytes));
    for result in back {
        assert_eq!(&result.expect("a record"), record, "{}", String::from_utf8_lossy(&bytes));
    }
}

fn assert_ggf_round_trip<B: Rules>(mut record: GameRecord<B>) -> GameRecord<B> {
    // GGF has no comments on single moves.
    for ply in 0..record.annotations.len() {
        if let Some(annotation) = record.annotation(ply).cloned() {
            record.annotate(ply, Annotation { comment: String::new(), ..annotation });
        }
    }
    assert_eq!(ggf::parse(&ggf::format(&record)).expect("a game"), record);
    record
}

fn assert_sgf_round_trip<B: Rules>(mut record: GameRecord<B>) -> GameRecord<B> {
    // SGF treats resignation and timeout as a loss of all squares, and has no agreed results.
    let whole = record.result.is_some_and(|score| score.discs().unsigned_abs() == B::GEOMETRY.area());
    record.ending = record.ending.filter(|&ending| whole && ending != Ending::Agreement);
    assert_eq!(sgf::parse(&sgf::format(&record)).expect("a game"), record);
    record
}

#[test]
fn positions_games_and_records_read_back_on_every_board() {
    fn check<B: Rules>() {
        proptest!(ProptestConfig::with_cases(200), |(
            position in position::<B>(),
            game in line::<B>(Just(Position::start())),
            ggf in record::<B>(line(any_start())),
            sgf in record::<B>(tree()),
        )| {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
            prop_assert_eq!(transcript::parse(&transcript::format(&game)).expect("a game"), game);
            assert_ggf_round_trip(ggf);
            assert_sgf_round_trip(sgf);
        });
    }
    othello::on_every_board!(check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn transcripts_read_back(game in line::<Board>(Just(Position::start()))) {
        if game.move_count() > 0 {
            assert_file_round_trip(&GameRecord::new(game), Format::Transcript);
        }
    }

    #[test]
    fn problems_read_back(position in position::<Board>(), scores in vec(-32..=32i8, 0..20), comment in text()) {
        let moves = position.board.moves();
        let pass = position.board.must_pass().then_some(None);
        let scores = squares(moves).map(Some).chain(pass).zip(scores);
        // Scores are even.
        let scores = scores.map(|(square, half)| MoveScore { square, score: Score::new(2 * half) }).collect();
        let comment = comment.replace(['\r', '\n'], " ").trim().to_owned();
        let problem = Problem { position, scores, comment };
        prop_assert_eq!(&problem.to_string().parse::<Problem>().expect("a problem"), &problem);
        assert_file_round_trip(&problem.into(), Format::Obf);
    }

    #[test]
    fn ggf_reads_back(record in record::<Board>(line(any_start()))) {
        assert_file_round_trip(&assert_ggf_round_trip(record), Format::Ggf);
    }

    #[test]
    fn sgf_reads_back(record in record::<Board>(tree())) {
        assert_file_round_trip(&assert_sgf_round_trip(record), Format::Sgf);
    }

    #[test]
    fn thor_reads_back(
        games in vec((line::<Board>(Just(Position::start())), 0..=32i8), 0..4),
        names in vec("[ -~\u{a1}-\u{ff}]{0,19}", 8),
        events in vec("[ -~\u{a1}-\u{ff}]{0,25}", 4),
        year in option::of(1..=9999u16),
        empties in option::of(1..=60u8),
    ) {
        let records: Vec<_> = games.into_iter().enumerate().map(|(index, (game, theoretical))| {
            let mut record = GameRecord::new(game);
            record.black = names[2 * index].clone();
            record.white = names[2 * index + 1].clone();
            record.event = events[index].clone();
            record.date = year.and_then(Date::of_year);
            record.result = Some(record.game.position().black_score());
            record.theoretical = empties
                .map(|empties| TheoreticalScore { score: Score::new(2 * theoretical), empties });
            record
        }).collect();
        let mut writer = thor::Writer::new(Cursor::new(Vec::new()), Date::of_day(2001, 2, 3)).expect("memory");
        for record in &records {
            writer.write(record).expect("a record that fits");
        }
        let (mut players, mut tournaments) = (Vec::new(), Vec::new());
        let bytes = writer.finish(&mut players, &mut tournaments).expect("memory").into_inner();
        let mut tables = Names::default();
        tables.read_players(players.as_slice(), "memory.jou");
        tables.read_tournaments(tournaments.as_slice(), "memory.trn");
        let back: Result<Vec<_>, _> = thor::Reader::new(bytes.as_slice(), "memory.wtb", tables).collect();
        // A file without games does not contain their year.
        prop_assert_eq!(back.expect("games"), records);
    }

    #[test]
    fn dates_and_clocks_read_back(date in date(), time_control in time_control()) {
        prop_assert_eq!(date.to_string().parse().ok(), Some(date));
        prop_assert_eq!(time_control.to_string().parse().ok(), Some(time_control));
    }
}
