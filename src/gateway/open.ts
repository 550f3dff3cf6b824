import type { FastifyInstance } from "fastify";
import type { Dispatcher } from "undici";
import { buildApp } from "./app.ts";
import type { Config } from "./config.ts";
import { createAccounts } from "./domain/accounts.ts";
import { schedulePurge } from "./domain/body-purge.ts";
import { createBodyKeeper } from "./domain/bodies.ts";
import { createCatalogCache } from "./domain/catalog.ts";
import type { Deps } from "./domain/context.ts";
import { createCredentialCache } from "./domain/credentials.ts";
import { createHealthBoard } from "./domain/health.ts";
import { type FirstStart, seed } from "./domain/instance.ts";
import { addressRule } from "./domain/network-guard.ts";
import { seedProviders } from "./domain/provider-seed.ts";
import { mendRestoredPlaces } from "./domain/restored-places.ts";
import { openSecretBox } from "./domain/secret-key.ts";
import { createSignInAttempts } from "./domain/sign-in-attempts.ts";
import { createDispatcher } from "./providers/dispatcher.ts";
import { openForwarding } from "./open-forwarding.ts";
import { openSinks } from "./forwarding/sinks.ts";
import { openLocalModel } from "./open-local-model.ts";
import { openRelay } from "./open-relay.ts";
import { detect, probe } from "./providers/probe.ts";
import { openStore, type Store, type StoreOptions } from "./storage/store.ts";

/** A gateway that is ready to listen. */
export interface Gateway {
  app: FastifyInstance;
  deps: Deps;
  /** what the first start on this store made; null on every later one */
  firstStart: FirstStart | null;
  /** resolves to a line that says what became of the local model; null where none is asked for */
  localModel: Promise<string> | null;
  /** ends the requests that are under way, settles what they cost, and closes the store */
  close(): Promise<void>;
}

/** What the process is given from outside. */
export interface Surroundings {
  now: () => Date;
  logStream: { write(line: string): void };
  /** where the store is, if not where the settings say */
  store?: StoreOptions;
  /** the folder of the built console, where it is not the program's own */
  consoleFolder?: string;
  /** where vendors' keys may stand (`OPENAI_API_KEY` …): each adds its provider at the first start */
  environment?: Readonly<Record<string, string | undefined>>;
  /** where forwarding runs: tests, whose clock is theirs, do it in this thread */
  forwarding?: "thread" | "here";
}

/** Where the settings say that the store is. */
export function storeOptions(config: Config): StoreOptions {
  return config.databaseUrl === null
    ? { engine: "embedded", folder: config.dataDir }
    : { engine: "postgres", url: config.databaseUrl };
}

/** Opens the store and what the domain needs besides; what the command line's small tasks need. */
export async function openDeps(
  config: Config,
  surroundings: Pick<Surroundings, "now" | "store">,
  dispatcher: Dispatcher = dispatcherFor(config),
): Promise<Deps> {
  const store = await openStore(surroundings.store ?? storeOptions(config));
  return await closingOnFailure(store, async () => {
    const secrets = await openSecretBox(config.secretKey, config.dataDir);
    return {
      store,
      now: surroundings.now,
      secrets,
      credentials: createCredentialCache(),
      signInAttempts: createSignInAttempts(),
      accounts: createAccounts(),
      catalog: createCatalogCache(),
      health: createHealthBoard(),
      adminAddress: addressRule(config.privateNetworks, "admin"),
      testProvider: (provider) => probe(dispatcher, provider),
      detectProviders: () => detect(dispatcher),
      bodies: createBodyKeeper(store, secrets),
      sinks: openSinks(dispatcher, surroundings.now),
    };
  });
}

/** Puts the whole service together on its store. */
export async function openGateway(config: Config, surroundings: Surroundings): Promise<Gateway> {
  const dispatcher = dispatcherFor(config);
  const deps = await openDeps(config, surroundings, dispatcher);
  return await closingOnFailure(deps.store, async () => {
    const firstStart = await seed(deps, config.managementKey);
    if (firstStart !== null) await seedProviders(deps, surroundings.environment ?? {});
    deps.credentials.watch(deps);
    deps.accounts.watch(deps);
    const local = await openLocalModel(deps, config);
    await deps.catalog.start(deps);
    await mendRestoredPlaces(deps.store);
    let wake = () => {};
    const relay = openRelay(deps, dispatcher, config, local?.model ?? null, () => wake());
    const app = await buildApp({ deps, relay, config, ...surroundings });
    const forwarding = openForwarding(
      deps,
      dispatcher,
      config,
      surroundings.forwarding ?? "thread",
      (level, message, details) => app.log[level](details, message),
    );
    wake = forwarding.wake;
    await deps.bodies.watch(forwarding.reload);
    const stopPurge = schedulePurge(deps.store, deps.now);
    const close = async () => {
      await app.close();
      await relay.close();
      local?.model.close();
      deps.bodies.close();
      stopPurge();
      await forwarding.close();
      await dispatcher.close();
      await deps.store.close();
    };
    return { app, deps, firstStart, localModel: local?.outcome ?? null, close };
  });
}

function dispatcherFor(config: Config): Dispatcher {
  return createDispatcher({ refuse: addressRule(config.privateNetworks, "admin") });
}

async function closingOnFailure<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}
