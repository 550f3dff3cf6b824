import { Readable } from "node:stream";
import type { BatchEndpoint } from "#contract/batches.ts";
import { type BatchRow, secretOf, tooMuchKept } from "../../domain/calls/batches.ts";
import { openRequest, sealResult, type StoredRequest } from "../../domain/calls/batch-content.ts";
import {
  callOfRequest,
  type ClaimedRequest,
  hasCost,
  type RequestAgain,
  type RequestEnd,
} from "../../domain/calls/batch-queue.ts";
import type { Deps } from "../../domain/context.ts";
import { refuseUnusable } from "../../domain/keys/credentials.ts";
import { Refusal } from "../../domain/refusal.ts";
import { jsonMembers } from "../../json-members.ts";
import { createMemoryBudget, roomIn } from "../../memory-budget.ts";
import { isObject } from "../../providers/answer.ts";
import type { ModelAnswer, ModelCall, Relay, RelayCall } from "../model-call.ts";
import { joinInTurns, runInTurns, takeTurns, type Turn } from "../../turns.ts";
import { failureOf, generationOf, refusalOf, retryMs } from "./failure.ts";
import { errorName } from "../../error-name.ts";

export interface BatchDeps {
  readonly domain: Deps;
  readonly relay: Pick<Relay, "chat" | "messages" | "responses" | "embeddings">;
  /** counts a call that was refused and is not on the ledger */
  readonly refused: (call: { keyHash: string; workspaceId: string; requestId: string }, refusal: Refusal) => void;
  readonly warn: (message: string, details: object) => void;
}

/** What became of a request: its result, or when to make it again. */
type RequestOutcome = { readonly end: RequestEnd } | RequestAgain;

/** For the answers to all batches' calls that are in flight. */
const answers = createMemoryBudget(96 * 1_048_576);
/** Of an answer that is kept. */
const mostAnswerBytes = 8 * 1_048_576;

interface Made {
  readonly status: number;
  readonly body: Buffer;
  readonly generationId: string | null;
  readonly isAnswered: boolean;
}

/**
 * Makes one request of a batch as a call like any other: the same relay, limits, guardrails, settlement and event.
 * @throws WrongSecretKey where the secret key was lost meanwhile
 */
export async function runRequest(deps: BatchDeps, batch: BatchRow, request: ClaimedRequest): Promise<RequestOutcome> {
  const { key } = secretOf(deps.domain, batch);
  const place = { batchId: batch.id, n: request.n };
  const stored = openRequest(key, place, request.request ?? Buffer.alloc(0));
  const { request_id: requestId } = request;
  const result = async ({ isAnswered, ...made }: Made): Promise<RequestOutcome> => ({
    end: {
      state: isAnswered ? "completed" : "failed",
      result: sealResult(key, place, { customId: stored.customId, requestId, ...made }),
      ...(isAnswered ? await usageIn(batch.key_hash, made.body) : noUsage),
    },
  });
  const background = { batchId: batch.id, wasAsked: false };
  try {
    return await result(await made(deps, batch, request, { ...stored, background }));
  } catch (error) {
    const known = refusalOf(error);
    if (known === null) {
      deps.warn("a request of a batch hit an internal error", { batch: batch.id, reason: errorName(error) });
    }
    const refusal = known ?? new Refusal("server", "Internal error");
    const { wasAsked } = background;
    const againIn = retryMs(refusal, { wasAsked, tries: request.tries });
    if (againIn !== null && !(wasAsked && (await mayHaveCost(deps, requestId)))) return { againIn, wasAsked };
    const { key_hash: keyHash, workspace_id: workspaceId } = batch;
    if (generationOf(refusal) === null) deps.refused({ keyHash, workspaceId, requestId }, refusal);
    return await result({ ...failed(batch, refusal, requestId), generationId: generationOf(refusal) });
  }
}

/** Where the store cannot tell, it may. */
const mayHaveCost = async ({ domain }: BatchDeps, requestId: string) =>
  await hasCost(domain, requestId).catch(() => true);

function failed({ form }: BatchRow, refusal: Refusal, requestId: string): Omit<Made, "generationId"> {
  const { status, body } = failureOf(form, refusal, requestId);
  return { status, body: Buffer.from(JSON.stringify(body)), isAnswered: false };
}

