import type { FastifyRequest } from "fastify";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Actor, Context, Deps } from "../domain/context.ts";
import { findCredential, type Credential } from "../domain/credentials.ts";
import { Refusal } from "../domain/refusal.ts";
import { findSession, type Session } from "../domain/sessions.ts";
import { refuseForgery } from "./forgery.ts";

/** Who makes a request: the credential that came with it, or the console session, or neither. */
export interface Caller {
  context: Context;
  credential: Credential | null;
  session: Session | null;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** the endpoint's name, for the log */
    operation?: string;
  }
}

export type Authenticate = (request: FastifyRequest, endpoint: Endpoint) => Promise<Caller>;

export const sessionCookie = "gatehouse_session";

/** Makes the one place where an endpoint's `auth` is enforced. A bearer token always goes before a session cookie. */
export function authenticator(deps: Deps, publicOrigin: string | null): Authenticate {
  return async (request, endpoint) => {
    const header = request.headers.authorization;
    if (endpoint.auth === "none") {
      if (endpoint.method !== "GET") refuseForgery(request, publicOrigin);
      return caller(deps, request, { kind: "system", name: "gatehouse" });
    }
    if (header !== undefined && endpoint.auth !== "session") {
      const credential = await findCredential(deps, bearerToken(header));
      refuseWrongKind(credential.actor, endpoint);
      return caller(deps, request, credential.actor, { credential });
    }
    const token = request.cookies[sessionCookie];
    if (token === undefined || token === "" || endpoint.auth === "ordinary") throw missing(endpoint);
    const session = await findSession(deps, token);
    if (endpoint.method !== "GET") refuseForgery(request, publicOrigin, session);
    return caller(deps, request, session.actor, { session });
  };
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
    throw new Refusal("permission_denied", "A management key cannot call models: use an ordinary API key");
  }
}

function missing(endpoint: Endpoint): Refusal {
  if (endpoint.auth === "session") return new Refusal("authentication", "Not signed in");
  const kind = endpoint.auth === "management" ? "a management key" : "an API key";
  return new Refusal("authentication", `Missing Authentication header: send \`Authorization: Bearer\` and ${kind}`);
}
