import type { SessionRecord } from "#contract/session.ts";
import { dropEarlyReads } from "./early-reads.ts";
import { createStore, useStore } from "./store.ts";

/**
 * Who is signed in. `ended` is a session that stopped under an open page: the page stays, a dialog asks to sign in again.
 * `keyEnded`: with the management key that opened it, so that another key is needed.
 * The token against forged requests is in here and in no storage.
 */
export type Session =
  | { state: "unknown" }
  | { state: "signed-out" }
  | { state: "signed-in"; record: SessionRecord }
  | { state: "ended"; record: SessionRecord; keyEnded?: true };

export const session = createStore<Session>({ state: "unknown" });

export function useSession(): Session {
  return useStore(session);
}

export function csrfToken(): string | undefined {
  const current = session.get();
  return current.state === "signed-in" || current.state === "ended" ? current.record.csrf_token : undefined;
}

export function startSession(record: SessionRecord): void {
  session.set({ state: "signed-in", record });
}

/**
 * Handles every 401: an open page's session ended, or no one was signed in.
 * @param sentWith the token that the refused call was sent with: of an earlier session, it says nothing of the present one
 */
export function endSession(sentWith = csrfToken()): void {
  const current = session.get();
  if (sentWith !== csrfToken()) return;
  dropEarlyReads();
  if (current.state === "signed-in") session.set({ state: "ended", record: current.record });
  if (current.state === "unknown") session.set({ state: "signed-out" });
}

/** Ends the session with its own management key, which was disabled or deleted here. A 401 may have ended it already. */
export function endSessionOfKey(): void {
  const current = session.get();
  if ("record" in current) session.set({ state: "ended", record: current.record, keyEnded: true });
}

/** Calls back once the session ends, by expiry or by signing out. Secrets on screen must be cleared then. */
export function onSessionEnd(listener: () => void): () => void {
  return session.watch(() => {
    if (session.get().state !== "signed-in") listener();
  });
}
