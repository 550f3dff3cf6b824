import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod/mini";
import {
  BatchBody,
  type BatchEndpoint,
  batchEndpoints,
  mostBatchMegabytes,
  mostBatchRequestMegabytes,
  mostBatchRequests,
} from "#contract/batches.ts";
import {
  addRequests,
  beginBatch,
  type BatchKey,
  type BatchRow,
  dropBatch,
  openBatch,
} from "../../domain/calls/batches.ts";
import { type BatchSecret, newBatchKey } from "../../domain/calls/batch-content.ts";
import type { Deps } from "../../domain/context.ts";
import type { BatchForm } from "../../domain/generation-id.ts";
import type { Credential } from "../../domain/keys/credentials.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { refuseUnstorable } from "../../json-body.ts";
import { type Found, MemberScanner, TooLongJson } from "../../member-scanner.ts";
import { UnreadableJson } from "../../read-json.ts";
import { takeTurns, type Turn } from "../../turns.ts";
import type { Attribution } from "../model-call.ts";
import { type CheckedRequest, checkRequest } from "./check-request.ts";

/** A batch as it arrives over HTTP. */
export interface BatchUpload {
  readonly form: BatchForm;
  readonly credential: Credential;
  readonly content: AsyncIterable<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly attribution: Attribution;
  readonly apiUrl: string;
  /** called when all of it has come, which may take minutes: refuses a key that was deleted meanwhile */
  stillAllowed(): Promise<void>;
}

const mostBytes = mostBatchMegabytes * 1_048_576;
const mostRequestBytes = mostBatchRequestMegabytes * 1_048_576;
const mostMemberBytes = 16_384;

/**
 * Stores a batch as it comes, a few requests at a time.
 * @param dropped it did not come whole
 * @param most requests
 * @throws Refusal
 */
export async function submitBatch(
  deps: Pick<Deps, "store" | "secrets" | "now">,
  upload: BatchUpload,
  dropped: () => void,
  most = mostBatchRequests,
): Promise<BatchRow> {
  const reader = new BatchReader(deps, upload, most);
  try {
    let size = 0;
    for await (const piece of upload.content) {
      size += piece.length;
      if (size > mostBytes) throw tooLarge(`A batch can have at most ${mostBatchMegabytes} MB`);
      await reader.push(piece);
    }
    return await reader.end();
  } catch (error) {
    // What is left is purged.
    await reader.drop().catch(() => {});
    dropped();
    throw refusalFor(error);
  }
}

function refusalFor(error: unknown): unknown {
  if (error instanceof UnreadableJson) return invalid("", `The request body ${error.message}`);
  if (!(error instanceof TooLongJson)) return error;
  const { member, index } = error;
  if (index === null) return invalid(member.slice(0, 100), `must have at most ${mostMemberBytes} bytes`);
  return tooLarge(`requests.${index} has more than ${mostBatchRequestMegabytes} MB`);
}

const tooLarge = (message: string) => new Refusal("payload_too_large", message);

/** Of requests that have come and are not stored yet: those are counted while they wait, since storing them is slow. */
const mostAhead = 8 * 1_048_576;

/** Requests that are stored in one statement, and the bytes after which there are no more of them. */
const storedAtOnce = 100;
const storedBytes = 524_288;

class BatchReader {
  private readonly deps: Pick<Deps, "store" | "secrets" | "now">;
  private readonly upload: BatchUpload;
  private readonly most: number;
  private readonly turn: Turn;
  private readonly scanner = new MemberScanner({
    list: "requests",
    mostMember: mostMemberBytes,
    mostElement: mostRequestBytes,
  });
  private readonly members = new Map<string, unknown>();
  /** digests: 50,000 ids may take 25 MB */
  private readonly ids = new Set<string>();
  private readonly secret: BatchSecret;
  private key: BatchKey | null = null;
  private model: string | null = null;
  private waiting: CheckedRequest[] = [];
  private waitingBytes = 0;
  private total = 0;
  /** requests that have come, stored or not */
  private counted = 0;
  private ahead: Found[] = [];
  private aheadBytes = 0;
  /** takes what is ahead */
  private work = Promise.resolve();
  private isTaking = false;
  private hasFailed = false;
  private isDropped = false;

  constructor(deps: Pick<Deps, "store" | "secrets" | "now">, upload: BatchUpload, most: number) {
    this.deps = deps;
    this.most = most;
    this.upload = upload;
    this.turn = takeTurns(upload.credential.hash);
    const { headers, attribution, apiUrl } = upload;
    this.secret = { key: newBatchKey(), headers: headersOf(headers), attribution, apiUrl };
  }

