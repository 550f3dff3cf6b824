import { largestBody } from "#contract/generations.ts";
import { roomBeside } from "../../json-weight.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { isFilled, recordedChoice } from "./recorded-choice.ts";

/** Texts that come whole, in one chunk or again in each; all others come in pieces. */
const whole: ReadonlySet<string> = new Set([
  "id",
  "type",
  "role",
  "name",
  "model",
  "format",
  "signature",
  "thought_signature",
]);
/** Texts for which a stream's progress takes room. */
const heard: ReadonlySet<string> = new Set(["content", "reasoning", "refusal", "transcript", "arguments"]);
/** What an object or a list takes apart from its members. */
const roomOfEntry = 16;

/** A text, or a list of parts, that comes in pieces. */
class Pieces {
  readonly list: unknown[] = [];

  /** One text; where there are other parts as well, a list of parts. */
  joined(): unknown {
    const pieces = this.list.flat().map((piece) => (isText(piece) ? piece["text"] : piece));
    if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
    const parts: unknown[] = [];
    let texts: string[] = [];
    for (const piece of [...pieces, null]) {
      if (typeof piece === "string") texts.push(piece);
      else {
        if (texts.length > 0) parts.push({ type: "text", text: texts.join("") });
        texts = [];
        if (piece !== null) parts.push(piece);
      }
    }
    return parts;
  }
}

const isText = (piece: unknown): piece is { text: string } =>
  isObject(piece) && piece["type"] === "text" && typeof piece["text"] === "string" && Object.keys(piece).length === 2;

/** An object whose members come in pieces. */
type Building = Map<string, unknown>;

/** A list of objects that come in pieces, and those that may go on, by what tells them apart. */
class Entries {
  readonly list: unknown[] = [];
  readonly open = new Map<string, Building>();
}

/**
 * Puts a stream's chunks together into the choices of a whole answer, as official clients do:
 * https://platform.openai.com/docs/api-reference/chat-streaming. An answer that is longer than a record may be is
 * dropped as soon as it is.
 */
export class AssembledAnswer {
  /** characters that are held in addition to those for which a stream's progress takes room */
  besides = 0;
  /** true: it is longer than a record may be, and nothing of it is held */
  isTooLong = false;
  private size = 0;
  private readonly byIndex = new Map<unknown, Building>();

  add({ choices }: ChatObject): void {
    for (const { delta, logprobs, ...rest } of choices) {
      if (this.isTooLong) return;
      const choice = this.inner(this.byIndex, rest["index"] ?? 0);
      for (const [name, value] of Object.entries(rest)) if (isFilled(value)) this.set(choice, name, value);
      if (isObject(logprobs)) this.merge(this.inner(choice, "logprobs"), logprobs);
      if (isObject(delta)) {
        const { content, ...said } = delta;
        const message = this.inner(choice, "message");
        this.merge(message, said);
        if (isObject(content)) this.set(message, "content", content);
        else if (typeof content === "string" || Array.isArray(content)) this.push(message, "content", content);
      }
      if (this.size > largestBody) this.drop();
    }
  }

  /**
   * The choices as they are recorded; null: nothing was said.
   * @param unfinished why a choice that gives no reason ended
   */
  choices(unfinished: "error" | null): JsonObject[] | null {
    const choices = [...this.byIndex.values()].flatMap((building) => {
      const { finish_reason: finish, ...choice } = builtObject(building);
      const recorded = recordedChoice({ ...choice, finish_reason: finish ?? unfinished });
      return finish !== undefined || says(recorded["message"]) ? [recorded] : [];
    });
    return choices.length === 0 ? null : choices.toSorted((a, b) => Number(a["index"]) - Number(b["index"]));
  }

  private drop(): void {
    this.isTooLong = true;
    this.besides = 0;
    this.byIndex.clear();
  }

  private merge(into: Building, piece: JsonObject): void {
    for (const [name, value] of Object.entries(piece)) {
      if (this.size > largestBody) return;
      if (value === null || value === undefined || value === "") continue;
      if (Array.isArray(value)) this.append(into, name, value);
      else if (isObject(value)) this.merge(this.inner(into, name), value);
      else if (typeof value !== "string") this.set(into, name, value);
      else if (!whole.has(name)) this.push(into, name, value);
      else if (!into.has(name)) this.set(into, name, value);
    }
  }

  private push(into: Building, name: string, piece: string | unknown[]): void {
    const pieces = this.of(Pieces, into, name);
    if (piece.length === 0) return;
    pieces.list.push(piece);
    if (typeof piece === "string") this.take(piece.length, heard.has(name));
    else this.hold(piece);
  }

  /** Calls come in pieces by their number, thoughts by their type and number; everything else in a list is whole. */
  private append(into: Building, name: string, list: readonly unknown[]): void {
    const { list: known, open } = this.of(Entries, into, name);
    for (const each of list) {
      if (this.size > largestBody) return;
      const key = isObject(each) ? keyOf(name, each) : null;
      if (!isObject(each) || key === null) {
        known.push(each);
        this.hold(each);
        continue;
      }
      const last = open.get(key);
      if (last === undefined || isNext(last, each)) {
        open.delete(key);
        known.push(this.inner(open, key));
      }
      this.merge(this.inner(open, key), each);
    }
  }

  private inner<K>(into: Map<K, unknown>, key: K): Building {
    const known = into.get(key);
    if (known instanceof Map) return known as Building;
    const made: Building = new Map();
    into.set(key, made);
    this.take(roomOfEntry);
    return made;
  }

  private of<T extends object>(kind: new () => T, into: Building, name: string): T {
    const known = into.get(name);
    if (known instanceof kind) return known;
    const made = new kind();
    into.set(name, made);
    this.take(roomOfEntry);
    return made;
  }

  private set(into: Building, name: string, value: unknown): void {
    if (into.get(name) === value) return;
    if (into.has(name)) this.take(-weightOf(into.get(name)));
    else this.take(name.length);
    into.set(name, value);
    this.hold(value);
  }

  private hold(value: unknown): void {
    this.take(weightOf(value));
  }

  private take(characters: number, isHeard = false): void {
    this.size += characters;
    if (!isHeard) this.besides += characters;
  }
}

/** Characters of a value that came whole; what is too long for a record is not looked through. */
const weightOf = (value: unknown) => largestBody - Math.max(-1, roomBeside(value, largestBody, 1));

function keyOf(list: string, { type, index }: JsonObject): string | null {
  if (list === "tool_calls") return typeof index === "number" ? `${index}` : null;
  if (list !== "reasoning_details") return null;
  return `${typeof type === "string" ? type : ""} ${typeof index === "number" ? index : ""}`;
}

/** With its signature or its data a thought is complete: what comes then is the next one. */
function isNext(thought: Building, { text, summary, data, signature }: JsonObject): boolean {
  if (!thought.has("signature") && !thought.has("data")) return false;
  const goesOn = [text, summary, data].some((value) => typeof value === "string" && value !== "");
  return (
    goesOn || (typeof signature === "string" && thought.has("signature") && signature !== thought.get("signature"))
  );
}

function builtObject(building: Building): JsonObject {
  return Object.fromEntries([...building].map(([name, value]) => [name, built(value)]));
}

function built(value: unknown): unknown {
  if (value instanceof Pieces) return value.joined();
  if (value instanceof Entries) return value.list.map(built);
  return value instanceof Map ? builtObject(value as Building) : value;
}

/** Whether a recorded message has more than its role. */
function says(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { role: _, content, refusal, ...said } = message;
  return content !== null || refusal !== null || Object.keys(said).length > 0;
}
