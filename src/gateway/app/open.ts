import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Dispatcher } from "undici";
import { buildApp } from "./app.ts";
import { basePath as apiPath } from "#contract/api.ts";
import { toUsd } from "#contract/money.ts";
import type { Config } from "../config.ts";
import { createBurstLog, type Log } from "../domain/burst-log.ts";
import { createPresetCache } from "../domain/workspaces/preset-cache.ts";
import { createFilterThreads } from "../domain/guardrails/filters/threads.ts";
import { createGuardrailCache } from "../domain/guardrails/guardrail-cache.ts";
import { createFailedExchanges } from "../domain/federation/failed-exchanges.ts";
import { createFederation } from "../domain/federation/federation.ts";
import { createCallPolicies } from "../domain/keys/call-policy.ts";
import { schedulePurge } from "../domain/bodies/purge.ts";
import { openFiles, scheduleSweeping } from "../domain/files/file-store.ts";
import { mbBytes, scheduleTidying } from "../domain/workspaces/stored-vectors.ts";
import { createBodyCapture } from "../domain/bodies/capture.ts";
import { createCatalogCache } from "../domain/routing/catalog-cache.ts";
import type { Deps } from "../domain/context.ts";
import { applyEnvironmentKey } from "../domain/instance/environment-key.ts";
import { createCredentialCache } from "../domain/keys/credentials.ts";
import { createHealthBoard } from "../domain/routing/health.ts";
import { type FirstStart, seed } from "../domain/instance/bootstrap.ts";
import { addressRule } from "../domain/instance/network-guard.ts";
import { type AccessLog, createAccessLog } from "../http/access-log.ts";
import { createDrain, type Drain } from "../http/drain.ts";
import { seedProviders } from "../domain/providers/seed.ts";
import { repairRestoredCursors } from "../domain/destinations/repair-restored-cursors.ts";
import { createRefusedCallCounter } from "../domain/calls/refused-call-counter.ts";
import { readStoreGauges } from "../domain/instance/store-gauges.ts";
import { openSecretBox } from "../domain/secrets/key.ts";
import { foldJournal } from "../domain/ledger/fold.ts";
import { createKeyRates } from "../domain/ledger/key-rates.ts";
import { createSignInAttempts } from "../domain/instance/sign-in-attempts.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import type { Settlement } from "../domain/ledger/ledger.ts";
import type { FellowRates } from "../domain/ledger/rates.ts";
import { watchPeriods } from "../domain/ledger/recount.ts";
import { createStoreHealth, logStoreOutages } from "../domain/instance/store-health.ts";
import { isDiskFull } from "../domain/store-away.ts";
import { createDispatcher } from "../providers/dispatcher.ts";
import { openForwarding } from "./forwarding.ts";
import { openSinks } from "../forwarding/destination-client.ts";
import { createIncidents } from "../incidents.ts";
import { createMetrics, type Metrics, type MetricsDeps, type Scraped, type Values } from "../metrics.ts";
import { createPace } from "../pace.ts";
import { createSlots, type Slots } from "../slots.ts";
import { openLocalModel } from "./local-model.ts";
import { openSemanticModel } from "./semantic-model.ts";
import { openRelay } from "./relay.ts";
import type { Relay } from "../relay/model-call.ts";
import { type Batches, startBatches } from "../relay/batches/runner.ts";
import { within } from "../relay/within.ts";
import { startCanaries } from "../relay/canaries/canaries.ts";
import { chatParametersOf, imageAbilityOf, videoAbilityOf } from "../providers/parameters.ts";
import { readIssuerJwks } from "../providers/issuer-jwks.ts";
import { openDetection, probe } from "../providers/probe.ts";
import { openStore, type Store, type StoreOptions } from "../storage/store.ts";

