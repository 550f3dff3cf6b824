import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { api } from "#contract/api.ts";
import { Refusal } from "../domain/refusal.ts";
import type { ModelAnswer, Relay, RelayCall } from "../relay/model-call.ts";
import { attribution } from "./attribution.ts";
import type { Authenticate } from "./auth.ts";
import { routePath } from "./bind.ts";

/** The operations that the relay answers, byte for byte, instead of a handler. */
export type ModelCallName = "createEmbeddings" | "createChatCompletion";

/** The largest body of a model call, in bytes: images travel inside it. */
const modelBodyLimit = 32 * 1_048_576;

export function bindModelCalls(app: FastifyInstance, relay: Relay, authenticate: Authenticate): void {
  const calls: Record<ModelCallName, RelayCall> = {
    createEmbeddings: (call) => relay.embeddings(call),
    createChatCompletion: (call) => relay.chat(call),
  };
  for (const [name, call] of Object.entries(calls) as [ModelCallName, RelayCall][]) {
    const endpoint = api[name];
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      bodyLimit: modelBodyLimit,
      config: { operation: endpoint.name },
      onRequest: async (request) => {
        request.caller = await authenticate(request, endpoint);
      },
      handler: async (request, reply) => send(reply, await call(modelCall(request, reply))),
    });
  }
}

function modelCall(request: FastifyRequest, reply: FastifyReply) {
  const { credential } = request.caller;
  if (credential === null) throw new Refusal("authentication", "Model calls need an API key");
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
    throw new Refusal("invalid_request", "The request body is missing: send a JSON object");
  }
  let signal: AbortSignal | null = null;
  return {
    credential,
    body: request.body,
    attribution: attribution(request.headers),
    headers: request.headers,
    requestId: request.id,
    sourceIp: request.ip,
    // Made when it is first asked for: most calls never ask.
    get signal() {
      return (signal ??= leaving(reply));
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

/** Writes the pieces as they are. Copying vectors together would cost more than all that is done with them. */
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