/** The result of a request whose process has gone while it made it. It is not made again: it may have been charged. */
export async function interruptedEnd(
  { domain }: Pick<BatchDeps, "domain">,
  batch: BatchRow,
  request: ClaimedRequest,
): Promise<RequestEnd> {
  const { key } = secretOf(domain, batch);
  const place = { batchId: batch.id, n: request.n };
  const { request_id: requestId } = request;
  const { customId } = openRequest(key, place, request.request ?? Buffer.alloc(0));
  const call = await callOfRequest(domain, requestId);
  const message =
    call === null
      ? "The gateway was stopped while it made this call. It may have been sent to its provider, so it was not made again"
      : `The gateway was stopped before it could keep the answer. The call is on the ledger as ${call.id}, and was not made again`;
  const refusal = new Refusal("unavailable", message);
  const made = { ...failed(batch, refusal, requestId), generationId: call?.id ?? null };
  const { isAnswered: _, ...kept } = made;
  return { state: "failed", result: sealResult(key, place, { customId, requestId, ...kept }), ...noUsage };
}

async function made(
  { domain, relay }: BatchDeps,
  batch: BatchRow,
  { request_id: requestId, is_full: isFull }: ClaimedRequest,
  { body, background }: StoredRequest & Pick<Required<ModelCall>, "background">,
): Promise<Made> {
  if (isFull === true) throw new Refusal("payload_too_large", tooMuchKept);
  const credential = await domain.credentials.read(domain, batch.key_hash);
  if (credential === null) throw new Refusal("authentication", "This API key is not known here");
  refuseUnusable(credential, domain.now());
  const { headers, attribution, apiUrl } = secretOf(domain, batch);
  const works: Promise<unknown>[] = [];
  const room = roomIn(answers, credential.hash);
  const call: ModelCall = {
    credential,
    body,
    attribution,
    headers,
    requestId,
    apiUrl,
    sourceIp: null,
    signal: new AbortController().signal,
    room,
    background,
    until: (work) => void works.push(work),
  };
  try {
    const answer = await callOf(relay, batch.endpoint as BatchEndpoint)(call);
    const generationId = answer.headers["x-generation-id"] ?? null;
    const bytes = await bytesOf(answer.body, takeTurns(credential.hash, { patient: true }));
    if (bytes !== null) return { status: answer.status, body: bytes, generationId, isAnswered: true };
    const message = `The answer has more than ${mostAnswerBytes / 1_048_576} MB: the call is charged, and its answer not kept`;
    return { ...failed(batch, new Refusal("unprocessable", message), requestId), generationId };
  } finally {
    await Promise.allSettled(works);
    room.giveBack();
  }
}

function callOf(relay: BatchDeps["relay"], endpoint: BatchEndpoint): RelayCall {
  if (endpoint === "/v1/messages") return relay.messages;
  if (endpoint === "/v1/responses") return relay.responses;
  return endpoint === "/v1/embeddings" ? relay.embeddings : relay.chat;
}

/** JSON on one line; null: it is too long to be kept. */
async function bytesOf(body: ModelAnswer["body"], turn: Turn): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  const stream = body instanceof Readable ? body : Readable.from(typeof body === "string" ? [Buffer.from(body)] : body);
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    isTooLong ||= size > mostAnswerBytes;
    if (!isTooLong) pieces.push(piece);
  }
  if (isTooLong) return null;
  turn.begin();
  const json = await joinInTurns(pieces, turn);
  await runInTurns(onOneLine(json), turn);
  return json;
}

const pauseEvery = 65_536;

/** A line break in JSON is white space: in a text it is escaped. */
function* onOneLine(json: Buffer): Generator<void, void, void> {
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === 0x0a || json[at] === 0x0d) json[at] = 0x20;
    if (at % pauseEvery === 0) yield;
  }
}

const noUsage = { promptTokens: 0, completionTokens: 0 };

/** The tokens that an answer says, in whichever dialect. */
async function usageIn(owner: string, answer: Buffer): Promise<Pick<RequestEnd, "promptTokens" | "completionTokens">> {
  const turn = takeTurns(owner, { patient: true });
  const { members } = await runInTurns(jsonMembers(answer), turn);
  const place = members.findLast(({ name }) => name === "usage");
  const usage: unknown = place === undefined ? null : JSON.parse(answer.toString("utf8", place.valueFrom, place.to));
  if (!isObject(usage)) return noUsage;
  const count = (name: string) => {
    const value = usage[name];
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? Math.min(value, mostTokens) : 0;
  };
  const cached = count("cache_creation_input_tokens") + count("cache_read_input_tokens");
  return {
    promptTokens: count("prompt_tokens") || count("input_tokens") + cached,
    completionTokens: count("completion_tokens") || count("output_tokens"),
  };
}

/** Of one answer: what a provider says beyond is nonsense, and the sum has to stay a number. */
const mostTokens = 1_000_000_000;
