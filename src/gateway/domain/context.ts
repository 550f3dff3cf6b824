import type { Store } from "../storage/store.ts";
import type { CredentialCache } from "./credentials.ts";
import type { SecretBox } from "./secret-box.ts";
import type { SignInAttempts } from "./sign-in-attempts.ts";

/** What every verb needs of the process. Put together in app.ts. */
export interface Deps {
  store: Store;
  /** the clock; the only source of time in the domain */
  now: () => Date;
  /** encrypts and decrypts what must not lie in the store in plain text */
  secrets: SecretBox;
  /** keys by hash, remembered for a moment */
  credentials: CredentialCache;
  /** how often signing in has failed, and from where */
  signInAttempts: SignInAttempts;
}

/** Who is calling. */
export type Actor =
  | { kind: "management"; keyHash: string; name: string }
  | { kind: "ordinary"; keyHash: string; name: string; workspaceId: string }
  | { kind: "system"; name: "gatehouse" };

/** What a verb gets: the process's parts, and who asks. */
export interface Context extends Deps {
  actor: Actor;
  requestId: string;
  sourceIp: string | null;
}
