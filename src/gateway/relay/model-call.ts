import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { ContentFilterMatch } from "#contract/content-filter-match.ts";
import type { VideoJob } from "#contract/videos.ts";
import type { Credential } from "../domain/keys/credentials.ts";
import type { Trace } from "../domain/ledger/trace.ts";
import type { Room } from "../memory-budget.ts";
import type { JsonObject } from "../providers/answer.ts";
import type { VendorFiles } from "./files/vendor-files.ts";

/** The program that makes a call, as it identifies itself in headers. */
export interface Attribution {
  /** `HTTP-Referer` */
  referer: string | null;
  /** `X-Service-Title`, or one of its older spellings */
  title: string | null;
  categories: string[];
}

/** The preset that a call is made with, as it was then. */
export interface CallPreset {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  /** how its calls use the response cache */
  readonly cache: { readonly isEnabled: boolean | null; readonly ttlSeconds: number | null };
}

/** One model call as it arrived over HTTP. */
export interface ModelCall {
  credential: Credential;
  /** the raw body: JSON that has not been parsed yet; with a preset, what it makes of the caller's */
  body: Buffer;
  /** the preset that completed the body; absent: none */
  preset?: CallPreset;
  /** what content filters found in the body, of which they redacted a part; absent: nothing, or there are none */
  contentFilters?: readonly ContentFilterMatch[];
  attribution: Attribution;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** the API's address as the caller knows it: `https://gateway.example/api/v1` */
  apiUrl: string;
  sourceIp: string | null;
  /** the version of Cohere's API whose path the caller uses; absent: it uses the public API's */
  cohereVersion?: "1" | "2";
  /** aborted when the caller leaves before the end of the answer */
  signal: AbortSignal;
  /** for providers' answers; given back when the call and its answer are finished */
  room: Room;
  /** nobody waits for it: it leaves half of what a provider may have in flight to others */
  background?: {
    readonly batchId: string;
    /** a provider was asked, which may bill it: the call must not be made again */
    wasAsked: boolean;
  };
  /** of a responses call: keeps items of its answer for a caller that sends them back by their ids */
  keepItems?(items: readonly JsonObject[]): Promise<void>;
  /** keeps the room for the body and the answer until this has finished as well */
  until(work: Promise<unknown>): void;
  /**
   * Of an embeddings call that the gateway makes itself: looks at the vectors before the call is settled. What it returns
   * becomes the call's `trace`. Vectors of any length are then an answer, whatever the model declares.
   */
  judge?(answer: JudgedVectors): Trace;
}

/** The vectors of a call, as its maker looks at them. */
export interface JudgedVectors {
  readonly id: string;
  readonly vectors: readonly (readonly number[] | Float32Array)[];
  /** the ids of their spaces, as in `X-Vector-Space` */
  readonly space: string;
}

/** The answer to the caller, ready to send. */
export interface ModelAnswer {
  status: number;
  /** lower-case names; must have content-type */
  headers: Record<string, string>;
  /**
   * Several pieces are one body, sent without being copied together. With a stream, a failure after the first byte can
   * only cut the answer short.
   */
  body: readonly Buffer[] | string | Readable;
}

/** Answers a call to a model or throws a Refusal. */
export type RelayCall = (call: ModelCall) => Promise<ModelAnswer>;

/** A question about a job. */
export interface AskedJob {
  readonly id: string;
  readonly credential: Credential;
  /** the API's address as the caller knows it */
  readonly apiUrl: string;
}

export interface AskedContent {
  readonly id: string;
  readonly index: number;
  /** a key, or the token of an address that needs none */
  readonly by: { readonly credential: Credential } | { readonly token: string };
  /** the `Range` header; null: all of it */
  readonly range: string | null;
}

/** The operations that the relay answers. */
export interface Relay {
  embeddings: RelayCall;
  chat: RelayCall;
  /** a prompt, for a chat model */
  completions: RelayCall;
  rerank: RelayCall;
  speech: RelayCall;
  images: RelayCall;
  /** answers with a job */
  videos: RelayCall;
  /** how a job is coming on */
  video(asked: AskedJob): Promise<VideoJob>;
  /** a finished video, or a range of it */
  videoContent(asked: AskedContent): Promise<ModelAnswer>;
  /** with a body of JSON, or a form */
  transcriptions: RelayCall;
  messages: RelayCall;
  responses: RelayCall;
  /** an estimate, which calls no model */
  countMessageTokens: RelayCall;
  /** at vendors */
  readonly files: VendorFiles;
  /** Cuts off every call in progress at a provider, and every new one: it is charged and refused. */
  interrupt(): Promise<void>;
  /** tells the relay to finish and settle what it has begun */
  close(): Promise<void>;
}
