// The shapes of what the server sends, for the checks of the pages; docs/api.md says what the fields mean. Amounts are exact
// numbers as text: "-80/3".

type Wind = "E" | "S" | "W" | "N";
type Side = "left" | "opposite" | "right";
type WonBy = "self_draw" | "discard" | "rob_kong";
type Amounts = Partial<Record<Wind, string>>;

/** A sentence in English with its values; plain text stays as it is. */
type Say = string | [string, Record<string, Say>?] | { tiles: string };

/** The words of those who play a rule set. */
type Terms = { faan?: string; points?: string; self_draw?: string; discard?: string };

type Cause = { id: string; about: string; points?: number | null };
type Ruling = { id: string; about: string; chosen: string; choices: string[] };
type DrawAsks = { tenpai: boolean; nagashi: boolean; abortive: Cause[] };

/** A fact of a win that is true or false, and its label in each language, as in `api/rules`. */
type Fact = { name: string; label: Record<string, string> };

/** A rule set, as in `api/rules`. */
interface RuleSet {
  id: string;
  name: string;
  about: string;
  rulings: Ruling[];
  unit: string;
  terms: Terms | null;
  fields: string[];
  bonus_tiles: boolean;
  stick: number | null;
  discards: boolean;
  draw: DrawAsks;
  plays_on: boolean;
  chombo: Cause[] | null;
  penalties: Cause[] | null;
  dead_hands: Cause[];
  void_claims: Cause[];
}

/** What was said of the deal; a form may leave any of it out. */
interface Context {
  rules?: string;
  rulings?: Record<string, string> | null;
  seat?: Wind;
  round?: Wind;
  win?: WonBy;
  from?: Wind;
  dealer?: Wind;
  players?: number;
  names?: Partial<Record<Wind, string>>;
  title?: string;
  riichi?: boolean;
  riichi_by?: Wind[];
  honba?: number;
  sticks?: number;
  winning?: string;
  tile?: string;
  hidden?: string;
  flowers?: string;
  minimum?: string;
  pao?: Wind;
  responsible?: Wind | "none";
  dora_indicators?: string;
  ura_indicators?: string;
  hand?: string;
  worth?: string;
  scores?: Partial<Record<Wind, string>>;
  payments?: Amounts;
  [flag: string]: unknown;
}

type Point = [number, number];
type Size = { width: number; height: number };

interface ShownTile {
  id: number;
  code: string;
  role: string;
  group: number;
  corners: Point[];
  alternatives: [string, number][];
}

type Doubt = { tile: number | null; said: Say[] };
type Step = { kind: string; said: Say; seat?: Wind; amount?: string };
type Item = { id: string; value: string; unit: string };
type Wait = { tile: string; unseen: number; score: string | null; wins: boolean };

/** What a hand is worth, or why it does not win. */
interface Score {
  ok: boolean;
  message?: string;
  message_said?: Say;
  items: Item[];
  faan?: string;
  points?: string;
  score?: string;
  dealer_faan?: string;
  sticks?: string;
  payments: Amounts;
  steps?: Step[];
}

/** A score that counts: one of typed payments has neither faan nor score. */
type Counted = Score & { faan: string; score: string };

/** A question about a deal of four hands: the answer that was taken, and the payments with the other one. */
interface AskedOfDeal {
  ask: string;
  seat: Wind;
  set?: string;
  said: Say[];
  taken: boolean;
  otherwise: Amounts | null;
}
type Answered = { ask: string; seat: Wind; set?: string; yes: boolean };

/** What is known of a deal of four hands, `api/four-hands`. */
interface FourHands {
  worths: Amounts;
  score?: (Score & { hands?: Partial<Record<Wind, { score: string }>> }) | null;
  questions?: AskedOfDeal[];
  unsettled?: Say | null;
  winning?: string[];
  settled?: Partial<Record<Wind, string>>;
}

