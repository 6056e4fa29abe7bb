/** The messages between the page and its host, as `crates/web/src/message.rs` and `crates/session` write them in JSON. */

type Color = "black" | "white";
type BoardShape = "8x8" | "6x6" | "4x4" | "cs221";
type Sides = "black" | "white" | "both" | "neither";
type SaveFormat = "txt" | "ggf" | "sgf" | "obf" | "wtb" | "svg" | "html";
type Step = "take_back" | "play_again" | "back" | "forward" | "to_start" | "to_end" | "variation";
type Mark = "inaccuracy" | "mistake" | "blunder";

type Estimate =
  | { kind: "solved"; discs: number }
  | { kind: "proven"; outcome: "win" | "draw" | "loss" }
  | { kind: "discs"; discs: number }
  | { kind: "chance"; probability: number }
  | { kind: "points"; points: number };

type Loss =
  | { kind: "discs"; discs: number }
  | { kind: "chance"; probability: number }
  | { kind: "points"; points: number };

interface BoardView { shape: BoardShape; rows: string[] }
interface MoveView { square: string; flips: string[] }
interface GameClock { remaining: number; increment: number }
interface ResultView { verdict: string; winner: Color | null; score: number; out_of_time: Color | null }

interface SeatView {
  color: Color;
  name: string;
  title: string;
  recorded: string | null;
  control: GameClock | null;
  player: string | null;
  level: number | null;
  discs: number;
  seconds: number;
  runs: boolean;
}

interface PlyView {
  color: Color;
  square: string | null;
  variations: string[];
  seconds: number | null;
  expected: number | null;
}

/** Where a value comes from; the better founded one is shown: a proof before the opening book before a search. */
type Origin = "search" | "book" | "exact";

interface Hint {
  move: string;
  symmetric_moves: string[];
  value: Estimate | null;
  origin: Origin | null;
  is_best: boolean;
  line: string;
  depth: number;
  selectivity: number;
  win_probability?: number | null;
}

interface JudgedView {
  number: number;
  color: Color;
  move: string;
  value: Estimate | null;
  origin: Origin | null;
  best: string;
  best_value: Estimate | null;
  loss: Loss | null;
  mark: Mark | null;
  line: string;
  in_book: boolean;
  black_discs: number | null;
}

interface Losses { moves: number; sum: number; mean: number | null }
interface SideSummary {
  color: Color;
  moves: number;
  best_moves: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  judged: Losses;
  exact: Losses;
}

interface AnalysisView {
  analyst: string;
  is_running: boolean;
  move_count: number;
  moves: JudgedView[];
  exercises: number[];
  sides: [SideSummary, SideSummary];
  legend: string[];
  verdict: string | null;
  next: number | null;
}

interface Thought {
  who: string;
  color: Color;
  is_done: boolean;
  value: Estimate | null;
  origin: Origin | null;
  line: string;
  depth: number;
  selectivity: number;
  nodes: number;
  seconds: number;
}

/** A sentence, the kind of the message, and whatever belongs to that kind. */
interface Said { sentence: string; kind: string; [field: string]: unknown }

interface Abilities {
  play: boolean;
  take_back: boolean;
  play_again: boolean;
  back: boolean;
  forward: boolean;
  variation: boolean;
  continue: boolean;
  interrupt: boolean;
  analyze: boolean;
}

interface SetUpView { board: BoardView; turn: Color; situation: string; text: string }
interface NewGame { sides: Sides; clock: string; board: BoardShape }

interface View {
  game: number;
  revision: number;
  board: BoardView;
  turn: Color;
  legal_moves: MoveView[];
  last_move: MoveView | null;
  passed: Color | null;
  move_count: number;
  empties: number;
  situation: string;
  opening: string | null;
  result: ResultView | null;
  seats: [SeatView, SeatView];
  control: GameClock | null;
  is_reviewing: boolean;
  moves: PlyView[];
  played: number;
  variations: string[];
  shows_hints: boolean;
  hints: Hint[];
  is_advising: boolean;
  hint_settings: { level: number; lines: number };
  pace: number;
  analysis: AnalysisView | null;
  thought: Thought | null;
  is_thinking: boolean;
  is_waiting: boolean;
  message: Said | null;
  said: number;
  can: Abilities;
  unsaved: string | null;
  set_up: SetUpView | null;
  new_game: NewGame;
}

interface ExplainedPart { name: string; value: number; weight: number | null; is_detail: boolean }
interface Explained {
  color: Color;
  player: string;
  turn: Color;
  value: number;
  unit: string;
  win_probability: number | null;
  parts: ExplainedPart[];
}

interface SolvedMove { move: string | null; symmetric_moves: string[]; value: Estimate; line: string }
interface Solving {
  is_running: boolean;
  outcome_only: boolean;
  progress: string | null;
  answers: SolvedMove[];
  nodes: number;
  seconds: number;
  failure: string | null;
}

interface Shown {
  view: View;
  explanations: Explained[];
  has_book: boolean;
  has_farm: boolean;
  solving: Solving | null;
  link: string;
  /** What continues the game after a reload; the page only keeps it. */
  state: unknown;
}