/** A gateway that is ready to listen. */
export interface Gateway {
  app: FastifyInstance;
  deps: Deps;
  batches: Pick<Batches, "look">;
  /** what the first start on this store created; null on later starts */
  firstStart: FirstStart | null;
  /** resolves to a line that says whether the local model works; null if none is configured */
  localModel: Promise<string> | null;
  /** a line that says why the built-in semantic model is missing; null if it is not */
  semanticModel: string | null;
  /**
   * Stops in order: readiness fails, new requests are refused, those in progress may finish, what is left after the
   * grace period is cut off and its cost settled, and the store is closed.
   */
  stop(patience: StopPatience): Promise<void>;
  /** ends the requests in progress, settles their cost, and closes the store */
  close(): Promise<void>;
}

/** How long the phases of a stop take. */
export interface StopPatience {
  /** requests are still accepted this long while readiness already fails, so that balancers turn away first */
  delayMs: number;
  /** how long calls in progress may take to finish */
  patienceMs: number;
}

/** How long calls that were cut off may take to be answered and settled. */
const settleMs = 3_000;

/** The other workers of the same start, as one of them sees them. */
export interface FellowWorkers {
  /** how many are being replaced */
  missing(): number;
  /** the metrics of all workers; if they cannot be had, this one's `own` */
  scrape(own: () => Promise<Scraped>): Promise<Scraped>;
  /** takes what reads this worker's metrics */
  collect(own: () => Promise<Values>): void;
  readonly rates: FellowRates;
}

/** What the process is given from outside. */
export interface Runtime {
  now: () => Date;
  logStream: { write(line: string): void };
  /** the folder of the built console, if not the program's own */
  consoleFolder?: string;
  /** where vendors' keys may be set (`OPENAI_API_KEY` …): each adds its provider on first start */
  environment?: Readonly<Record<string, string | undefined>>;
  /** where forwarding runs: tests, which have their own clock, run it in this thread */
  forwarding?: "thread" | "here";
  /** how long a call waits for a cache that is in the store: tests on a busy machine wait for its answer */
  storeReadMs?: number;
  /** how long a call waits for its turn before it is refused, if not a second */
  turnMs?: number;
  /** the memory for all providers' answers together, if not the usual: tests fill it */
  answerBytes?: number;
  /** absent: this process is the only one of its start */
  fellows?: FellowWorkers;
}

/** Where the settings say that the store is. */
export function storeOptions(config: Config): StoreOptions {
  return config.databaseUrl === null
    ? { engine: "embedded", folder: config.dataDir }
    : { engine: "postgres", url: config.databaseUrl, poolSize: config.databaseConnections };
}

/** Opens the store and everything else that the domain and the command line's small tasks need. */
export async function openDeps(
  config: Config,
  runtime: Pick<Runtime, "now">,
  dispatcher: Dispatcher = dispatcherFor(config),
): Promise<Deps> {
  const store = await openStore(storeOptions(config), runtime.now);
  return await closingOnFailure(store, async () => {
    await foldJournal(store);
    const secrets = await openSecretBox(config.secretKey, config.dataDir);
    return {
      store,
      storeHealth: createStoreHealth(),
      now: runtime.now,
      secrets,
      credentials: createCredentialCache(),
      signInAttempts: createSignInAttempts(),
      exchangeAttempts: createSignInAttempts("exchange a code"),
      failedExchanges: createFailedExchanges(),
      tokenRates: createKeyRates(600, "have tokens exchanged for it"),
      federation: createFederation(ownIssuer(config), (url) => readIssuerJwks(dispatcher, url)),
      authCodeRates: createKeyRates(10, "make codes for apps"),
      datasetRates: createKeyRates(30, "read datasets"),
      presetRates: createKeyRates(30, "save presets"),
      accounts: createCallPolicies(),
      guardrails: createGuardrailCache(),
      contentFilters: createFilterThreads(),
      presets: createPresetCache(),
      catalog: createCatalogCache(),
      health: createHealthBoard(),
      adminAddress: addressRule(config.privateNetworks, "admin"),
      testProvider: (provider) => probe(dispatcher, provider),
      chatParametersOf,
      imageAbilityOf,
      videoAbilityOf,
      basePath: config.basePath,
      detectProviders: openDetection(dispatcher, runtime.now),
      files: openFiles(store, join(config.dataDir, "files"), {
        largest: config.largestFile,
        perWorkspace: config.files,
      }),
      bodies: createBodyCapture(store, secrets),
      sinks: openSinks(dispatcher, runtime.now),
    };
  });
}

