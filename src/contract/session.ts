import * as z from "zod/mini";
import { endpoint, kilobytes } from "./endpoint.ts";
import { Instant } from "./time.ts";

export const SessionRecord = z.object({
  /** the signed-in management key's name */
  user: z.string(),
  /** sent back as the header `X-CSRF-Token` on every change made with the session cookie */
  csrf_token: z.string(),
  created_at: Instant,
  expires_at: Instant,
});
export type SessionRecord = z.infer<typeof SessionRecord>;

const OneSession = z.object({ data: SessionRecord });

export const createSession = endpoint({
  name: "createSession",
  method: "POST",
  path: "/session",
  tag: "Session",
  summary: "Sign in to the console",
  description:
    "Exchanges a management key, or the one-time token of a sign-in link, for a session cookie (HttpOnly, SameSite=Strict). Attempts are slowed after failures.",
  auth: "none",
  body: z.union([
    z.strictObject({ management_key: z.string().check(z.minLength(1), z.maxLength(512)) }),
    z.strictObject({ sign_in_token: z.string().check(z.minLength(1), z.maxLength(512)) }),
  ]),
  bodyLimit: kilobytes(8),
  status: 201,
  returns: OneSession,
  errors: [400, 401, 403, 413, 429, 500],
});

export const getSession = endpoint({
  name: "getSession",
  method: "GET",
  path: "/session",
  tag: "Session",
  summary: "Get the current console session",
  auth: "session",
  returns: OneSession,
  errors: [401, 500],
});

export const deleteSession = endpoint({
  name: "deleteSession",
  method: "DELETE",
  path: "/session",
  tag: "Session",
  summary: "Sign out of the console",
  auth: "session",
  returns: z.object({ deleted: z.literal(true) }),
  errors: [401, 403, 500],
});
