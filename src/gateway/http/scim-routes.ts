import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import * as z from "zod/mini";
import { megabytes } from "#contract/endpoint.ts";
import { scimBasePath, scimBounds, scimMediaType, ScimPatch, ScimResource } from "#contract/scim-protocol.ts";
import { fieldIssues, sentence } from "#contract/validation-messages.ts";
import type { Context, Deps } from "../domain/context.ts";
import * as groups from "../domain/directory/groups.ts";
import { type ScimPage, scimPage } from "../domain/directory/page.ts";
import { scimInvalid } from "../domain/directory/refusals.ts";
import { parseFilter } from "../domain/directory/scim-path.ts";
import { findDirectory } from "../domain/directory/tokens.ts";
import * as users from "../domain/directory/users.ts";
import { notFound, Refusal } from "../domain/refusal.ts";
import { takeTurns } from "../turns.ts";
import { writeJsonInTurns } from "../write-json.ts";
import { refuseUnstorable } from "../json-body.ts";
import { readBody } from "./parse.ts";
import { groupResource, listAnswer, providerConfig, resourceTypes, schemas, userResource } from "./scim-resources.ts";

/** 20,000 members with their names. */
const bodyLimit = megabytes(4);

type Call = (ctx: Context, request: FastifyRequest, base: string) => Promise<Answer>;
interface Answer {
  readonly status: 200 | 201 | 204;
  readonly body: object | null;
}

const ok = (body: object): Answer => ({ status: 200, body });
const made = (body: object): Answer => ({ status: 201, body });
const done: Answer = { status: 204, body: null };

/**
 * The SCIM 2.0 server that identity providers push users and groups to, next to the API: its requests, answers and errors
 * have forms of their own (RFC 7644).
 * @param baseUrl the gateway's own address as the caller knows it, without a slash at the end
 */
export function bindScim(app: FastifyInstance, deps: Deps, baseUrl: (request: FastifyRequest) => string): void {
  const route = (method: HTTPMethods, path: string, call: Call) =>
    app.route({
      method,
      url: `${scimBasePath}${path}`,
      bodyLimit,
      config: { operation: `${method} ${scimBasePath}${path}`, takesScim: true },
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        request.caller = { context: await callerOf(deps, request), credential: null, session: null };
      },
      handler: async (request, reply) => {
        const base = `${baseUrl(request)}${scimBasePath}`;
        await refuseUnstorable({ params: request.params, query: request.query }, takeTurns(request.ip));
        await send(request, reply, await call(request.caller.context, request, base));
        return reply;
      },
    });

  route("GET", "/ServiceProviderConfig", async (_, __, base) => ok(providerConfig(base)));
  describing(route, "ResourceTypes", resourceTypes);
  describing(route, "Schemas", schemas);

  route("GET", "/Users", async (ctx, request, base) =>
    ok(listAnswer(await users.list(ctx, pageOf(request)), (row) => userResource(row, base))),
  );
  route("POST", "/Users", async (ctx, request, base) =>
    made(userResource(await users.create(ctx, await resourceOf(request)), base)),
  );
  route("GET", "/Users/:id", async (ctx, request, base) => ok(userResource(await users.get(ctx, idOf(request)), base)));
  route("PUT", "/Users/:id", async (ctx, request, base) =>
    ok(userResource(await users.replace(ctx, idOf(request), await resourceOf(request)), base)),
  );
  route("PATCH", "/Users/:id", async (ctx, request, base) =>
    ok(userResource(await users.patch(ctx, idOf(request), await operationsOf(request)), base)),
  );
  route("DELETE", "/Users/:id", async (ctx, request) => {
    await users.remove(ctx, idOf(request));
    return done;
  });

  route("GET", "/Groups", async (ctx, request, base) =>
    ok(listAnswer(await groups.list(ctx, pageOf(request), wantsMembers(request)), (row) => groupResource(row, base))),
  );
  route("POST", "/Groups", async (ctx, request, base) =>
    made(groupResource(await groups.create(ctx, await resourceOf(request)), base)),
  );
  route("GET", "/Groups/:id", async (ctx, request, base) =>
    ok(groupResource(await groups.get(ctx, idOf(request), wantsMembers(request)), base)),
  );
  route("PUT", "/Groups/:id", async (ctx, request, base) =>
    ok(groupResource(await groups.replace(ctx, idOf(request), await resourceOf(request)), base)),
  );
  route("PATCH", "/Groups/:id", async (ctx, request) => {
    await groups.patch(ctx, idOf(request), await operationsOf(request));
    return done;
  });
  route("DELETE", "/Groups/:id", async (ctx, request) => {
    await groups.remove(ctx, idOf(request));
    return done;
  });
}

