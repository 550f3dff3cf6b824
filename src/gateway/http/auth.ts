import type { FastifyRequest } from "fastify";
import { createChatCompletion } from "#contract/chat.ts";
import { createEmbeddings, playgroundHeader, playgroundKeyHeader } from "#contract/embeddings.ts";
import { createAuthCode } from "#contract/oauth.ts";
import { createRerank } from "#contract/rerank.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Actor, Context, Deps } from "../domain/context.ts";
import { findTokenCredential } from "../domain/federation/access-token.ts";
import { isAccessToken } from "../domain/federation/own-tokens.ts";
import { findCredential, type Credential } from "../domain/keys/credentials.ts";
import { noteUse } from "../domain/instance/management-keys.ts";
import { purposeCredential } from "../domain/keys/purpose-key.ts";
import { keyForSession } from "../domain/keys/session-key.ts";
import { invalid, Refusal } from "../domain/refusal.ts";
import { findSession, type Session } from "../domain/instance/sessions.ts";
import { refuseForgery } from "./csrf.ts";
import { isUuid } from "../domain/uuid.ts";

/** Who makes a request: its credential, or the console session, or neither. */
export interface Caller {
  context: Context;
  credential: Credential | null;
  session: Session | null;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** the request's key, as soon as it is known; it may be one that cannot be used */
    key: Credential | null;
  }
  interface FastifyContextConfig {
    /** the endpoint's name, for the log */
    operation?: string;
    /** it answers until the process ends, whatever else is refused */
    whileStopping?: boolean;
    /** `multipart/form-data` is taken as well as JSON; `streamed`: instead of it, and read by its handler as it comes */
    takesForm?: boolean | "streamed";
    /** its body is JSON that its handler reads as it comes */
    streamsJson?: boolean;
    /** `application/scim+json` is taken as well as JSON */
    takesScim?: boolean;
    /** `application/x-www-form-urlencoded` is taken instead of JSON */
    takesUrlencoded?: boolean;
  }
}

export type Authenticate = (request: FastifyRequest, endpoint: Endpoint) => Promise<Caller>;

export const sessionCookie = "gatehouse_session";

/**
 * Creates the one place where an endpoint's `auth` is enforced. A bearer token takes precedence over a session cookie.
 */
export function authenticator(deps: Deps, publicOrigin: string | null): Authenticate {
  return async (request, endpoint) => {
    const known = (key: Credential) => void (request.key = key);
    const header = request.headers.authorization ?? keyHeader(request);
    if (endpoint.auth === "none") {
      if (endpoint.method !== "GET" && !endpoint.anyOrigin) refuseForgery(request, publicOrigin);
      return caller(deps, request, { kind: "system", name: "gatehouse" });
    }
    if (header !== undefined && endpoint.auth !== "session") {
      const token = bearerToken(header);
      const isAccess = isAccessToken(token);
      const credential = await (isAccess ? findTokenCredential : findCredential)(deps, token, known);
      refuseWrongKind(credential.actor, endpoint);
      if (isAccess) refuseLasting(endpoint);
      if (credential.kind === "management") await noteUse(deps, credential);
      return caller(deps, request, credential.actor, { credential });
    }
    const token = request.cookies[sessionCookie];
    const playground = request.headers[playgroundHeader];
    if (token === undefined || token === "" || (endpoint.auth === "ordinary" && playground === undefined)) {
      throw missing(endpoint);
    }
    const session = await findSession(deps, token);
    if (endpoint.method !== "GET") refuseForgery(request, publicOrigin, session);
    const signedIn = caller(deps, request, session.actor, { session });
    if (endpoint.auth !== "ordinary") return signedIn;
    const workspace = playgroundWorkspace(endpoint, playground);
    const hash = keyCalledAs(request, endpoint);
    const credential =
      hash === null
        ? await purposeCredential(signedIn.context, workspace, "playground", known)
        : await keyForSession(signedIn.context, workspace, hash, known);
    return { ...signedIn, credential };
  };
}

/**
 * The hooks of a route that enforce its endpoint's `auth`: before the body is read, and again once it is there, since a
 * caller may take minutes to send it, in which its key is deleted or its limit lowered.
 */
export function callerHooks(authenticate: Authenticate, endpoint: Endpoint) {
  const check = async (request: FastifyRequest) => {
    request.caller = await authenticate(request, endpoint);
  };
  return {
    onRequest: check,
    preHandler: async (request: FastifyRequest) => {
      if (Buffer.isBuffer(request.body)) await check(request);
    },
  };
}

const playgroundCalls: ReadonlySet<string> = new Set([
  createEmbeddings.name,
  createRerank.name,
  createChatCompletion.name,
]);

/** The hash of the key that a session calls as, where it names one: a conversation alone can be had so. */
function keyCalledAs(request: FastifyRequest, endpoint: Endpoint): string | null {
  const hash = request.headers[playgroundKeyHeader];
  if (hash === undefined) return null;
  if (endpoint.name !== createChatCompletion.name)
    throw new Refusal("permission_denied", "A console session can call as a key in chat only");
  return String(hash);
}

/** True for a call that a console session makes as a caller's key: it is audited, and on the ledger as the console's. */
export function isCalledAsKey({ session, credential }: Caller): boolean {
  return session !== null && credential !== null && credential.purpose === null;
}

/** Whose playground key a session uses for model calls: the session itself never holds a key. */
function playgroundWorkspace(endpoint: Endpoint, workspace: string | string[] | undefined): string {
  if (!playgroundCalls.has(endpoint.name)) {
    const message = "The playground embeds, reranks and chats only: use an ordinary API key";
    throw new Refusal("permission_denied", message);
  }
  if (!isUuid(workspace)) {
    throw invalid(playgroundHeader, "must be the id (a UUID) of the workspace whose playground is used");
  }
  return workspace;
}

function caller(
  deps: Deps,
  request: FastifyRequest,
  actor: Actor,
  found: Partial<Pick<Caller, "credential" | "session">> = {},
): Caller {
  const context = { ...deps, actor, requestId: request.id, sourceIp: request.ip };
  return { context, credential: null, session: null, ...found };
}

/** The key of Anthropic's older clients, as the other header has it. */
function keyHeader({ headers }: FastifyRequest): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" && key !== "" ? `Bearer ${key}` : undefined;
}

function bearerToken(header: string): string {
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Refusal(
      "authentication",
      "The Authorization header must be `Bearer` and an API key, such as `Bearer sk-gh-v1-…`",
    );
  }
  return token;
}

function refuseWrongKind(actor: Actor, endpoint: Endpoint): void {
  if (endpoint.auth === "management" && actor.kind !== "management") {
    throw new Refusal("permission_denied", "Only management keys can perform this operation");
  }
  if (endpoint.auth === "ordinary" && actor.kind === "management") {
    const what = endpoint.name === createAuthCode.name ? "make codes for apps" : "call models";
    throw new Refusal("permission_denied", `A management key cannot ${what}: use an ordinary API key`);
  }
}

/** An access token is for minutes, and may not be turned into a key that stays. */
function refuseLasting({ name }: Endpoint): void {
  if (name !== createAuthCode.name) return;
  throw new Refusal("permission_denied", "An access token cannot make codes for apps: use the API key itself");
}

function missing(endpoint: Endpoint): Refusal {
  if (endpoint.auth === "session") return new Refusal("authentication", "Not signed in");
  const kind = endpoint.auth === "management" ? "a management key" : "an API key";
  return new Refusal(
    "authentication",
    `Missing Authentication header: send \`Authorization: Bearer\` (or \`x-api-key:\`) and ${kind}`,
  );
}
