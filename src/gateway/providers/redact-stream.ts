import { isObject, type JsonObject } from "./answer.ts";
import type { ChatEvent, ChatObject, Upstream } from "./provider.ts";
import { blot, formsOf, shared, telling, withoutKey } from "./redact.ts";

/** So much of a key's beginning is held back until the next piece of the text tells whether it is the key. */
const held = telling / 2;

/** Texts that are watched in one stream. */
export const mostChannels = 2_048;

/** Pieces of one event that are read in one go. */
const atOnce = 64;

/** A choice's text that comes in pieces: its content, its reasoning, a tool's arguments. */
interface Channel {
  readonly text: PiecewiseText;
  /** a message's piece that holds this text */
  wrap: Wrap;
}

type Wrap = (text: unknown) => JsonObject;

/** Where a value stands in a choice's pieces. */
interface Position {
  readonly choice: unknown;
  /** the names on the way to it: pieces of one text have the same */
  readonly name: string;
  readonly wrap: Wrap;
  readonly isLast: boolean;
}

/** What tells the entries of a list apart, and of what kind they are: it goes with what was held back of one. */
const marks = ["index", "type"];

/** What tells an entry apart, as part of a name. A vendor may send anything as one, and an object may not be made a text. */
export function entryName(index: unknown): string {
  return typeof index === "object" && index !== null ? "?" : String(index);
}

/**
 * Redacts a key that a vendor's stream repeats in pieces, over several events; what an event repeats alone is redacted
 * before it is read. Texts pass through at once, unless they end with the beginning of the key.
 */
export class StreamRedactor {
  /** by choice */
  private readonly channels = new Map<unknown, Map<string, Channel>>();
  /** by choice: those that hold something back */
  private readonly holding = new Map<unknown, Set<Channel>>();
  private opened = 0;
  /** whether anything of the choice that is being read was held back or redacted */
  private hid = false;
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  /**
   * The events to pass on for one: itself, and before the end of a choice what was held back of it. Pauses now and then:
   * one event may hold 100,000 values.
   */
  *pass(event: ChatEvent): Generator<void, ChatEvent[], void> {
    if (formsOf(this.upstream).length === 0) return [event];
    if (event.type === "done") return [...this.end(), event];
    if (event.type !== "chunk") return [event];
    const ended: ChatObject["choices"] = [];
    const choices: ChatObject["choices"] = [];
    for (const choice of event.chunk.choices) {
      const isLast = typeof choice["finish_reason"] === "string";
      choices.push(yield* this.clean(choice, isLast));
      if (isLast) ended.push(...this.rest(choice["index"]));
      yield;
    }
    const before = ended.map((choice) => ({ type: "chunk" as const, chunk: { ...event.chunk, choices: [choice] } }));
    return [...before, { type: "chunk", chunk: { ...event.chunk, choices } }];
  }

  /** What is still held back when the stream ends. */
  end(): ChatEvent[] {
    const left = [...this.holding.keys()].flatMap((choice) => this.rest(choice));
    return left.map((choice) => ({ type: "chunk", chunk: { choices: [choice] } }));
  }

  private rest(choice: unknown): ChatObject["choices"] {
    const holding = this.holding.get(choice);
    if (holding === undefined) return [];
    this.holding.delete(choice);
    return [...holding].flatMap(({ text, wrap }) => {
      const left = text.push("", true);
      return left === "" ? [] : [{ index: choice, delta: wrap(left), finish_reason: null }];
    });
  }

  private *clean(choice: JsonObject, isLast: boolean): Generator<void, JsonObject, void> {
    const { delta, index, logprobs } = choice;
    if (!isObject(delta)) return choice;
    this.hid = false;
    const wrap: Wrap = (members) => members as JsonObject;
    const clean = { ...choice, delta: yield* this.value(delta, { choice: index, name: "", wrap, isLast }) };
    // They spell what was hidden, in letters and in bytes.
    return this.hid && logprobs !== undefined ? { ...clean, logprobs: null } : clean;
  }

  private *value(value: unknown, position: Position): Generator<void, unknown, void> {
    if (typeof value === "string") return this.push(value, position);
    if (Array.isArray(value)) return yield* this.list(value, position);
    return isObject(value) ? yield* this.members(value, position) : value;
  }

  private *list(list: readonly unknown[], position: Position): Generator<void, unknown[], void> {
    const clean: unknown[] = [];
    for (const [at, each] of list.entries()) {
      const name = `${position.name} ${isObject(each) ? entryName(each["index"] ?? at) : at}`;
      clean.push(yield* this.value(each, { ...position, name, wrap: (inner) => position.wrap([inner]) }));
      if (at % atOnce === 0) yield;
    }
    return clean;
  }