/** A list of what describes the server, and each of it by its id. */
function describing(
  route: (method: HTTPMethods, path: string, call: Call) => void,
  path: "ResourceTypes" | "Schemas",
  all: (base: string) => readonly { readonly id: string }[],
): void {
  route("GET", `/${path}`, async (_, __, base) => {
    const found = all(base);
    return ok(listAnswer({ total: found.length, startIndex: 1, found }, (each) => each));
  });
  route("GET", `/${path}/:id`, async (_, request, base) => {
    const found = all(base).find(({ id }) => id === idOf(request));
    if (found === undefined) throw notFound("Nothing has this id");
    return ok(found);
  });
}

async function callerOf(deps: Deps, request: FastifyRequest): Promise<Context> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) {
    throw new Refusal("authentication", "Send a SCIM token of this gateway as `Authorization: Bearer`");
  }
  const actor = await findDirectory(deps, token);
  return { ...deps, actor, requestId: request.id, sourceIp: request.ip };
}

async function send(request: FastifyRequest, reply: FastifyReply, { status, body }: Answer): Promise<void> {
  if (body === null) return void reply.code(status).send();
  const pieces = await writeJsonInTurns(body, takeTurns(request.ip, { patient: true }));
  const { location } = (body as { meta?: { location?: string } }).meta ?? {};
  if (status === 201 && location !== undefined) reply.header("location", location);
  reply.code(status).header("content-type", scimMediaType).send(Buffer.concat(pieces));
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;

async function resourceOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  return parsed(ScimResource, await bodyOf(request));
}

async function operationsOf(request: FastifyRequest) {
  const { operations } = parsed(ScimPatch, await bodyOf(request));
  if (operations.length <= scimBounds.operations) return operations;
  throw scimInvalid("invalidValue", `A PATCH has at most ${scimBounds.operations} operations`);
}

async function bodyOf(request: FastifyRequest): Promise<unknown> {
  return await readBody(Buffer.isBuffer(request.body) ? request.body : null, takeTurns(request.ip));
}

function parsed<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw scimInvalid("invalidSyntax", sentence(fieldIssues(result.error.issues), "The request body"));
}

function pageOf(request: FastifyRequest): ScimPage {
  const { filter, startIndex, count } = queryOf(request);
  return scimPage(
    filter === undefined || filter === "" ? [] : parseFilter(filter),
    whole(startIndex, 1),
    whole(count, scimBounds.page / 2),
  );
}

function whole(text: string | undefined, fallback: number): number {
  if (text === undefined || text === "") return fallback;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw scimInvalid("invalidValue", "startIndex and count must be whole numbers");
}

/** `attributes` or `excludedAttributes` may leave the members out; everything else is always there. */
function wantsMembers(request: FastifyRequest): boolean {
  const { attributes, excludedAttributes } = queryOf(request);
  const names = (text: string) => text.toLowerCase().split(/[\s,]+/);
  if (attributes !== undefined && attributes !== "") {
    return names(attributes).some((name) => /(^|:)members(\.|$)/.test(name));
  }
  return !names(excludedAttributes ?? "").some((name) => /(^|:)members$/.test(name));
}

/** A parameter that is sent twice counts by its first. */
function queryOf(request: FastifyRequest): Record<string, string | undefined> {
  const first = (value: unknown) => (Array.isArray(value) ? (value[0] as string | undefined) : (value as string));
  const query = request.query as Record<string, unknown>;
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, first(value)]));
}
