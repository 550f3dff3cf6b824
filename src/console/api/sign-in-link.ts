import { signIn } from "./sign-in.ts";

let waiting: string | undefined;

/**
 * Takes the one-time token out of `…/sign-in#token=…` and out of the address, before anything else can see it. A fragment
 * is never sent to a server, and after this it is in no history entry either.
 */
export function takeSignInToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null || !location.pathname.endsWith("/sign-in")) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  waiting = token;
}

export function hasSignInToken(): boolean {
  return waiting !== undefined;
}

/** Exchanges the token that was taken, once; undefined when there is none. */
export function exchangeSignInToken(): Promise<void> | undefined {
  if (waiting === undefined) return undefined;
  const token = waiting;
  waiting = undefined;
  return signIn({ sign_in_token: token });
}
