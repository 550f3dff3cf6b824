import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Deps } from "../context.ts";
import { batchAad } from "../secrets/aad.ts";
import { openBytes, sealBytes } from "../secrets/sealed-bytes.ts";

/** What a batch's row seals: the key of its requests and results, and what its calls are made with. */
export interface BatchSecret {
  /** base64 */
  readonly key: string;
  /** of the request that made it, those that a call reads */
  readonly headers: IncomingHttpHeaders;
  readonly attribution: {
    readonly referer: string | null;
    readonly title: string | null;
    readonly categories: string[];
  };
  /** the API's address as its caller knew it */
  readonly apiUrl: string;
}

export const newBatchKey = (): string => randomBytes(32).toString("base64");

export function sealSecret({ secrets }: Pick<Deps, "secrets">, id: string, secret: BatchSecret): string {
  return secrets.seal(JSON.stringify(secret), batchAad(id));
}

/** @throws WrongSecretKey */
export function openSecret({ secrets }: Pick<Deps, "secrets">, id: string, sealed: string): BatchSecret {
  return JSON.parse(secrets.open(sealed, batchAad(id))) as BatchSecret;
}

/** A request as it is stored: what its result has to name, and the body of its call. */
export interface StoredRequest {
  readonly customId: string;
  readonly body: Buffer;
}

/** A request's result, as it is stored. */
interface StoredResult {
  readonly customId: string;
  /** of the call on the ledger; null: it is not there */
  readonly generationId: string | null;
  readonly requestId: string;
  /** the status that the call was answered with; null: it was not, or nobody knows */
  readonly status: number | null;
  /** JSON on one line: the answer, or the error in the form of the batch's dialect */
  readonly body: Buffer;
}

/** What is stored of a request is not what was sealed for it. */
export class AlteredContent extends Error {
  override readonly name = "AlteredContent";
}

type Kind = "request" | "result";

/** A request of a batch. */
interface RequestKey {
  readonly batchId: string;
  readonly n: number;
}

export function sealRequest(key: string, request: RequestKey, { customId, body }: StoredRequest): Buffer {
  return seal(key, aadOf("request", request), { customId }, body);
}

export function openRequest(key: string, request: RequestKey, sealed: Buffer): StoredRequest {
  const { head, body } = open(key, aadOf("request", request), sealed);
  return { ...(head as Omit<StoredRequest, "body">), body };
}

export function sealResult(key: string, request: RequestKey, { body, ...head }: StoredResult): Buffer {
  return seal(key, aadOf("result", request), head, body);
}

export function openResult(key: string, request: RequestKey, sealed: Buffer): StoredResult {
  const { head, body } = open(key, aadOf("result", request), sealed);
  return { ...(head as Omit<StoredResult, "body">), body };
}

const aadOf = (kind: Kind, { batchId, n }: RequestKey) => `${batchId}:${n}:${kind}`;

/** A line of JSON and the body. */
function seal(key: string, aad: string, head: object, body: Buffer): Buffer {
  return sealBytes(Buffer.from(key, "base64"), aad, Buffer.from(`${JSON.stringify(head)}\n`), body);
}

function open(key: string, aad: string, sealed: Buffer): { head: unknown; body: Buffer } {
  const content = openBytes(Buffer.from(key, "base64"), aad, sealed);
  if (content === null) throw new AlteredContent(`what is sealed for ${aad} was altered`);
  const end = content.indexOf(0x0a);
  return { head: JSON.parse(content.toString("utf8", 0, end)), body: content.subarray(end + 1) };
}
