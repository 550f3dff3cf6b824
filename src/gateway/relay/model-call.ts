import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Credential } from "../domain/credentials.ts";

/** The program that makes a call, as it names itself in headers. */
export interface Attribution {
  /** `HTTP-Referer` */
  referer: string | null;
  /** `X-Service-Title`, or one of its older spellings */
  title: string | null;
  categories: string[];
}

/** One call to a model as it came over HTTP. */
export interface ModelCall {
  credential: Credential;
  /** the body as it came: JSON that nobody has parsed yet */
  body: Buffer;
  attribution: Attribution;
  headers: IncomingHttpHeaders;
  requestId: string;
  sourceIp: string | null;
  /** aborted when the caller leaves before the answer is over */
  signal: AbortSignal;
}

/** What goes back to the caller, as it is. */
export interface ModelAnswer {
  status: number;
  /** lower-case names; must have content-type */
  headers: Record<string, string>;
  /**
   * Several pieces are one body, sent without being copied together. A stream is one whose failure after the first
   * byte can only cut the answer short.
   */
  body: readonly Buffer[] | string | Readable;
}

/** Answers a call to a model or throws a Refusal. */
export type RelayCall = (call: ModelCall) => Promise<ModelAnswer>;

/** The operations that the relay answers. */
export interface Relay {
  embeddings: RelayCall;
  chat: RelayCall;
  /** tells the relay to finish what it has begun and settle it */
  close(): Promise<void>;
}