interface ListedLevel { level: number | null; words: string }
interface PlayerChoice {
  name: string;
  description: string;
  settings: string[];
  levels: ListedLevel[];
  levels_with_clock: ListedLevel[];
  default_level: number;
}

interface GameSummary {
  number: number;
  black: string;
  white: string;
  event: string;
  date: string;
  score: number | null;
  moves: number;
  opening: string;
  failure: string | null;
}

interface FileContent { name: string; text?: string; base64?: string }
interface Rating { move: string; value: Estimate | null; win_probability: number | null; line: string }
interface Judgement {
  played: Rating;
  best: Rating;
  loss: Loss | null;
  mark: Mark | null;
  exact: boolean;
  depth: number;
  selectivity: number;
}

type BookDestination = "book" | "end" | "leaf";
interface BookMove {
  move: string;
  symmetric_moves: string[];
  value: Estimate;
  to: BookDestination;
  depth: number | null;
  selectivity: number | null;
  games: number;
  opening: string | null;
}
interface BookBranch {
  move: string;
  color: Color;
  value: Estimate;
  to: BookDestination;
  share: number;
  games: number;
  opening: string | null;
  left_out: number;
  branches: BookBranch[];
}
interface BookTree { value: Estimate | null; games: number; opening: string | null; left_out: number; branches: BookBranch[] }
interface BookPage {
  in_book: boolean;
  value: Estimate | null;
  is_open: boolean;
  games: number;
  moves: BookMove[];
  others_at_most: number | null;
  line: string;
  tree: BookTree;
}

/** A worker, as `emilia farm status --json` has it. */
interface FarmWorker {
  worker: string;
  host: string;
  threads: number;
  busy: number;
  chunks: number;
  items_per_second: number;
  failures: number;
}
/** A job, as `emilia farm status --json` has it. */
interface FarmCampaign {
  task: string;
  kind: string;
  host: string;
  first: number;
  end: number;
  done: number;
  aside: number;
  refused: number;
  items_per_second: number;
  phase: string;
  seconds_left: number | null;
}
interface FarmStatus { workers: FarmWorker[]; campaigns: FarmCampaign[]; queued_chunks: number; aside: number }
/** What was set aside, as `emilia farm failed --json` has it. */
type FarmAside =
  | { what: "chunk"; task: string; kind: string; first: number; count: number; reason: string }
  | { what: "worker"; worker: string; reason: string };
interface FarmPage { status: FarmStatus; failed: FarmAside[]; left_out: number }

type Edit =
  | { edit: "begin" | "turn" | "clear" | "start" | "done" | "cancel" }
  | { edit: "put"; square: string; disc: Color | null }
  | { edit: "change"; square: string };

type HostEvent =
  | { event: "dismiss" | "continue" | "wait" | "move_now" | "stop_analysis" | "swap" | "restart" }
  | { event: "play"; square: string }
  | { event: "go"; step: Step }
  | { event: "go_to"; moves: number }
  | { event: "step_in"; square: string }
  | { event: "show_hints"; shown: boolean }
  | { event: "set_hints"; level?: number; lines?: number }
  | { event: "set_pace"; seconds: number }
  | { event: "analyze"; level?: number }
  | { event: "show_move"; number: number }
  | { event: "change_level"; by: number }
  | { event: "seat"; color: Color; player: string; level: number | null }
  | { event: "seat_person"; color: Color }
  | ({ event: "new_game" } & NewGame)
  | ({ event: "set_up" } & Edit)
  | { event: "paste"; text: string };

type HostRequest =
  | { type: "hello"; state: unknown; link: string | null }
  | { type: "event"; event: HostEvent }
  | { type: "players"; board: BoardShape }
  | { type: "open"; files: FileContent[]; number?: number; from?: number }
  | { type: "save"; format: SaveFormat }
  | { type: "solve"; outcome_only: boolean; all_moves: boolean }
  | { type: "stop_solving" }
  | { type: "try"; square: string }
  | { type: "book" }
  | { type: "farm" }
  | { type: "puzzle"; empties: number; number?: number; day?: number }
  | { type: "preview"; line: string };

interface GamesResponse { type: "games"; name: string; games: GameSummary[]; count: number; has_more: boolean }
interface TriedResponse {
  type: "tried";
  square: string;
  revision: number;
  judgement: Judgement | null;
  is_win: boolean;
  is_best: boolean;
  failure: string | null;
}
interface PuzzleResponse { type: "puzzle"; empties: number; number: number; count: number; all_empties: number[] }
interface PreviewResponse { type: "preview"; line: string; boards: string[][]; turns: Color[] }

interface FarmResponse { type: "farm"; page: FarmPage | null; failure: string | null }
interface BookResponse { type: "book"; revision: number; page: BookPage | null; failure: string | null }

type HostResponse =
  | ({ type: "view" } & Shown)
  | { type: "players"; board: BoardShape; players: PlayerChoice[] }
  | GamesResponse
  | { type: "files"; files: FileContent[] }
  | TriedResponse
  | PuzzleResponse
  | PreviewResponse
  | BookResponse
  | FarmResponse
  | { type: "error"; sentence: string };