interface Reading {
  image: Size;
  tiles: ShownTile[];
  hand: { text: string; confidence: number; doubts: Doubt[] } | null;
  score: Score | null;
  refusal_said?: Say[];
  scored_hand?: string | null;
  rules_name: string;
  unit: string;
  terms: Terms | null;
  item_names?: Record<string, string>;
  waits?: Wait[];
  trouble?: string;
  draw?: unknown;
  whole?: unknown;
  chombo?: unknown;
  /** The score of a hand that has not won, where the rules have one. */
  unwon?: Score;
}

/** The reading of a photo that a page has sent. */
interface PhotoReading extends Reading {
  photo: number;
  tileset?: string | null;
  picture?: string | null;
}

/** A player's tiles. */
interface SeenSeat {
  place: Wind;
  name?: string | null;
  shows: "hand" | "sets" | "nothing";
  hand: { text: string; confidence: number } | null;
  tiles: number[];
  riichi: boolean;
  standing: ShownTile[];
  waits: Wait[];
  discards: unknown[];
  discards_known: boolean;
  moving?: boolean;
  doubtful?: boolean;
  stale?: boolean;
}

/** How a source is; its `state` is `none` where there is no source. */
interface Source {
  state: string;
  name: string;
  why?: string;
  shows?: "hand" | "table" | "standing";
  seat?: Wind;
  timing?: { fps?: number; came?: number } | null;
  corners?: Point[];
  picture?: [number, number];
  seats?: Partial<Record<Wind, string>>;
}

type Clock = { started: string; ends: string; then: string; paused?: string; round?: number };
type Placed = { table_points?: string; bonus?: string; result: string };
type Over = { why: string; player?: number; note?: string };

interface Player {
  name: string;
  seat: Wind;
  total: string;
  standing: string;
  rank: number | null;
  placed?: Placed;
}

interface Winner {
  player: number;
  win: WonBy;
  from?: number;
  hand?: string;
  worth?: unknown;
  scored?: { faan: string; points?: number; items: [string, string][] };
}

interface Deal {
  event: number;
  number: number;
  round: Wind;
  dealer: number;
  honba?: number;
  sticks?: number;
  repeat?: number;
  seats: Wind[];
  /** In words: a sentence for each winner, or for how it ended without any, then more of the deal. */
  said: Say[];
  winners: Winner[];
  payments: string[];
  sticks_moved?: string[];
  riichi?: number[];
  draw?: { tenpai?: number[]; nagashi?: number[]; abortive?: string };
  chombo?: { player: number; cause?: string | null; note?: string };
  played_on?: object;
  totals: string[];
  corrected_by: number | null;
}

type Penalty = { event: number; player: number; cause: string | null; count: number; points: number | null; note: string };

/** The deal that is being played, and those who play it: what the words of a deal need of a table. */
type DealWords = { players: { name: string }[]; terms?: Terms | null; item_names?: Record<string, string> };
/** `deals`: how many a session has, where it has no rounds. */
type DealPlace = { number: number; round: Wind; dealer: number; honba?: number; sticks?: number; repeat?: number; deals?: number };

/** A table of a ledger. States hold its last deal alone, `api/table` all of them. */
interface Table extends DealPlace {
  title: string | null;
  rules: string;
  rules_name: string;
  terms?: Terms | null;
  item_names?: Record<string, string>;
  initial: string;
  players: Player[];
  over: Over | null;
  leftover?: string[];
  clock: Clock | null;
  last_event: number;
  last_deal: Deal | null;
  last_deal_steps?: Step[][];
}
interface WholeTable extends Table {
  history: Deal[];
  penalties: Penalty[];
}

type Undoable = { decision: number; what: string; deal?: number; tile?: string; fields?: string[] };
type Amends = { event: number; winner: number; number: number };
type OnAirSetting = { auto: boolean; least: number; unsure: "off" | "mark" };
type Phase = "watching" | "confirmed" | "rejected";

/** What is shown of a hand and of the players' tiles; the operator has one, and the viewers theirs. */
interface Preview {
  phase: Phase;
  photo: number | null;
  context: Context;
  reading: Reading | null;
  seats: Partial<Record<Wind, SeenSeat>>;
  doubtful: boolean;
  stale: boolean;
  also: number | null;
}

