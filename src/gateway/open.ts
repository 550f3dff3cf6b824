import type { FastifyInstance } from "fastify";
import { buildApp } from "./app.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./domain/context.ts";
import { createCredentialCache } from "./domain/credentials.ts";
import { type FirstStart, seed } from "./domain/instance.ts";
import { openSecretBox } from "./domain/secret-key.ts";
import { Refusal } from "./domain/refusal.ts";
import { createSignInAttempts } from "./domain/sign-in-attempts.ts";
import { openStore, type Store, type StoreOptions } from "./storage/store.ts";

/** A gateway that is ready to listen. */
export interface Gateway {
  app: FastifyInstance;
  deps: Deps;
  /** what the first start on this store made; null on every later one */
  firstStart: FirstStart | null;
  /** ends the requests that are under way, settles what they cost, and closes the store */
  close(): Promise<void>;
}

export interface Surroundings {
  now: () => Date;
  logStream: { write(line: string): void };
  /** where the store is, if not where the settings say */
  store?: StoreOptions;
  /** the folder of the built console, where it is not the program's own */
  consoleFolder?: string;
}

/** Where the settings say that the store is. */
export function storeOptions(config: Config): StoreOptions {
  return config.databaseUrl === null
    ? { engine: "embedded", folder: config.dataDir }
    : { engine: "postgres", url: config.databaseUrl };
}

/** Opens the store with everything that stands on it, short of HTTP: what the command line's small tasks need. */
export async function openDeps(config: Config, { now, store: options }: Surroundings): Promise<Deps> {
  const store = await openStore(options ?? storeOptions(config));
  return await closingOnFailure(store, async () => {
    const secrets = await openSecretBox(config.secretKey, config.dataDir);
    const deps = {
      store,
      now,
      secrets,
      credentials: createCredentialCache(),
      signInAttempts: createSignInAttempts(),
    };
    deps.credentials.watch(deps);
    return deps;
  });
}

/** Puts the whole service together on its store. */
export async function openGateway(config: Config, surroundings: Surroundings): Promise<Gateway> {
  const deps = await openDeps(config, surroundings);
  return await closingOnFailure(deps.store, async () => {
    const firstStart = await seed(deps, config.managementKey);
    const relay = {
      embeddings: async () => {
        throw new Refusal("unavailable", "no relay yet");
      },
      close: async () => {},
    };
    const app = await buildApp({ deps, relay, config, ...surroundings });
    const close = async () => {
      await app.close();
      await deps.store.close();
    };
    return { app, deps, firstStart, close };
  });
}

async function closingOnFailure<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}
