import { roomBeside } from "./json-weight.ts";
import type { Turn } from "./turns.ts";

/** Characters of a string that are written in one go, and of a piece of what comes out. */
const pieceLength = 65_536;

/** The output of JSON.stringify for parsed JSON, in pieces, and without blocking the thread. */
export async function writeJsonInTurns(value: unknown, turn: Turn): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  let text = "";
  turn.begin();
  for (const part of partsOf(value)) {
    text += part;
    if (text.length >= pieceLength) {
      pieces.push(Buffer.from(text));
      text = "";
    }
    if (turn.isOver()) await turn.next();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** Writing a value takes as long as writing this many characters. */
const perValue = 64;
/** What is written in one go. */
const mostAtOnce = 1_000 * perValue;

/** Whether a value has at most this many values, long strings counting as several; it stops at the bound. */
export function holdsAtMost(value: unknown, most: number): boolean {
  return roomBeside(value, most * perValue, perValue) >= 0;
}

function* partsOf(value: unknown): Generator<string, void, void> {
  if (roomBeside(value, mostAtOnce, perValue) >= 0) yield JSON.stringify(value);
  else if (typeof value === "string") {
    yield '"';
    // A pair of surrogates that is cut in two is written as two escapes, which are read as the pair.
    for (let from = 0; from < value.length; from += pieceLength) {
      yield JSON.stringify(value.slice(from, from + pieceLength)).slice(1, -1);
    }
    yield '"';
  } else if (Array.isArray(value)) {
    yield* partsOfList(value);
  } else {
    let lead = "{";
    for (const [name, each] of Object.entries(value as object)) {
      if (each === undefined) continue;
      yield `${lead}${JSON.stringify(name)}:`;
      yield* partsOf(each);
      lead = ",";
    }
    yield lead === "{" ? "{}" : "}";
  }
}

/** Elements that fit together are written together: a generator for each would take a hundred times as long. */
function* partsOfList(list: readonly unknown[]): Generator<string, void, void> {
  let lead = "[";
  let from = 0;
  let room = mostAtOnce;
  for (let at = 0; at <= list.length; at += 1) {
    const left = at === list.length ? -1 : roomBeside(list[at], room, perValue);
    if (left >= 0) {
      room = left;
      continue;
    }
    if (at > from) {
      yield lead + JSON.stringify(list.slice(from, at)).slice(1, -1);
      lead = ",";
    }
    if (at === list.length) break;
    from = at;
    room = roomBeside(list[at], mostAtOnce, perValue);
    if (room >= 0) continue;
    yield lead;
    yield* partsOf(list[at]);
    lead = ",";
    from = at + 1;
    room = mostAtOnce;
  }
  yield "]";
}