  /** @throws Refusal also for what came earlier */
  async push(piece: Buffer): Promise<void> {
    for (const found of this.scanner.push(piece)) {
      if (found.index !== null) this.counted += 1;
      if (this.counted > this.most) throw invalid("requests", `must have at most ${this.most} elements`);
      this.ahead.push(found);
      this.aheadBytes += found.value.length;
    }
    if (!this.isTaking && !this.hasFailed) {
      this.work = this.takeAhead();
      // The next push, or the end, throws the failure.
      this.work.catch(() => {});
    }
    if (this.hasFailed || this.aheadBytes > mostAhead) await this.work;
  }

  private async takeAhead(): Promise<void> {
    this.isTaking = true;
    try {
      while (this.ahead.length > 0) {
        const lot = this.ahead;
        this.ahead = [];
        for (const found of lot) {
          if (this.isDropped) return;
          if (found.index === null) await this.take(found);
          else await this.add(found.value);
          this.aheadBytes -= found.value.length;
        }
      }
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.isTaking = false;
    }
  }

  /** A member beside the requests. */
  private async take({ name, value }: Found): Promise<void> {
    if (name === "requests") throw invalid("requests", "must be a list of requests");
    if (this.upload.form === "messages") throw invalid(name.slice(0, 100), "is no member of a batch of messages");
    const shape: Readonly<Record<string, z.core.$ZodType>> = BatchBody.shape;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) throw invalid(name.slice(0, 100), unknownMessage[name] ?? "is no member of a batch");
    if (this.members.has(name)) throw invalid(name, "is there twice");
    const read = z.safeParse(schema, parsed(name, value));
    if (!read.success) throw invalid(name, memberMessages[name] ?? "is not valid");
    await refuseUnstorable({ [name]: read.data }, this.turn);
    this.members.set(name, read.data);
  }

  private async add(value: Buffer): Promise<void> {
    if (this.key === null) await this.begin();
    const n = this.total + this.waiting.length;
    const request = await checkRequest({ form: this.upload.form, model: this.model, n, value }, this.turn);
    const id = hash("sha256", request.customId, "base64");
    if (this.ids.has(id)) throw invalid(`requests.${n}.custom_id`, "is that of an earlier request");
    this.ids.add(id);
    this.waiting.push(request);
    this.waitingBytes += request.body.length;
    if (this.waiting.length >= storedAtOnce || this.waitingBytes >= storedBytes) await this.flush();
    else if (this.turn.isOver()) await this.turn.next();
  }

  private async begin(): Promise<void> {
    const { form, credential } = this.upload;
    if (form === "public" && !(this.members.has("endpoint") && this.members.has("model"))) {
      throw invalid("requests", "must be sent after endpoint and model, since a batch is read as it comes");
    }
    this.model = (this.members.get("model") as string | undefined) ?? null;
    const endpoint = (this.members.get("endpoint") as BatchEndpoint | undefined) ?? "/v1/messages";
    const { model, secret } = this;
    this.key = await beginBatch(this.deps, { form, endpoint, model, credential, secret });
  }

  private async flush(): Promise<void> {
    const { key, waiting, total } = this;
    if (key === null || waiting.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    this.total += waiting.length;
    const numbered = waiting.map((request, index) => ({ ...request, n: total + index }));
    await addRequests(this.deps, key, this.secret, numbered);
    await this.turn.next();
  }

  async end(): Promise<BatchRow> {
    this.scanner.end();
    await this.work;
    await this.flush();
    if (this.key === null) throw invalid("requests", "is missing or empty: a batch has at least one request");
    await this.upload.stillAllowed();
    return await openBatch(this.deps, this.key, this.total);
  }

  async drop(): Promise<void> {
    this.isDropped = true;
    await this.work.catch(() => {});
    if (this.key !== null) await dropBatch(this.deps, this.key);
  }
}

function parsed(name: string, value: Buffer): unknown {
  try {
    return JSON.parse(value.toString("utf8"));
  } catch {
    throw invalid(name, "is not valid JSON");
  }
}

const memberMessages: Readonly<Record<string, string>> = {
  endpoint: `must be one of ${batchEndpoints.join(", ")}`,
  model: "must be the id of a model, for all requests",
  completion_window: "must be 24h",
};

const unknownMessage: Readonly<Record<string, string>> = {
  input_file_id: "is not taken: send the requests themselves, as `requests`",
};

/** Headers that a call reads, besides its credential. */
const readHeaders = [
  "user-agent",
  "x-session-id",
  "x-openrouter-cache",
  "x-openrouter-cache-ttl",
  "x-openrouter-cache-clear",
  "x-openrouter-metadata",
  "anthropic-version",
  "anthropic-beta",
] as const;

const headersOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(readHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
