import type { DetectedProvider, ProviderTest } from "#contract/providers.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./keys/call-policy.ts";
import type { FailedExchanges } from "./federation/failed-exchanges.ts";
import type { Federation } from "./federation/federation.ts";
import type { BodyCapture } from "./bodies/capture.ts";
import type { FileStore } from "./files/file-store.ts";
import type { FilterThreads } from "./guardrails/filters/threads.ts";
import type { GuardrailCache } from "./guardrails/guardrail-cache.ts";
import type { KeyRates } from "./ledger/key-rates.ts";
import type { CatalogProvider } from "./routing/catalog.ts";
import type { CatalogCache } from "./routing/catalog-cache.ts";
import type { CredentialCache } from "./keys/credentials.ts";
import type { HealthBoard } from "./routing/health.ts";
import type { SecretBox } from "./secrets/box.ts";
import type { VideoResolution } from "#contract/video-size.ts";
import type { FrameType } from "#contract/videos.ts";
import type { Sinks } from "./destinations/destination-client.ts";
import type { SignInAttempts } from "./instance/sign-in-attempts.ts";
import type { StoreHealth } from "./instance/store-health.ts";
import type { PresetCache } from "./workspaces/preset-cache.ts";

/** Why an address may not be connected to; null when it may. */
export type AddressRule = (address: string) => string | null;

/** What of the public API a provider can do with images. */
export interface ImageAbility {
  readonly parameters: readonly string[];
  readonly streams: boolean;
}

/** What is known of a provider's video model; null: not known. */
export interface VideoModelAbility {
  readonly resolutions: readonly VideoResolution[] | null;
  readonly ratios: readonly string[] | null;
  readonly durations: readonly number[] | null;
  readonly frames: readonly FrameType[] | null;
  readonly audio: boolean | null;
  readonly seed: boolean | null;
}

/** What every verb needs from the process. Assembled in app.ts. */
export interface Deps {
  store: Store;
  /** whether it takes what calls cost */
  storeHealth: StoreHealth;
  /** the clock; the only source of time in the domain */
  now: () => Date;
  /** encrypts and decrypts what the store must not hold in plain text */
  secrets: SecretBox;
  /** keys by hash, cached briefly */
  credentials: CredentialCache;
  /** failed sign-ins by source */
  signInAttempts: SignInAttempts;
  /** failed exchanges of codes by source, slowed in the same way */
  exchangeAttempts: SignInAttempts;
  /** failed exchanges of workloads' tokens by source and policy */
  failedExchanges: FailedExchanges;
  /** how often tokens are exchanged for each API key */
  tokenRates: KeyRates;
  /** policies, issuers' keys and the gateway's own for workload identity */
  federation: Federation;
  /** how often each API key makes a code */
  authCodeRates: KeyRates;
  /** how often each key reads datasets, which sums up many rows */
  datasetRates: KeyRates;
  /** how often each API key saves a preset, which stays in the audit log */
  presetRates: KeyRates;
  /** whose money a key spends, and what limits it beyond the key itself */
  accounts: Accounts;
  /** the guardrails that cover calls */
  guardrails: GuardrailCache;
  /** runs content filters, and checks their patterns */
  contentFilters: FilterThreads;
  /** presets as calls use them */
  presets: PresetCache;
  /** providers, models and workspaces' provider keys, as calls need them */
  catalog: CatalogCache;
  /** observed health of the providers */
  health: HealthBoard;
  /** whether an address that an admin sets may be connected to */
  adminAddress: AddressRule;
  /** asks a vendor for its models; never throws for what the vendor does */
  testProvider: (provider: CatalogProvider) => Promise<ProviderTest>;
  /** the public API's parameters that a provider's chat models can receive, according to its dialect */
  chatParametersOf: (provider: CatalogProvider) => readonly string[];
  /** what a provider's dialect takes of a call for images, by the vendor's name of the model */
  imageAbilityOf: (provider: CatalogProvider, model: string) => ImageAbility;
  /** the same of a call for a video; null: it makes none */
  videoAbilityOf: (provider: CatalogProvider, model: string) => VideoModelAbility | null;
  /** the files of workspaces */
  files: FileStore;
  /** which workspaces' bodies are kept */
  bodies: BodyCapture;
  /** what a destination's settings would send, and the answer when it is sent */
  sinks: Sinks;
  /** the sub-path that the gateway is served under: "" or, for example, /gatehouse */
  basePath: string;
  /** looks for model servers on this machine */
  detectProviders: () => Promise<DetectedProvider[]>;
}

/** Who is calling. */
export type Actor =
  | { kind: "management"; keyHash: string; name: string }
  | { kind: "ordinary"; keyHash: string; name: string; workspaceId: string }
  /** an identity provider, by the name of its SCIM token */
  | { kind: "directory"; keyHash: string; name: string }
  | { kind: "system"; name: "gatehouse" };

/** What a verb receives: its dependencies, and the caller. */
export interface Context extends Deps {
  actor: Actor;
  requestId: string;
  sourceIp: string | null;
}
