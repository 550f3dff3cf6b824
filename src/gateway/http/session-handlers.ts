import { Refusal } from "../domain/refusal.ts";
import { sessionLongestMs, sessionRecord, signIn, signOut } from "../domain/instance/sessions.ts";
import type { Exchange, Handlers } from "./bind.ts";
import { sessionCookie } from "./auth.ts";

/** Signing in and out: the handlers that set and clear the cookie. */
export function sessionHandlers(cookie: { path: string; secure: boolean }) {
  const settings = { ...cookie, httpOnly: true, sameSite: "strict" } as const;
  return {
    createSession: async (ctx, { body }, { reply }) => {
      const { token, session } = await signIn(ctx, body, ctx.sourceIp);
      // The store ends an idle session; the cookie only has to last as long as a session can.
      reply.setCookie(sessionCookie, token, { ...settings, maxAge: sessionLongestMs / 1_000 });
      return { data: sessionRecord(session) };
    },
    getSession: async (_, __, { request }) => ({ data: sessionRecord(signedIn(request)) }),
    deleteSession: async (ctx, _, { request, reply }) => {
      await signOut(ctx, request.cookies[sessionCookie] ?? "");
      reply.clearCookie(sessionCookie, settings);
      return { deleted: true };
    },
  } satisfies Partial<Handlers>;
}

/** The token of the console session that makes a call; null: it is made with a key. */
export function sessionToken(request: Exchange["request"]): string | null {
  return request.caller.session === null ? null : (request.cookies[sessionCookie] ?? null);
}

function signedIn(request: Exchange["request"]) {
  const { session } = request.caller;
  if (session === null) throw new Refusal("authentication", "Not signed in");
  return session;
}