/** The places of a hand's tiles in a picture: left, top, right and bottom. */
type Lies = Size & { tiles: number[][] };

interface HandOnAir {
  text: string;
  seat: Wind | null;
  doubtful: boolean;
  live: boolean;
  waits: Wait[];
  lies: Lies | null;
}

/** A confirmed win. */
interface Story {
  winner: Wind;
  win: WonBy | null;
  from: Wind | null;
  deal: DealPlace | null;
  rules_name: string;
  unit: string;
  terms: Terms | null;
  item_names: Record<string, string>;
  score: Counted;
}

interface PlayerOnAir {
  seat: Wind;
  name: string | null;
  standing: string | null;
  rank: number | null;
  /** The points and the rank before the deal on show. */
  before: { standing: string; rank: number } | null;
  placed: Placed | null;
  riichi: boolean;
  paid: string | null;
  won: boolean;
}

interface SeatOnAir {
  place: Wind;
  wind: Wind;
  text: string | null;
  wins: boolean;
  doubtful: boolean;
  live: boolean;
  waits: Wait[];
  /** In order, as hand text; null where they are not all known. */
  discards: string | null;
}

/** The scene that viewers see, as the server has decided it. */
interface OnAir {
  phase: Phase;
  title: string | null;
  place: DealPlace | null;
  round: Wind | null;
  dora: string | null;
  names: Partial<Record<Wind, string>>;
  of: { dealer?: Wind; players?: number };
  hand: HandOnAir | null;
  story: Story | null;
  pays: boolean;
  players: PlayerOnAir[];
  seats: SeatOnAir[];
  notices: ("playing" | "leftover" | "unwon")[];
}

/** The state, as its socket sends it: screens and phones get some of the fields. Before the first one there are none. */
interface State extends Partial<Preview> {
  revision?: number;
  table?: Table | null;
  /** The count of changes of the tournament. */
  tournament?: number;
  moving?: boolean;
  source?: Source;
  sources?: Source[];
  timing?: { fps?: number } | null;
  trouble?: string | null;
  played?: RuleSet;
  fixes?: Record<string, string>;
  tileset?: string | null;
  discards_missed?: string | null;
  /** The win as the record of the table has it, in fields of the context. */
  proposed?: { fields: Context; certain: boolean; taken: boolean } | null;
  amends?: Amends | null;
  can_undo?: boolean;
  undoes?: Undoable | null;
  on_air?: OnAirSetting;
  asks?: { photo: number; hand: string | null }[];
  obs?: { state: string; why?: string } | null;
  /** The preview that viewers have, where it is another. */
  programme?: Preview | null;
  /** What viewers see. */
  scene?: OnAir;
}

/** What has to be confirmed before it is written. */
interface Asked {
  said: Say[];
  totals: { name: string; before: string; after: string }[];
  problems: string[];
}

/** The server's refusal. */
type Refusal = { error?: string; field?: string; asked?: Asked };

/** Advice on a hand. */
interface Helps {
  shanten: number;
  left: number;
  helps: { tile: string; left: number }[];
  held_out?: string[];
  not_ready?: unknown;
  worth?: { least: Counted; most: Counted; some_refused: boolean };
}
interface Advice extends Helps {
  tiles: number;
  unwritten_sets?: number;
  discards?: (Helps & { discard: string })[];
}

/** The tournament of a ledger, `api/tournament`. */
interface Tournament {
  name: string;
  standings: { number: number; name: string; rank: number | null; total: string; penalty: string; sessions: unknown[] }[];
  /** The points so far of those whose tables still play, by name. */
  running: Record<string, string>;
  results: Say;
  clock: Clock | null;
  seating: { round: number; tables: { table: number; seats: (string | null)[] }[]; lack: Say | null } | null;
}

/** The seats of the rounds and their results, `api/result`. */
interface Results {
  starting_points: string | number;
  handicap?: unknown;
  rounds: { players: string[]; points: string[] | null; in_ledger: number | null }[][];
}

