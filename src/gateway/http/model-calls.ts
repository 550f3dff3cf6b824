import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { api } from "#contract/api.ts";
import { Refusal } from "../domain/refusal.ts";
import { recordCallAsKey } from "../domain/keys/session-key.ts";
import type { RefusedCallCounter } from "../domain/calls/refused-call-counter.ts";
import { createMemoryBudget, type MemoryBudget, type Room, roomIn } from "../memory-budget.ts";
import type { ModelAnswer, Relay, RelayCall } from "../relay/model-call.ts";
import type { Slots } from "../slots.ts";
import { TooManyCalls } from "../too-many-calls.ts";
import { attribution, consoleAttribution } from "./attribution.ts";
import { type Authenticate, callerHooks, isCalledAsKey } from "./auth.ts";
import type { ModelCallName } from "./route-names.ts";
import { routePath } from "./route-path.ts";
import { refusalOf } from "./errors.ts";
import { familyOf } from "./short-paths.ts";

/**
 * The memory for all providers' answers together. A key alone may hold half, which is the largest answer to an embeddings
 * call; beside others it finds less, and what finds no room is charged, and answered 503.
 */
const mostAnswerBytes = 256 * 1_048_576;

interface ModelCallOptions {
  readonly refusedCalls: RefusedCallCounter;
  readonly calls: Slots;
  readonly answerBytes: number | undefined;
  /** the API's address as a request's caller knows it */
  readonly apiUrl: (request: FastifyRequest) => string;
}

export function bindModelCalls(
  app: FastifyInstance,
  relay: Relay,
  authenticate: Authenticate,
  { refusedCalls, calls: slots, answerBytes = mostAnswerBytes, apiUrl }: ModelCallOptions,
): void {
  const calls: Record<ModelCallName, RelayCall> = {
    createEmbeddings: (call) => relay.embeddings(call),
    createChatCompletion: (call) => relay.chat(call),
    createCompletion: (call) => relay.completions(call),
    createRerank: (call) => relay.rerank(call),
    createTranscription: (call) => relay.transcriptions(call),
    createSpeech: (call) => relay.speech(call),
    createImage: (call) => relay.images(call),
    createImageByOpenAiPath: (call) => relay.images(call),
    createVideo: (call) => relay.videos(call),
    createMessage: (call) => relay.messages(call),
    createResponse: (call) => relay.responses(call),
    countMessageTokens: (call) => relay.countMessageTokens(call),
  };
  const answers = createMemoryBudget(answerBytes);
  for (const [name, call] of Object.entries(calls) as [ModelCallName, RelayCall][]) {
    const endpoint = api[name];
    const { onRequest, preHandler } = callerHooks(authenticate, endpoint);
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      bodyLimit: endpoint.bodyLimit,
      config: { operation: endpoint.operationId, takesForm: endpoint.form !== null },
      onRequest: [onRequest, async (request, reply) => await takeSlot(slots, request, reply)],
      preHandler,
      // What calls no model is no refused call either.
      ...(name !== "countMessageTokens" && {
        onError: async (request: FastifyRequest, _: FastifyReply, error: Error) =>
          countRefusal(refusedCalls, request, refusalOf(error)),
      }),
      handler: async (request, reply) => {
        const asked = modelCall(request, reply, { answers, apiUrl });
        request.isInUse = true;
        try {
          if (isCalledAsKey(request.caller)) await recordCallAsKey(request.caller.context, asked.credential);
          return send(reply, await call(asked));
        } finally {
          asked.release();
        }
      },
    });
  }
}

/**
 * Lets a call begin, before its body is read, once there is room for it and time.
 * @throws TooManyCalls when that takes longer than a moment; AbortError when the caller leaves before
 */
async function takeSlot(slots: Slots, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const owner = request.caller.credential?.hash ?? "";
  const slot = await slots.take(owner, (left) => reply.raw.once("close", left));
  if (reply.raw.destroyed) {
    slot?.();
    throw new DOMException("the caller left before its call began", "AbortError");
  }
  if (slot === null) throw new TooManyCalls("The gateway has as many model calls in flight as it can serve");
  request.endCall = slot;
}

/** A refused call without an id is not on the ledger: it is counted instead, for the key that it came with. */
function countRefusal(refused: RefusedCallCounter, { key, id }: FastifyRequest, refusal: Refusal | null): void {
  if (refusal === null || refusal.details.headers?.["x-generation-id"] !== undefined) return;
  if (key === null || key.workspaceId === null) return;
  refused.count({ keyHash: key.hash, workspaceId: key.workspaceId, requestId: id }, refusal);
}

const nothing = Buffer.alloc(0);

function modelCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, apiUrl }: Pick<ModelCallOptions, "apiUrl"> & { readonly answers: MemoryBudget },
) {
  const { credential } = request.caller;
  if (credential === null) throw new Refusal("authentication", "Model calls need an API key");
  const family = familyOf(request.raw);
  let signal: AbortSignal | null = null;
  let room: Room | null = null;
  const works: Promise<unknown>[] = [];
  const giveBack = () => {
    room?.giveBack();
    request.isInUse = false;
    request.giveBack?.();
    request.endCall?.();
  };
  const afterWork = () => {
    if (works.length === 0) giveBack();
    else void Promise.allSettled(works).then(giveBack);
  };
  return {
    credential,
    body: Buffer.isBuffer(request.body) ? request.body : nothing,
    attribution: isCalledAsKey(request.caller) ? consoleAttribution : attribution(request.headers),
    headers: request.headers,
    requestId: request.id,
    get apiUrl() {
      return apiUrl(request);
    },
    sourceIp: request.ip,
    ...(family?.name === "cohere" && { cohereVersion: family.version }),
    // Created when it is first needed: most calls never need it.
    get signal() {
      return (signal ??= leaving(reply));
    },
    get room() {
      return (room ??= roomIn(answers, credential.hash));
    },
    until(work: Promise<unknown>) {
      works.push(work);
    },
    /** The call is over; its answer may still be on its way. A caller who left may have gone long before. */
    release() {
      if (reply.raw.closed) afterWork();
      else reply.raw.once("close", afterWork);
    },
  };
}

/** A signal that aborts when the caller closes the connection before the answer is over. */
function leaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(reply: FastifyReply, { status, headers, body }: ModelAnswer): FastifyReply {
  reply.code(status).headers(headers);
  return Array.isArray(body) ? sendPieces(reply, body as readonly Buffer[]) : reply.send(body);
}

/** Writes the pieces as they are. Copying the vectors together would cost more than everything else done with them. */
function sendPieces(reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), "content-length": length };
  reply.hijack();
  const { raw } = reply;
  raw.cork();
  raw.writeHead(reply.statusCode, headers);
  for (const piece of pieces) raw.write(piece);
  raw.end();
  raw.uncork();
  return reply;
}