/** Who signs access tokens: the API's address, where it is known. */
function ownIssuer({ publicUrl, basePath }: Config): string {
  return publicUrl === null ? "gatehouse" : `${publicUrl.origin}${basePath}${apiPath}`;
}

function logSettled(accessLog: AccessLog, { requestId, model, provider }: LedgerEntry, { own, byok }: Settlement) {
  if (requestId !== null) accessLog.settled(requestId, { model, provider, cost_usd: toUsd(own + byok) });
}

/** This process's metrics; where it is one of several workers, a scrape answers for all of them. */
function openMetrics(deps: Deps, load: Pick<MetricsDeps, "openRequests" | "calls">, fellows?: FellowWorkers): Metrics {
  const metrics = createMetrics({
    storeGauges: () => readStoreGauges(deps.store, deps.now()),
    storeTroubled: deps.storeHealth.troubled,
    held: () => deps.health.held(deps.now()),
    ...load,
  });
  if (fellows === undefined) return metrics;
  fellows.collect(metrics.values);
  return { ...metrics, scrape: () => fellows.scrape(metrics.scrape) };
}

/** @param mostAnswerBytes of a workspace's response cache @returns what ends each task */
const scheduleUpkeep = (deps: Deps, mostAnswerBytes: number) => [
  schedulePurge(deps.store, deps.now),
  scheduleTidying(deps.store, deps.now, mostAnswerBytes),
  scheduleSweeping(deps),
];

/** Assembles the whole service on its store. */
export async function openGateway(config: Config, runtime: Runtime): Promise<Gateway> {
  const dispatcher = dispatcherFor(config);
  const deps = await openDeps(config, runtime, dispatcher);
  return await closingOnFailure(deps.store, async () => {
    const firstStart = await seed(deps, config.managementKey);
    if (firstStart !== null) await seedProviders(deps, runtime.environment ?? {});
    const environmentKey = firstStart === null ? await applyEnvironmentKey(deps, config.managementKey) : null;
    let log: Log = () => {};
    deps.credentials.watch(deps);
    deps.accounts.watch(deps);
    deps.guardrails.watch(deps);
    deps.presets.watch(deps);
    deps.federation.policies.watch(deps);
    const local = await openLocalModel(deps, config);
    const semantic = await openSemanticModel(deps, (message, details) => log("warn", message, details));
    await deps.catalog.start(deps);
    await repairRestoredCursors(deps.store);
    let wake = () => {};
    const bursts = createBurstLog((level, message, details) => log(level, message, details));
    const drain = createDrain();
    const calls = openCalls(config.calls, runtime.turnMs);
    const metrics = openMetrics(deps, { openRequests: drain.open, calls }, runtime.fellows);
    const accessLog = config.accessLog === "on" ? createAccessLog() : null;
    const incidents = createIncidents(bursts);
    deps.health.watch(incidents.circuit);
    const refusedCalls = createRefusedCallCounter(deps.store, deps.now, (message, details) =>
      log("warn", message, details),
    );
    const relay = openRelay(deps, dispatcher, config, {
      localModel: local?.model ?? null,
      semanticModel: semantic.model,
      committed: () => wake(),
      warn: (message, details) => log("warn", message, details),
      fellows: runtime.fellows?.rates,
      storeReadMs: runtime.storeReadMs,
      turnMs: runtime.turnMs,
      settled(entry, settlement) {
        incidents.settled(entry);
        metrics.settled(entry, settlement);
        if (accessLog !== null) logSettled(accessLog, entry, settlement);
      },
    });
    const batches = startBatches({
      domain: deps,
      relay,
      calls,
      mostCalls: config.calls,
      refused: refusedCalls.count,
      warn: (message, details) => log("warn", message, details),
    });
    const probes = {
      drain,
      now: deps.now,
      ping: () => deps.store.ping(),
      commitsFail: deps.storeHealth.troubled,
      degradations: () => [
        ...(deps.health.held(deps.now()).length > 0 ? (["provider_unavailable"] as const) : []),
        ...((runtime.fellows?.missing() ?? 0) > 0 ? (["worker_missing"] as const) : []),
        ...(forwarding.failing() > 0 ? (["destination_failing"] as const) : []),
      ],
    };
    const app = await buildApp({
      deps,
      relay,
      refusedCalls,
      probes,
      bursts,
      metrics,
      accessLog,
      calls,
      batches,
      config,
      ...runtime,
    });
    log = (level, message, details) => app.log[level](details, message);
    if (environmentKey !== null) app.log.warn(environmentKey);
    const forwarding = openForwarding(deps, dispatcher, config, { where: runtime.forwarding ?? "thread", log });
    wake = forwarding.wake;
    const stopOutageLog = logStoreOutages(deps.storeHealth, (message, details) => app.log.warn(details, message));
    void deps.store.journal?.failure.then(({ code, name }) =>
      app.log.warn(
        { reason: code ?? name },
        isDiskFull(code)
          ? "the disk of the data folder is full: free some space; calls are committed without the journal until the next start"
          : "the journal cannot be written: calls are committed without it until the next start",
      ),
    );
    const stopPeriods = watchPeriods(deps, (message, details) => app.log.warn(details, message));
    await deps.bodies.watch(forwarding.reload);
    const canaries = startCanaries(deps, relay, {
      random: Math.random,
      log: (level, message, details) => log(level, message, details),
    });
    const upkeep = scheduleUpkeep(deps, config.responseCache * mbBytes);
    const close = async () => {
      await app.close();
      // Its call is cut off with the others.
      const ended = [canaries.close(), batches.close()];
      await relay.close();
      await Promise.all(ended);
      await refusedCalls.close();
      local?.model.close();
      semantic.model?.close();
      deps.bodies.close();
      for (const end of upkeep) end();
      stopOutageLog();
      stopPeriods();
      await forwarding.close();
      bursts.close();
      await dispatcher.destroy();
      await deps.contentFilters.close();
      await deps.store.close();
    };
    const stop = stopInOrder({ app, drain, relay, own: [canaries, batches], close });
    const { missing: semanticModel } = semantic;
    return { app, deps, batches, firstStart, localModel: local?.outcome ?? null, semanticModel, stop, close };
  });
}

