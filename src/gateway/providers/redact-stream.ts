import { isObject, type JsonObject } from "./answer.ts";
import type { ChatEvent, ChatObject, Upstream } from "./provider.ts";
import { blot, formsOf, shared, telling, withoutKey } from "./redact.ts";

/** So much of a key's beginning is held back until the next piece of the text tells whether it is the key. */
const held = telling / 2;

/** Texts that are watched in one stream. */
const mostChannels = 1_024;

/** Pieces of one event that are read in one go. */
const atOnce = 64;

/** A choice's text that comes in pieces: its content, its reasoning, a tool's arguments. */
interface Channel {
  readonly text: PiecewiseText;
  /** a message's piece that holds this text */
  wrap: (text: string) => JsonObject;
}

/** Where a piece of a text stands: its choice, and its name among the choice's texts. */
interface Place {
  readonly index: unknown;
  readonly name: string;
  readonly wrap: Channel["wrap"];
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
      const { delta, index } = choice;
      choices.push(isObject(delta) ? { ...choice, delta: yield* this.cleanDelta(index, delta, isLast) } : choice);
      if (isLast) ended.push(...this.rest(index));
      yield;
    }
    const before = ended.map((choice) => ({ type: "chunk" as const, chunk: { ...event.chunk, choices: [choice] } }));
    return [...before, { type: "chunk", chunk: { ...event.chunk, choices } }];
  }

  /** What is still held back when the stream ends. */
  end(): ChatEvent[] {
    const left = [...this.holding.keys()].flatMap((index) => this.rest(index));
    return left.map((choice) => ({ type: "chunk", chunk: { choices: [choice] } }));
  }

  private rest(index: unknown): ChatObject["choices"] {
    const holding = this.holding.get(index);
    if (holding === undefined) return [];
    this.holding.delete(index);
    return [...holding].flatMap(({ text, wrap }) => {
      const left = text.push("", true);
      return left === "" ? [] : [{ index, delta: wrap(left), finish_reason: null }];
    });
  }

  private *cleanDelta(index: unknown, delta: JsonObject, isLast: boolean): Generator<void, JsonObject, void> {
    const clean = { ...delta };
    const through = (name: string, wrap: Channel["wrap"], text: string) =>
      this.push({ index, name, wrap }, text, isLast);
    for (const name of ["content", "reasoning", "reasoning_content", "refusal"]) {
      const text = delta[name];
      if (typeof text === "string") clean[name] = through(name, (rest) => ({ [name]: rest }), text);
    }
    const { content, reasoning_details: details, tool_calls: calls } = delta;
    if (Array.isArray(content)) {
      clean["content"] = yield* eachInTurns(content, (part) =>
        cleanPart(part, (text, own) => through("content", (rest) => ({ content: [{ ...own, text: rest }] }), text)),
      );
    }
    if (Array.isArray(details)) {
      clean["reasoning_details"] = yield* eachInTurns(details, (part) =>
        cleanPart(part, (text, own) =>
          through(`details ${String(own["index"])}`, (rest) => ({ reasoning_details: [{ ...own, text: rest }] }), text),
        ),
      );
    }
    if (Array.isArray(calls)) {
      clean["tool_calls"] = yield* eachInTurns(calls, (call) => {
        const called = isObject(call) ? call["function"] : null;
        if (!isObject(call) || !isObject(called) || typeof called["arguments"] !== "string") return call;
        const at = call["index"];
        const wrap = (rest: string) => ({ tool_calls: [{ index: at, function: { arguments: rest } }] });
        return {
          ...call,
          function: { ...called, arguments: through(`call ${String(at)}`, wrap, called["arguments"]) },
        };
      });
    }
    return clean;
  }

  private push({ index, name, wrap }: Place, piece: string, isLast: boolean): string {
    const channel = this.channel({ index, name, wrap });
    if (channel === null) return piece;
    const passed = channel.text.push(piece, isLast);
    const holding = this.holding.get(index) ?? new Set();
    if (channel.text.holds) this.holding.set(index, holding.add(channel));
    else holding.delete(channel);
    return passed;
  }

  /** Null: there are more than any answer has. */
  private channel({ index, name, wrap }: Place): Channel | null {
    const channels = this.channels.get(index) ?? new Map<string, Channel>();
    const known = channels.get(name);
    if (known !== undefined) {
      known.wrap = wrap;
      return known;
    }
    if ((this.opened += 1) > mostChannels) return null;
    const channel = { text: new PiecewiseText(this.upstream), wrap };
    this.channels.set(index, channels.set(name, channel));
    return channel;
  }
}

function cleanPart(part: unknown, clean: (text: string, part: JsonObject) => string): unknown {
  return isObject(part) && typeof part["text"] === "string" ? { ...part, text: clean(part["text"], part) } : part;
}

function* eachInTurns<T>(items: readonly T[], work: (item: T) => unknown): Generator<void, unknown[], void> {
  const made: unknown[] = [];
  for (const item of items) {
    made.push(work(item));
    if (made.length % atOnce === 0) yield;
  }
  return made;
}

/** A text that comes in pieces, each without a key within it. */
class PiecewiseText {
  /** the end of what was passed on */
  private sent = "";
  private waiting = "";
  /** where in the key's forms the text may be that follows a redacted beginning; null: none was redacted */
  private within: { readonly places: Places; readonly text: string } | null = null;
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
    if (passed.endsWith(blot)) this.within ??= { places: startPlaces(this.forms), text: "" };
    this.sent = (this.sent + passed).slice(-this.longest);
    return passed;
  }

  /** Drops what goes on with a key whose beginning was redacted at the end of the piece before. */
  private afterBlot(piece: string, isLast: boolean): string {
    if (this.within === null) return piece;
    let at = 0;
    let { places } = this.within;
    for (; at < piece.length; at += 1) {
      const character = piece[at];
      places = places.filter(([form, place]) => form[place] === character).map(([form, place]) => [form, place + 1]);
      if (places.length === 0) break;
    }
    const text = this.within.text + piece.slice(0, at);
    const goesOn = at === piece.length && !isLast;
    this.within = goesOn ? { places, text } : null;
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

/** Places in a key's forms, from each of which the text may continue. */
type Places = readonly (readonly [form: string, place: number])[];

/** What is redacted without its end has at least so much of the beginning. */
const startPlaces = (forms: readonly string[]): Places =>
  forms.flatMap((form) => Array.from({ length: form.length - telling }, (_, at) => [form, at + telling] as const));
