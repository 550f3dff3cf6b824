import { type AnswerBody, BadAnswer, type Upstream } from "../providers/provider.ts";
import { cleanParsed, vendorText, withoutKey } from "../providers/redact.ts";
import { readJsonInTurns, UnreadableJson } from "../read-json.ts";
import { joinInTurns, runInTurns, type Turn } from "../turns.ts";
import { writeJsonInTurns } from "../write-json.ts";

/** Answers up to this are read and written in one go. */
const shortAnswer = 262_144;

export const isLongAnswer = (bytes: Buffer) => bytes.length > shortAnswer;

/**
 * A vendor's whole answer with its key redacted; a long one is parsed in turns.
 * @param mostValues lists, objects, and what is in them, that a long one may hold
 * @throws BadAnswer when a long one is no JSON, or holds more
 */
export async function readAnswerBody(
  upstream: Upstream,
  bytes: Buffer,
  turn: Turn,
  mostValues: number,
): Promise<AnswerBody> {
  if (!isLongAnswer(bytes)) return vendorText(upstream, bytes);
  return await readLong(upstream, bytes, turn, mostValues);
}

/** Events' data up to this, in characters, is read and written in one go. */
export const shortEventData = 65_536;
/** Lists, objects, and what is in them, of one event. */
const mostEventValues = 100_000;

/** The data of one event of a vendor's stream, in the same way. @throws BadAnswer */
export async function readEventData(upstream: Upstream, data: string, turn: Turn): Promise<AnswerBody> {
  if (data.length <= shortEventData) return withoutKey(upstream, data);
  return await readLong(upstream, await bytesInTurns(data, turn), turn, mostEventValues);
}

/**
 * The vendor's bytes as they may be passed on: unchanged, unless they contain its key.
 * @param body what was read of them
 */
export async function passable(bytes: Buffer | string, body: AnswerBody, turn: Turn): Promise<Buffer> {
  const isText = typeof bytes === "string";
  if (typeof body === "string") return !isText && bytes.toString("utf8") === body ? bytes : Buffer.from(body);
  if (body.isRedacted === true) return await joinInTurns(await writeJsonInTurns(body.parsed, turn), turn);
  return isText ? await bytesInTurns(bytes, turn) : bytes;
}

async function bytesInTurns(text: string, turn: Turn): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + shortEventData;
    const to = isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end;
    pieces.push(Buffer.from(text.slice(from, to)));
    from = to;
    if (turn.isOver()) await turn.next();
  }
  return await joinInTurns(pieces, turn);
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

async function readLong(upstream: Upstream, bytes: Buffer, turn: Turn, mostValues: number): Promise<AnswerBody> {
  await turn.next();
  try {
    const parsed = await readJsonInTurns(bytes, turn, mostValues, { mostBesideLongStrings: bytes.length });
    await turn.next();
    return await runInTurns(cleanParsed(upstream, bytes, parsed), turn);
  } catch (error) {
    if (error instanceof UnreadableJson) throw new BadAnswer(`the answer ${error.message}`);
    throw error;
  }
}
