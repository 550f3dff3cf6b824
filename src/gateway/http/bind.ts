import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { api } from "#contract/api.ts";
import type { Endpoint, Output, Parsed } from "#contract/endpoint.ts";
import type { Context } from "../domain/context.ts";
import { type Authenticate, callerHooks } from "./auth.ts";
import { compressAnswer } from "./compress.ts";
import { Refusal } from "../domain/refusal.ts";
import { isPublicList, keptList } from "./kept-lists.ts";
import { parseRequest, shapeAnswer, writeLongList } from "./parse.ts";
import type { BatchRouteName, FileRouteName, ModelCallName } from "./route-names.ts";
import { routePath } from "./route-path.ts";

/** The parts of the HTTP exchange that a handler may need: headers and cookies. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<E extends Endpoint> = (ctx: Context, input: Parsed<E>, http: Exchange) => Promise<Output<E>>;

type Api = typeof api;

/** One handler for every endpoint; a missing one, or one that answers something else, does not compile. */
export type Handlers = {
  readonly [K in keyof Api as Exclude<K, ModelCallName | FileRouteName | BatchRouteName | "getVideoContent">]: Handler<
    Api[K]
  >;
};

/** A handler whose types were checked where the table is written. */
export type AnyHandler = (ctx: Context, input: Parsed<Endpoint>, http: Exchange) => Promise<unknown>;

/** Registers the route of one endpoint: credential, then parsing, then its verb, then the contract on the way out. */
export function bindEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  handle: AnyHandler,
  authenticate: Authenticate,
): void {
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    bodyLimit: endpoint.bodyLimit,
    config: {
      operation: endpoint.operationId,
      whileStopping: endpoint.tag === "System",
      takesUrlencoded: endpoint.urlencoded,
    },
    ...callerHooks(authenticate, endpoint),
    ...(endpoint.method === "GET" && !isPublicList(endpoint) && { onSend: compressAnswer }),
    handler: async (request, reply) => {
      const { params, query } = request;
      const sent = {
        params,
        query,
        body: Buffer.isBuffer(request.body) ? request.body : null,
      };
      const input = await parseRequest(endpoint, sent, request.ip);
      const { context } = request.caller;
      const list = keptList(
        endpoint,
        context,
        input,
        request.headers["anthropic-version"] === undefined ? "public" : "messages",
      );
      if (list?.send !== undefined) return await list.send(request, asJson(reply));
      const answer = await handle(context, input, { request, reply });
      const long = await writeLongList(endpoint, answer, request.ip);
      reply.code(endpoint.status);
      const written = long === null ? null : Buffer.concat(long);
      if (list !== null) {
        const send = list.keep(written ?? JSON.stringify(shapeAnswer(endpoint, answer)));
        return await send(request, asJson(reply));
      }
      return written === null ? reply.send(shapeAnswer(endpoint, answer)) : asJson(reply).send(written);
    },
  });
}

const asJson = (reply: FastifyReply) => reply.header("content-type", "application/json; charset=utf-8");

const otherMethods: HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Answers every method that a path does not support: 405 with `Allow`, and OPTIONS with 204. */
export function bindOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const methods = new Set<string>(sharing.map((endpoint) => endpoint.method));
    const allow = [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted().join(", ");
    const url = routePath(path);
    app.options(url, (_, reply) => reply.code(204).header("allow", allow).send());
    app.route({
      method: otherMethods.filter((method) => !methods.has(method)),
      url,
      onRequest: async (request) => {
        throw new Refusal("method_not_allowed", `${request.method} is not a method of this path; it has ${allow}`, {
          headers: { allow },
        });
      },
      handler: (_, reply) => reply.send(),
    });
  }
}