interface Stopping {
  readonly app: FastifyInstance;
  readonly drain: Drain;
  readonly relay: Pick<Relay, "interrupt">;
  /** what makes calls of its own, and begins none from now on */
  readonly own: readonly { close(): Promise<void> }[];
  readonly close: () => Promise<void>;
}

function stopInOrder({ app, drain, relay, own, close }: Stopping): Gateway["stop"] {
  return async ({ delayMs, patienceMs }) => {
    app.log.info({ delay_ms: delayMs, patience_ms: patienceMs, open: drain.open() }, "stopping");
    drain.announce();
    const ownEnded = Promise.all(own.map((each) => each.close())).then(() => true);
    await sleep(delayMs);
    drain.refuse();
    const untilMs = performance.now() + patienceMs;
    const isEmpty = await drain.emptied(patienceMs);
    // Calls of the gateway's own have the same time.
    if (!isEmpty || (await within(ownEnded, untilMs)) === null) {
      app.log.warn({ open: drain.open() }, "requests under way are cut off to stop");
      await relay.interrupt();
      await drain.emptied(settleMs);
    }
    drain.destroy();
    // Streams whose caller does not read end, and are settled, when their connection closes.
    await drain.emptied(settleMs);
    await close();
    app.log.info("stopped");
  };
}

/** A key leaves free one slot for this many that it holds: the next one finds some. */
const ownPerFree = 8;

/** The bound on model calls of this process. @param most 0: none */
function openCalls(most: number, turnMs = 1_000): Slots {
  return most === 0
    ? createSlots({ most: Number.POSITIVE_INFINITY, waitMs: turnMs })
    : createSlots({ most, ownPerFree, waitMs: turnMs, pace: createPace() });
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
