import type { DetectedProvider, ProviderTest } from "#contract/providers.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import type { BodyKeeper } from "./bodies.ts";
import type { CatalogCache, CatalogProvider } from "./catalog.ts";
import type { CredentialCache } from "./credentials.ts";
import type { HealthBoard } from "./health.ts";
import type { AddressRule } from "./network-guard.ts";
import type { SecretBox } from "./secret-box.ts";
import type { Sinks } from "./sinks.ts";
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
  /** whose money a key spends, and what limits it beyond the key itself */
  accounts: Accounts;
  /** providers, models and workspaces' provider keys, as calls need them */
  catalog: CatalogCache;
  /** what was seen of the providers */
  health: HealthBoard;
  /** whether an address that an admin sets may be connected to */
  adminAddress: AddressRule;
  /** asks a vendor for its models; never throws for what the vendor does */
  testProvider: (provider: CatalogProvider) => Promise<ProviderTest>;
  /** whose bodies are kept */
  bodies: BodyKeeper;
  /** what a destination's settings would send, and what comes back when it is sent */
  sinks: Sinks;
  /** looks for model servers on this machine */
  detectProviders: () => Promise<DetectedProvider[]>;
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
