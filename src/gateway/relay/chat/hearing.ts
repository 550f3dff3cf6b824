import { type JsonObject, objectOf } from "../../providers/answer.ts";
import type {
  ChatEvent,
  ChatStreamReader,
  PassedDialect,
  ServerSentEvent,
  Upstream,
} from "../../providers/provider.ts";
import { cleanFailure, withoutKey } from "../../providers/redact.ts";
import { StreamRedactor } from "../../providers/redact-stream.ts";
import { jsonMembers, withMembers } from "../../json-members.ts";
import { runInTurns, type Turn } from "../../turns.ts";
import { passable, readEventData } from "../answer-body.ts";
import type { Piece } from "../sent.ts";
import { lineFeed, openObject, space } from "../../json-bytes.ts";

/** What was read of one event of a vendor's stream, or a part of that. */
export interface HeardEvent {
  readonly events: readonly ChatEvent[];
  /** characters of the vendor's event */
  readonly size: number;
  /** of those, the ones that go to the caller although nothing was read of them */
  readonly unread: number;
  /** the vendor's event for the caller; null: the caller speaks another dialect */
  readonly passed: PassedFrame | null;
}

/** An event as it goes to the caller. */
export interface PassedFrame {
  readonly name: string;
  /** JSON on one line */
  readonly data: Piece;
}

/** Reads one stream's events. */
interface Hearing {
  read(event: ServerSentEvent, turn: Turn): Promise<readonly HeardEvent[]>;
  /** what is still held back when the stream ends */
  end(): readonly HeardEvent[];
}

/** For a caller of another dialect: there is nothing beside what was read. */
export function translating(upstream: Upstream, reader: ChatStreamReader): Hearing {
  const redactor = new StreamRedactor(upstream);
  const heard = (event: ChatEvent, size: number): HeardEvent => ({ events: [event], size, unread: 0, passed: null });
  return {
    async read({ event, data }, turn) {
      const all: HeardEvent[] = [];
      for (const each of reader.read({ event, data: await readEventData(upstream, data, turn) })) {
        for (const one of await runInTurns(redactor.pass(each), turn)) {
          all.push(heard(cleaned(upstream, one), data.length));
        }
      }
      return all;
    },
    end: () => redactor.end().map((event) => heard(event, 0)),
  };
}

/**
 * For a caller of the vendor's own dialect: each event goes on as it came.
 * @param model the gateway's name of the model
 */
export function passing(upstream: Upstream, reader: ChatStreamReader, dialect: PassedDialect, model: string): Hearing {
  const redactor = dialect.redactor(upstream);
  return {
    async read({ event: name, data }, turn) {
      if (data === doneMark) return [];
      const body = await readEventData(upstream, data, turn);
      const heard: HeardEvent[] = [];
      for (const { event, isChanged } of redactor.pass(objectOf(body))) {
        const events = reader.read({ event: name, data: { parsed: event } }).map((each) => cleaned(upstream, each));
        let passed: Piece;
        if (isChanged) passed = JSON.stringify(event);
        else if (typeof body === "string") passed = onOneLine(body);
        else passed = onOneLine(await passable(data, body, turn));
        const holder = dialect.modelHolder(event);
        if (holder !== null) passed = await renamed(passed, holder, model, turn);
        heard.push({
          events,
          size: data.length,
          unread: events.length > 0 || dialect.isSilent(event) ? 0 : data.length,
          // What was held back may come with an event of another type.
          passed: { name: nameOf(upstream, isChanged ? "" : name, event), data: passed },
        });
      }
      return heard;
    },
    end: () => [],
  };
}

/** Some vendors end their streams with it in every dialect. */
const doneMark = "[DONE]";

const cleaned = (upstream: Upstream, event: ChatEvent): ChatEvent =>
  event.type === "error" ? { ...event, failure: cleanFailure(upstream, event.failure) } : event;

/** Some servers leave out the name, without which official clients drop the event. */
function nameOf(upstream: Upstream, name: string, { type }: JsonObject): string {
  const given = name.length > longestEventName ? "" : withoutKey(upstream, name);
  return given === "" && typeof type === "string" && /^[\w.-]{1,100}$/.test(type) ? type : given;
}

const longestEventName = 100;

/** JSON has line ends between its values alone. */
function onOneLine<T extends Piece>(data: T): T {
  if (!data.includes("\n")) return data;
  if (typeof data === "string") return data.replaceAll("\n", " ") as T;
  const line = Buffer.from(data);
  for (let at = line.indexOf(lineFeed); at !== -1; at = line.indexOf(lineFeed, at + 1)) line[at] = space;
  return line as T;
}

/** The event with the gateway's name of the model in the object that its member `holder` is. */
async function renamed(data: Piece, holder: string, model: string, turn: Turn): Promise<Buffer> {
  const bytes = Buffer.from(data);
  const { members } = await runInTurns(jsonMembers(bytes), turn);
  const held = members.findLast(({ name }) => name === holder);
  if (held === undefined || bytes[held.valueFrom] !== openObject) return bytes;
  const inner = bytes.subarray(held.valueFrom, held.to);
  const named = await withModel(inner, model, turn);
  return Buffer.concat([bytes.subarray(0, held.valueFrom), ...named, bytes.subarray(held.to)]);
}

/** An answer's bytes with the gateway's name of the model. */
export async function withModel(bytes: Buffer, model: string, turn: Turn): Promise<Buffer[]> {
  const members = await runInTurns(jsonMembers(bytes), turn);
  return withMembers(bytes, members, new Map([["model", JSON.stringify(model)]]));
}
