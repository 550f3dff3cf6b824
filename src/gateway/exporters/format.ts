import type { DestinationType } from "#contract/destination-kinds.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";

/** Where events go: a destination's config with its defaults filled in, secrets in plain text. */
export interface Sink {
  readonly type: DestinationType;
  /** every text member that is set or has a default */
  readonly config: Readonly<Record<string, string>>;
  /** the extra headers, which win over the format's own */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SinkRequest {
  readonly method: "POST" | "PUT";
  readonly url: string;
  /** lower-case names */
  readonly headers: Readonly<Record<string, string>>;
  /** as text, which is also what the preview shows */
  readonly body: string;
  /** sent instead of `body`: the same as bytes, if they exist already, or if the wire format is not text */
  readonly bytes?: Buffer;
}

export interface SinkAnswer {
  readonly status: number;
  /** lower-case names */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** the beginning of it, a few kB */
  readonly body: string;
}

/**
 * What an answer means for the events that were sent.
 * - `retry`: the destination is in trouble, or busy for `afterMs`
 * - `too_large`: fewer events at once may succeed
 * - `rejected`: something is wrong with one or more of the events
 * - `refused`: something is wrong with the settings; nothing will succeed until they, or the destination's, change
 */
export type Verdict =
  | { readonly verdict: "accepted" }
  | { readonly verdict: "retry"; readonly message: string; readonly afterMs: number | null }
  | { readonly verdict: "too_large" | "rejected" | "refused"; readonly message: string };

/** One wire format. */
export interface Format {
  /** the most that one request takes; bytes of JSON before any compression */
  readonly most: { readonly events: number; readonly bytes: number };
  /** @param now only affects signatures, so that the same events give the same bodies */
  toRequests(sink: Sink, events: readonly ForwardedEvent[], now: Date): Promise<SinkRequest[]>;
  readAnswer(answer: SinkAnswer, now: Date): Verdict;
  /** tests whether the destination would accept events, leaving as little trace as possible */
  toTest(sink: Sink, now: Date): Promise<SinkRequest>;
  /** statuses that pass a test in addition to 2xx */
  readonly testPasses?: readonly number[];
}

/** A member of the config that is always present according to the kind's table. */
export function member(sink: Sink, name: string): string {
  const value = sink.config[name];
  if (value === undefined) throw new Error(`the ${sink.type} destination has no ${name}`);
  return value;
}

/** Appends a path to an address unless it already ends in it. */
export function under(address: string, path: string): string {
  const base = address.replace(/\/+$/, "");
  return base.endsWith(path) ? base : base + path;
}

/** The headers of a request: the format's, then the destination's, by lower-case name. */
export function withHeaders(sink: Sink, own: Readonly<Record<string, string>>): Record<string, string> {
  const extra = Object.entries(sink.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { "content-type": "application/json", "user-agent": "gatehouse", ...own, ...Object.fromEntries(extra) };
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