  private *members(value: JsonObject, position: Position): Generator<void, JsonObject, void> {
    const marked = Object.fromEntries(marks.flatMap((mark) => (mark in value ? [[mark, value[mark]]] : [])));
    const clean: [string, unknown][] = [];
    for (const [member, each] of Object.entries(value)) {
      const wrap: Wrap = (inner) => position.wrap({ ...marked, [member]: inner });
      clean.push([member, yield* this.value(each, { ...position, name: `${position.name} ${member}`, wrap })]);
      if (clean.length % atOnce === 0) yield;
    }
    return Object.fromEntries(clean);
  }

  private push(piece: string, { choice, name, wrap, isLast }: Position): string {
    const channel = this.channel(choice, name, wrap);
    if (channel === null) return piece;
    const passed = channel.text.push(piece, isLast);
    this.hid ||= passed !== piece;
    const holding = this.holding.get(choice) ?? new Set();
    if (channel.text.holds) this.holding.set(choice, holding.add(channel));
    else holding.delete(channel);
    return passed;
  }

  /** Null: there are more than any answer has. */
  private channel(choice: unknown, name: string, wrap: Wrap): Channel | null {
    const channels = this.channels.get(choice) ?? new Map<string, Channel>();
    const known = channels.get(name);
    if (known !== undefined) {
      known.wrap = wrap;
      return known;
    }
    if ((this.opened += 1) > mostChannels) return null;
    const channel = { text: new PiecewiseText(this.upstream), wrap };
    this.channels.set(choice, channels.set(name, channel));
    return channel;
  }
}

/** A text that comes in pieces, each without a key within it. */
export class PiecewiseText {
  /** the end of what was passed on */
  private sent = "";
  private waiting = "";
  /** where in the key's forms the text may be that follows a redacted beginning; null: none was redacted */
  private within: { readonly continuations: Continuations; readonly text: string } | null = null;
  private readonly upstream: Upstream;
  private readonly forms: readonly string[];
  private readonly longest: number;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
    this.forms = formsOf(upstream).map(({ form }) => form);
    this.longest = Math.max(...this.forms.map(({ length }) => length));
  }

  /** Whether something is held back that passes on without a further piece. */
  get holds(): boolean {
    return this.waiting !== "" || (this.within !== null && this.within.text !== "");
  }

  /** @returns what may be passed on with this piece; of the last one all, redacted */
  push(piece: string, isLast: boolean): string {
    const text = this.afterBlot(piece, isLast);
    // Only where two pieces meet is there anything new to see in a long one.
    const head = text.slice(0, 2 * this.longest);
    const joined = this.sent + this.waiting + head;
    const start = isLast || head.length < text.length ? joined.length : this.startOfKey(joined);
    const open = joined.slice(0, start);
    const clean = withoutKey(this.upstream, open);
    const from = clean === open ? this.sent.length : Math.min(this.sent.length, shared(open, clean, 0));
    let passed = clean.slice(Math.min(from, start)) + text.slice(head.length);
    this.waiting = joined.slice(Math.max(start, this.sent.length));
    if (head.length < text.length && !isLast) {
      const end = this.startOfKey(passed);
      this.waiting = passed.slice(end);
      passed = passed.slice(0, end);
    }
    if (passed.endsWith(blot)) this.within ??= { continuations: continuationsIn(this.forms), text: "" };
    this.sent = (this.sent + passed).slice(-this.longest);
    return passed;
  }

  /** Drops what goes on with a key whose beginning was redacted at the end of the piece before. */
  private afterBlot(piece: string, isLast: boolean): string {
    if (this.within === null) return piece;
    let at = 0;
    let { continuations } = this.within;
    for (; at < piece.length; at += 1) {
      const character = piece[at];
      continuations = continuations
        .filter(([form, next]) => form[next] === character)
        .map(([form, next]) => [form, next + 1]);
      if (continuations.length === 0) break;
    }
    const text = this.within.text + piece.slice(0, at);
    const goesOn = at === piece.length && !isLast;
    this.within = goesOn ? { continuations, text } : null;
    if (goesOn) return "";
    // A few signs say nothing, and may be the model's own: it may have written the replacement itself.
    return (text.length < held ? text : "") + piece.slice(at);
  }

  /** Where a beginning of the key begins at the end of a text; its length: nowhere. */
  private startOfKey(text: string): number {
    let first = text.length;
    for (const form of this.forms) {
      const begins = form.slice(0, held);
      let at = text.indexOf(begins, Math.max(0, text.length - form.length + 1));
      while (at !== -1 && !form.startsWith(text.slice(at))) at = text.indexOf(begins, at + 1);
      if (at !== -1) first = Math.min(first, at);
    }
    return first;
  }
}

/** Positions in a key's forms, from each of which the text may continue. */
type Continuations = readonly (readonly [form: string, at: number])[];

/** What is redacted without its end has at least so much of the beginning. */
const continuationsIn = (forms: readonly string[]): Continuations =>
  forms.flatMap((form) => Array.from({ length: form.length - telling }, (_, at) => [form, at + telling] as const));
