import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import type { createSession, SessionRecord } from "#contract/session.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Actor, Deps } from "../context.ts";
import { findCredential, refuseUnusable } from "../keys/credentials.ts";
import { Refusal } from "../refusal.ts";

/** A signed-in console. */
export interface Session {
  readonly actor: Actor;
  readonly csrfToken: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const hourMs = 3_600_000;
/** A session ends this long after it was last used … */
export const sessionIdleMs = 12 * hourMs;
/** … and this long after it began, used or not. */
export const sessionLongestMs = 7 * 24 * hourMs;
/** The expiry moves in steps, so that a busy console does not write with every call. */
const slideStepMs = 5 * 60_000;
export const signInTokenMs = 15 * 60_000;

export type SignInBody = Parsed<typeof createSession>["body"];

/**
 * Exchanges a management key, or the one-time token of a sign-in link, for a session.
 *
 * @returns the session, and the token for its cookie, of which only the hash is kept
 * @throws Refusal 401; 429 after too many failures
 */
export async function signIn(
  deps: Deps,
  body: SignInBody,
  sourceIp: string | null,
): Promise<{ token: string; session: Session }> {
  const now = deps.now();
  deps.signInAttempts.refuseTooMany(sourceIp, now);
  let actor: Actor;
  try {
    actor = "management_key" in body ? await byKey(deps, body.management_key) : await byToken(deps, body.sign_in_token);
  } catch (error) {
    if (error instanceof Refusal && error.type === "authentication") deps.signInAttempts.failed(sourceIp, now);
    throw error;
  }
  deps.signInAttempts.succeeded(sourceIp);
  return await begin(deps, actor, now);
}

const noSuchKey =
  "This gateway has no such management key. Paste the one that the first start printed (sk-gh-mgmt-v1-…), or the value of GATEHOUSE_MANAGEMENT_KEY";

async function byKey(deps: Deps, plaintext: string): Promise<Actor> {
  const { actor } = await findCredential(deps, plaintext, undefined, noSuchKey);
  if (actor.kind === "management") return actor;
  throw new Refusal("authentication", "This is an ordinary API key: the console is opened with a management key");
}

async function byToken(deps: Deps, token: string): Promise<Actor> {
  const row = await deps.store.db
    .deleteFrom("sign_in_tokens")
    .where("token_hash", "=", hashToken(token))
    .returning(["key_hash", "expires_at"])
    .executeTakeFirst();
  if (row === undefined) throw new Refusal("authentication", "This sign-in link was used before, or never existed");
  if (row.expires_at <= deps.now()) {
    throw new Refusal("authentication", "This sign-in link is older than 15 minutes: make a new one");
  }
  return await holder(deps, row.key_hash);
}

async function holder(deps: Deps, keyHash: string): Promise<Actor> {
  const credential = await deps.credentials.read(deps, keyHash);
  if (credential === null) throw new Refusal("authentication", "The management key of this session is gone");
  refuseUnusable(credential, deps.now());
  return credential.actor;
}

async function begin(deps: Deps, actor: Actor, now: Date): Promise<{ token: string; session: Session }> {
  if (actor.kind !== "management") throw new Refusal("authentication", "Only a management key opens the console");
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + sessionIdleMs);
  await deps.store.db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
  await deps.store.db
    .insertInto("sessions")
    .values({ token_hash: hashToken(token), key_hash: actor.keyHash, created_at: now, expires_at: expiresAt })
    .execute();
  return { token, session: { actor, csrfToken: csrfTokenOf(token), createdAt: now, expiresAt } };
}

/**
 * The session of a cookie. Using it moves its expiry.
 *
 * @throws Refusal authentication: not signed in (any more), or the management key behind it no longer works
 */
export async function findSession(deps: Deps, token: string): Promise<Session> {
  const now = deps.now();
  const row = await deps.store.db
    .selectFrom("sessions")
    .selectAll()
    .where("token_hash", "=", hashToken(token))
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now)
    throw new Refusal("authentication", "Your session has ended: sign in again");
  const actor = await holder(deps, row.key_hash);
  const expiresAt = slidExpiry(row.created_at, row.expires_at, now);
  if (expiresAt > row.expires_at) {
    await deps.store.db
      .updateTable("sessions")
      .set({ expires_at: expiresAt })
      .where("token_hash", "=", row.token_hash)
      .execute();
  }
  return { actor, csrfToken: csrfTokenOf(token), createdAt: row.created_at, expiresAt };
}

/** What a cookie's session shows of itself; null: nobody is signed in with it. */
export async function findSessionRecord(deps: Deps, token: string): Promise<SessionRecord | null> {
  try {
    return sessionRecord(await findSession(deps, token));
  } catch (error) {
    if (error instanceof Refusal && error.type === "authentication") return null;
    throw error;
  }
}

/** The expiry of a session used at `now`; unchanged when the difference would be too small. */
export function slidExpiry(createdAt: Date, expiresAt: Date, now: Date): Date {
  const next = Math.min(now.getTime() + sessionIdleMs, createdAt.getTime() + sessionLongestMs);
  return next - expiresAt.getTime() >= slideStepMs ? new Date(next) : expiresAt;
}

export async function signOut(deps: Deps, token: string): Promise<void> {
  await deps.store.db.deleteFrom("sessions").where("token_hash", "=", hashToken(token)).execute();
}

/** How many sessions each management key has open, by its hash. */
export async function countSessions(deps: Deps): Promise<Map<string, number>> {
  const rows = await deps.store.db
    .selectFrom("sessions")
    .select(["key_hash", ({ fn }) => fn.countAll<bigint>().as("count")])
    .where("expires_at", ">", deps.now())
    .groupBy("key_hash")
    .execute();
  return new Map(rows.map((row) => [row.key_hash, Number(row.count)]));
}

/**
 * Ends a management key's sessions and its unused sign-in links, inside the transaction that ends or changes the key.
 *
 * @param exceptToken the session that continues
 * @returns how many sessions ended
 */
export async function endSessions(
  trx: Transaction<Tables>,
  keyHash: string,
  exceptToken: string | null = null,
): Promise<number> {
  await trx.deleteFrom("sign_in_tokens").where("key_hash", "=", keyHash).execute();
  const { numDeletedRows } = await trx
    .deleteFrom("sessions")
    .where("key_hash", "=", keyHash)
    .where("token_hash", "!=", exceptToken === null ? "" : hashToken(exceptToken))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Moves a session to another management key; a session of a third key stays as it is. */
export async function moveSession(trx: Transaction<Tables>, token: string, from: string, to: string): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ key_hash: to })
    .where("token_hash", "=", hashToken(token))
    .where("key_hash", "=", from)
    .execute();
}

/** A one-time token for a sign-in link, valid for 15 minutes, that signs in as a management key. */
export async function createSignInToken(deps: Deps, keyHash: string): Promise<string> {
  const now = deps.now();
  const token = randomBytes(32).toString("base64url");
  await deps.store.db.deleteFrom("sign_in_tokens").where("expires_at", "<=", now).execute();
  await deps.store.db
    .insertInto("sign_in_tokens")
    .values({ token_hash: hashToken(token), key_hash: keyHash, expires_at: new Date(now.getTime() + signInTokenMs) })
    .execute();
  return token;
}

export function sessionRecord(session: Session): SessionRecord {
  return {
    user: session.actor.name,
    csrf_token: session.csrfToken,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Derived, not stored: without reading the cookie it cannot be produced. */
function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("gatehouse csrf").digest("base64url");
}
