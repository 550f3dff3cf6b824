import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { api } from "#contract/api.ts";
import { Refusal } from "../domain/refusal.ts";
import type { AskedContent, Relay } from "../relay/model-call.ts";
import type { Slots } from "../slots.ts";
import { TooManyCalls } from "../too-many-calls.ts";
import type { Authenticate } from "./auth.ts";
import type { Handlers } from "./bind.ts";
import { routePath } from "./route-path.ts";
import { parseRequest } from "./parse.ts";

/** @param apiUrl the API's address as a request's caller knows it */
export const videoHandlers = (relay: Relay, apiUrl: (request: FastifyRequest) => string) =>
  ({
    getVideo: async (_, { params }, { request }) =>
      await relay.video({ id: params.jobId, credential: credentialOf(request), apiUrl: apiUrl(request) }),
  }) satisfies Pick<Handlers, "getVideo">;

function credentialOf({ caller }: FastifyRequest) {
  if (caller.credential === null) throw new Refusal("authentication", "Model calls need an API key");
  return caller.credential;
}

/** A video goes to whoever has a key, or the token of its address; it takes a slot for as long as it lasts. */
export function bindVideoContent(app: FastifyInstance, relay: Relay, authenticate: Authenticate, slots: Slots): void {
  const endpoint = api.getVideoContent;
  app.route<{ Querystring: { token?: string } }>({
    method: endpoint.method,
    url: routePath(endpoint.path),
    // A provider would be asked for all of the video, of which nothing is passed on.
    exposeHeadRoute: false,
    config: { operation: endpoint.operationId },
    onRequest: async (request) => {
      const isKeyed = request.headers.authorization !== undefined || request.query.token === undefined;
      request.caller = await authenticate(request, isKeyed ? endpoint : { ...endpoint, auth: "none" });
    },
    handler: async (request, reply) => {
      const { params, query } = await parseRequest(
        endpoint,
        { params: request.params, query: request.query, body: null },
        request.ip,
      );
      const { credential } = request.caller;
      const by: AskedContent["by"] = credential === null ? { token: query.token ?? "" } : { credential };
      await takeSlot(slots, credential?.hash ?? params.jobId, request, reply);
      const range = request.headers.range ?? null;
      const answer = await relay.videoContent({ id: params.jobId, index: Number(query.index ?? 0), by, range });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  });
}

async function takeSlot(slots: Slots, owner: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const slot = await slots.take(owner, (left) => reply.raw.once("close", left));
  if (reply.raw.destroyed) {
    slot?.();
    throw new DOMException("the caller left before its answer began", "AbortError");
  }
  if (slot === null) throw new TooManyCalls("The gateway has as many model calls in flight as it can serve");
  // Given back when the connection of the answer is over.
  request.endCall = slot;
}
