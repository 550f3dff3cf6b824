import { isObject, type JsonObject } from "./answer.ts";
import type { ChatEvent, ChatObject, Upstream } from "./provider.ts";
import { blot, formsOf, shared, telling, withoutKey } from "./redact.ts";

/** So much of a key's beginning is held back until the next piece of the text tells whether it is the key. */
const held = telling / 2;

/** Texts that are watched in one stream. */
const mostChannels = 1_024;

/** A choice's text that comes in pieces: its content, its reasoning, a tool's arguments. */
interface Channel {
  readonly text: PiecewiseText;
  /** a message's piece that holds this text */
  readonly wrap: (text: string) => JsonObject;
}

/**
 * Redacts a key that a vendor's stream repeats in pieces, over several events; what an event repeats alone is redacted
 * before it is read. Texts pass through at once, unless they end with the beginning of the key.
 */
export class StreamRedactor {
  /** by choice */
  private readonly channels = new Map<unknown, Map<string, Channel>>();
  private opened = 0;
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  /** The events to pass on for one: itself, and before the end of a choice what was held back of it. */
  *pass(event: ChatEvent): Generator<ChatEvent, void, void> {
    if (formsOf(this.upstream).length === 0) return yield event;
    if (event.type === "done") yield* this.end();
    if (event.type !== "chunk") return yield event;
    const ended: ChatObject["choices"] = [];
    const choices = event.chunk.choices.map((choice) => {
      const isLast = typeof choice["finish_reason"] === "string";
      const { delta } = choice;
      const clean = isObject(delta) ? { ...choice, delta: this.cleanDelta(choice["index"], delta, isLast) } : choice;
      if (isLast) ended.push(...this.rest(choice["index"]));
      return clean;
    });
    for (const choice of ended) yield { type: "chunk", chunk: { ...event.chunk, choices: [choice] } };
    yield { type: "chunk", chunk: { ...event.chunk, choices } };
  }

  /** What is still held back when the stream ends. */
  *end(): Generator<ChatEvent, void, void> {
    for (const index of this.channels.keys()) {
      for (const choice of this.rest(index)) yield { type: "chunk", chunk: { choices: [choice] } };
    }
  }

  private rest(index: unknown): ChatObject["choices"] {
    return [...(this.channels.get(index)?.values() ?? [])].flatMap(({ text, wrap }) => {
      const left = text.push("", true);
      return left === "" ? [] : [{ index, delta: wrap(left), finish_reason: null }];
    });
  }

  private cleanDelta(index: unknown, delta: JsonObject, isLast: boolean): JsonObject {
    const clean = { ...delta };
    const through = (name: string, wrap: Channel["wrap"], text: string) =>
      this.channel(index, name, wrap)?.push(text, isLast) ?? text;
    for (const name of ["content", "reasoning", "reasoning_content", "refusal"]) {
      const text = delta[name];
      if (typeof text === "string") clean[name] = through(name, (rest) => ({ [name]: rest }), text);
    }
    const { content, reasoning_details: details, tool_calls: calls } = delta;
    if (Array.isArray(content)) {
      clean["content"] = this.cleanParts(content, (text, part) =>
        through("content", (rest) => ({ content: [{ ...part, text: rest }] }), text),
      );
    }
    if (Array.isArray(details)) {
      clean["reasoning_details"] = this.cleanParts(details, (text, part) =>
        through(`details ${String(part["index"])}`, (rest) => ({ reasoning_details: [{ ...part, text: rest }] }), text),
      );
    }
    if (Array.isArray(calls)) {
      clean["tool_calls"] = calls.map((call: unknown) => {
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

  private cleanParts(parts: readonly unknown[], clean: (text: string, part: JsonObject) => string): unknown[] {
    return parts.map((part) =>
      isObject(part) && typeof part["text"] === "string" ? { ...part, text: clean(part["text"], part) } : part,
    );
  }

  /** Null: there are more than any answer has. */
  private channel(index: unknown, name: string, wrap: Channel["wrap"]): PiecewiseText | null {
    const channels = this.channels.get(index) ?? new Map<string, Channel>();
    const known = channels.get(name);
    if (known === undefined && (this.opened += 1) > mostChannels) return null;
    const text = known?.text ?? new PiecewiseText(this.upstream);
    channels.set(name, { text, wrap });
    this.channels.set(index, channels);
    return text;
  }
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
