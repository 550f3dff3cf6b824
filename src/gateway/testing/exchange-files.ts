import { readdirSync, readFileSync } from "node:fs";
import type { ProviderKind, ProviderOptions, ProviderPreset } from "#contract/providers.ts";
import type { UpstreamFailure, Usage } from "../providers/provider.ts";
import type { ScriptedAnswer } from "./scripted-vendor.ts";

/**
 * One file of fixtures/exchanges/: what a vendor is sent, what it answers, and what that means. A vendor's new shape is a
 * new file there; exchanges.test.ts reads them all.
 */
export interface ExchangeFile {
  readonly name: string;
  /**
   * a page, or where else the bytes are from; ids, fingerprints and long texts are shortened. "not compared": the page
   * describes the shape, and its bytes are still to be compared
   */
  readonly source: string;
  /** when it was looked up */
  readonly date: string;
  readonly operation?: "embeddings" | "chat";
  /** the callers' only form that can ask for such an answer; default: each can */
  readonly form?: "chat" | "messages" | "responses";
  /** default: a server of OpenAI's dialect that is no preset */
  readonly provider?: {
    readonly kind?: ProviderKind;
    readonly preset?: ProviderPreset;
    readonly baseUrl?: string;
    readonly options?: ProviderOptions;
  };
  /** what a caller asks in this form, and the body that the vendor is sent for it */
  readonly asks?: object;
  readonly sends?: object;
  readonly format?: "float" | "base64";
  /** what a dialect is asked to send, and the bytes that it makes of it */
  readonly call?: unknown;
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** the whole answer: JSON, or another text */
  readonly answer?: unknown;
  /** or a stream's events: JSON, `[DONE]`, or the bytes of a frame */
  readonly stream?: readonly (object | string)[];
  readonly reads?: ExchangeReading;
}

/** What has to be read out of an answer. Absent: nothing of the kind; of finish, usage and charge: whatever it is. */
export interface ExchangeReading {
  readonly text?: string;
  readonly reasoning?: string;
  /** the arguments of each call of a tool */
  readonly calls?: readonly string[];
  readonly refusal?: string;
  /** with their signatures, for the next request */
  readonly reasoning_details?: readonly object[];
  readonly finish?: string;
  readonly usage?: Usage | null;
  /** nano-dollars at the prices of exchanges.test.ts */
  readonly charge?: number;
  /** the reason for which a stream broke off */
  readonly broken?: UpstreamFailure["reason"];
  /** of an error */
  readonly failure?: Partial<UpstreamFailure>;
  /** of embeddings */
  readonly vectors?: unknown;
}

const folder = new URL("fixtures/exchanges/", import.meta.url);

export const exchangeFiles: readonly ExchangeFile[] = readdirSync(folder)
  .toSorted()
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")));

/** A stream's bytes, as the vendor writes them. */
export const streamOf = ({ stream = [], provider }: ExchangeFile): readonly string[] =>
  stream.map((event) => {
    if (typeof event === "string") return event.endsWith("\n") ? event : `data: ${event}\n\n`;
    const { type } = event as { type?: string };
    // Vendors of OpenAI's chat dialect do not name their events.
    const isNamed = type !== undefined && (provider?.kind ?? "openai-compatible") !== "openai-compatible";
    return `${isNamed ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  });

/** An answer as a scripted vendor gives it. */
export function scriptedAnswer(file: ExchangeFile): ScriptedAnswer {
  const { status = 200, headers = {}, answer, stream } = file;
  const type = stream === undefined ? "application/json" : "text/event-stream";
  const whole = typeof answer === "string" ? answer : JSON.stringify(answer);
  return {
    status,
    headers: { "content-type": type, ...headers },
    pieces: stream === undefined ? [whole] : streamOf(file),
  };
}
