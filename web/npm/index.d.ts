// The types of the package. Those of requests and answers are made from the program's JSON Schema (docs/schema).
import type { HandRequest, ScoreRequest, DealRequest } from "./requests.js";
import type { Answer as ScoreAnswer, DealAnswer, ErrorKind, LoserAnswer, PackageAnswers, PictureReading, RulingEffect, Score as Scored, Failure, ImageSize } from "./answers.js";

export type { ScoreRequest, HandRequest, DealRequest, DealAnswer, LoserAnswer, ErrorKind, ImageSize };

/** The fields of a win, those of a request to score. `rules` is `mmm` where it is not given. */
export type Fields = Partial<Omit<HandRequest, "hand">>;
/** A request; what it does not have is taken from the fields beside it. */
export type Request = Partial<HandRequest> | Partial<DealRequest>;

/** A hand that wins. Amounts are exact, as text: `"-20"`, `"1/2"`. */
export type Score = ScoreAnswer & Scored & { ok: true };
/** A hand that wins, and what rulings change of it. */
export type Explanation = Score & { rulings: RulingEffect[] };
/** Why a hand has no score. */
export type Refusal = ScoreAnswer & Failure & { ok: false };
export type Reading = PictureReading;
export type Waits = PackageAnswers["waits"];
export type Advice = PackageAnswers["advise"];
export type ConvertedHand = PackageAnswers["convert"];
export type Rules = PackageAnswers["rules"];

/** The bytes of a file (JPEG, PNG, WebP, HEIC, TIFF and others), or the pixels of an upright picture, such as an `ImageData`:
 *  red, green, blue and alpha of each. */
export type Picture = Blob | ArrayBuffer | ArrayBufferView | { data: Uint8Array | Uint8ClampedArray; width: number; height: number };

/** What may be said beside a picture. */
export interface PictureFields extends Fields {
  /** Corrections of tiles by their numbers: `{ 3: "5p" }`. */
  fixes?: Record<number, string>;
  /** The winning tile, where it is not marked. */
  winning?: string;
  /** The tiles of concealed kongs of four backs. */
  hidden?: string;
  /** Whether kongs that only the number of tiles shows were claimed. */
  kongs?: "concealed" | "claimed";
}

/** The fields of a hand that is not complete. */
export interface HandFields extends Fields {
  /** Tiles that lie face up elsewhere. */
  seen?: string;
}

export type Notation = "tilelens" | "tenhou" | "tenhou-log" | "mjai" | "gb" | "botzone" | "kajongg" | "unicode";

/** Any error of the package: the message has the cause, and what can be done about it. */
export class TilelensError extends Error {
  kind: ErrorKind | "bad_picture" | "reader_failed";
  /** The whole answer, of a hand that has no score. */
  refusal?: Refusal;
}

/** The tiles of a picture, its hand, and the score where `seat`, `round` and `win` are given. */
export function read(picture: Picture, fields?: PictureFields): Promise<Reading>;

/** The worth of a hand, and who pays whom. The hand is text, or a request; of a list each answer is a score or a refusal. */
export function score(hand: string | Request, fields?: Fields): Promise<Score>;
export function score(hands: (string | Request)[], fields?: Fields): Promise<(Score | Refusal | LoserAnswer | DealAnswer)[]>;

/** `score` with what led to it: the steps, items that do not count, the runner-up, and what rulings change. */
export function explain(hand: string | Request, fields?: Fields): Promise<Explanation>;
export function explain(hands: (string | Request)[], fields?: Fields): Promise<(Explanation | Refusal | LoserAnswer | DealAnswer)[]>;

/** The tiles that complete a hand one tile short, and what each is worth. */
export function waits(hand: string, fields?: HandFields): Promise<Waits>;

/** How far a hand is from complete, and what each discard leaves. */
export function advise(hand: string, fields?: HandFields): Promise<Advice>;

/** A hand in another notation. */
export function convert(text: string, notations: { from: Notation; to?: Notation }): Promise<ConvertedHand>;

/** The rule sets, their rulings and fields. */
export function rules(): Promise<Rules>;

/** Ends the worker; the next call begins another one. */
export function close(): void;
