import type { QueryClient } from "@tanstack/react-query";
import type { Input } from "#contract/endpoint.ts";
import { createSession, deleteSession, getSession, type SessionRecord } from "#contract/session.ts";
import { call } from "./call.ts";
import { isSignedOut } from "./errors.ts";
import { endSession, session, startSession } from "./session.ts";

const announcements = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("gatehouse.session");

let loading: Promise<void> | undefined;

/**
 * Finds out whether the cookie is still valid; concurrent callers share one request. Throws what the call throws,
 * except for "not signed in".
 */
export async function loadSession(): Promise<void> {
  loading ??= readSession().finally(() => {
    loading = undefined;
  });
  await loading;
}

async function readSession(): Promise<void> {
  if (cameSignedOut()) return endSession();
  const record = takePageSession();
  if (record !== undefined) return startSession(record);
  try {
    startSession((await call(getSession, {})).data);
  } catch (error) {
    if (isSignedOut(error)) return;
    throw error;
  }
}

/**
 * What the gateway wrote into the page: the session whose cookie came with the request, or that nobody is signed in.
 * Scripts cannot see that cookie.
 */
const pageSession = () => document.querySelector<HTMLMetaElement>('meta[name="gatehouse-session"]');

export function cameSignedOut(): boolean {
  return pageSession()?.content === "none";
}

/** It says who was signed in when the page was served, and only then. */
function takePageSession(): SessionRecord | undefined {
  const written = pageSession();
  if (!written?.content.startsWith("{")) return undefined;
  const record = JSON.parse(written.content) as SessionRecord;
  written.content = "";
  return record;
}

/** Exchanges a management key or a sign-in link's token for a session. Neither is kept. */
export async function signIn(credential: Input<typeof createSession>["body"]): Promise<void> {
  startSession((await call(createSession, { body: credential })).data);
  announcements?.postMessage("signed-in");
}

/** Ends the session at the gateway and clears everything that was read with it, in every tab. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await call(deleteSession, {});
  } catch (error) {
    // already ended is as good as signed out; anything else means that the cookie still works
    if (!isSignedOut(error)) throw error;
  }
  forget(client);
  announcements?.postMessage("signed-out");
}

/**
 * Follows what other tabs do: a sign-out, and signing in, whose cookie is in use here too.
 * @param hasUnsavedForm then, on a sign-out, the page stays, under the dialog that asks to sign in again, as after any end of a session
 */
export function followTabs(client: QueryClient, hasUnsavedForm: () => boolean): void {
  announcements?.addEventListener("message", ({ data }) => {
    if (data === "signed-in") void takeUpSession().catch(() => undefined);
    else if (hasUnsavedForm()) endSession();
    else forget(client);
  });
}

async function takeUpSession(): Promise<void> {
  if (session.get().state !== "signed-in") startSession((await call(getSession, {})).data);
}

function forget(client: QueryClient): void {
  session.set({ state: "signed-out" });
  client.clear();
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("gatehouse.")) sessionStorage.removeItem(key);
}