/** An entry that waits for another player. */
type Waiting = { id: string; by: number; at: string; device?: string; stale?: boolean; deal?: Deal | null; undoes?: Deal | null };
type Question = { by: string; text: string };

/** A table of the hall as its phones show it, `api/table/N`. */
interface Seats {
  table: WholeTable | null;
  context: Context;
  waiting: Waiting | null;
  asked: Question[];
  undo: number | null;
  unsent: number | null;
  apart: boolean;
}

/** A table of the hall as the desk shows it. */
interface DeskTable {
  number: number;
  table: number;
  of_round: number | null;
  players: { name: string; seat: Wind; total: string }[];
  round: Wind;
  deals: number;
  last: (Deal & { at: string }) | null;
  last_event: number;
  over: Over | null;
  clock: Clock | null;
  problems: string[];
  lost: boolean;
  waiting: Waiting | null;
  asked: { name: string; asked: Question }[];
  undo: number | null;
  rules_name: string;
  terms?: Terms | null;
}

/** One of two versions of a table. */
interface Version {
  deals: Deal[];
  events: { at: string; author: string; what: string }[];
  players: Player[] | null;
  terms?: Terms | null;
}

/** The desk's state, `api/desk`. */
interface Desk {
  tables: DeskTable[];
  tournament: (Omit<Tournament, "players"> & { rounds: number; planned: number; next: number | null; players: string[]; penalties: { causes?: Record<string, unknown> } }) | null;
  round: number | null;
  playing: Record<string, number[]>;
  closable: boolean;
  paper: { of: string; entered: { by: string; event: { result: { points: string[] } } }[] }[];
  cut: Say | null;
  unsent: number;
  branches: { name: string; number: number; machine: string; database: Version; table: Version }[];
}

/** How far a picture is until it has been read. */
type Progress = { stage: string; before?: number | null; share?: number; step?: string; reading?: number };

/** A set of tiles that is learnt from photos. */
interface Lesson {
  number: number;
  name: string;
  photos: { open?: boolean; tiles: { code: string; corners: Point[]; looks_like?: string }[] }[][];
  missing: string[];
  image: Size;
  known: boolean;
  full: boolean;
}

/** An evening that a phone keeps by itself. */
interface Evening {
  events: { at: string }[];
  table: WholeTable;
  context: Context;
  undo?: number | null;
  asked?: boolean;
  said?: Say[];
}

/** A reading with what was said of it, for pages that extend the phone's. */
type Shown = { reading: PhotoReading; context: Context };

/** An element of which scripts do not say whether it is typed into or chosen from. */
interface Field extends HTMLInputElement {
  readonly options: HTMLOptionsCollection;
  readonly selectedOptions: HTMLCollectionOf<HTMLOptionElement>;
  selectedIndex: number;
}

/** Sends a decision: its path, its words, and the element that caused it. Gives the answer, or null after a refusal. */
type Act = (path: string, words?: object | (() => object), cause?: HTMLElement) => Promise<any>;

/** The tiles of a player in a replay. */
interface ReplaySeat {
  hand: string;
  drawn?: string;
  sets: string;
  aside: string;
  discards: { tile: string; sideways: boolean; drawn: boolean; claimed: boolean }[];
  away?: number;
  waits?: string;
  outlook?: Advice;
}

interface ReplayStep {
  said: Say;
  event: number;
  discarded?: string;
  doubts?: Say[];
  player?: number;
  last?: number;
  turn?: boolean;
  seats: Record<string, ReplaySeat>;
  indicators?: string;
}

interface ReplayDeal {
  place: DealPlace;
  points: number[];
  steps: ReplayStep[];
  paid: number[];
  result: { deal: Deal; steps: Step[][] } | null;
}

/** A game in the folder of `--records`, or the record of a table, `api/records`. */
interface KeptGame {
  name: string;
  written: number;
  /** The table whose record it is. */
  table?: number;
}

/** A game as `tilelens record replay` puts it into its page. */
interface Replay {
  players: Say[];
  deals: ReplayDeal[];
  item_names: Record<string, string> | null;
}
