import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { BurstLog } from "../domain/burst-log.ts";
import type { Deps } from "../domain/context.ts";
import type { RefusedCallCounter } from "../domain/calls/refused-call-counter.ts";
import type { AccessLog } from "../http/access-log.ts";
import { readConsole } from "../http/static.ts";
import { isLoopback } from "../http/host-check.ts";
import type { ProbeDeps } from "../http/probes.ts";
import { bindRoutes } from "../http/routes.ts";
import { makeServer } from "../http/server.ts";
import type { Metrics } from "../metrics.ts";
import type { Batches } from "../relay/batches/runner.ts";
import type { Relay } from "../relay/model-call.ts";
import type { Slots } from "../slots.ts";

const builtConsole = fileURLToPath(new URL("../../../dist/console/", import.meta.url));

/** What the service is assembled from. */
export interface AppDeps {
  deps: Deps;
  relay: Relay;
  refusedCalls: RefusedCallCounter;
  probes: ProbeDeps;
  bursts: BurstLog;
  metrics: Metrics;
  accessLog: AccessLog | null;
  calls: Slots;
  batches: Batches;
  config: Pick<
    Config,
    "basePath" | "corsOrigins" | "metricsToken" | "publicUrl" | "logLevel" | "connections" | "host" | "upstreamTimeout"
  >;
  /** where the log's lines go */
  logStream: { write(line: string): void };
  /** the folder of the built console, if not the program's own */
  consoleFolder?: string;
  answerBytes?: number;
}

/** Assembles the whole service, ready to listen or to be injected into. */
export async function buildApp(appDeps: AppDeps): Promise<FastifyInstance> {
  const { deps, relay, refusedCalls, probes, bursts, metrics, accessLog, calls, batches, config, logStream } = appDeps;
  const app = await makeServer({
    basePath: config.basePath,
    corsOrigins: config.corsOrigins,
    behindProxy: config.publicUrl !== null,
    localOnly: config.publicUrl === null && isLoopback(config.host),
    logLevel: config.logLevel,
    logStream,
    drain: probes.drain,
    now: deps.now,
    bursts,
    refused: metrics.refused,
    accessLog,
    mostConnections: config.connections,
    unreadMs: config.upstreamTimeout * 1_000,
  });
  const console = await readConsole(appDeps.consoleFolder ?? builtConsole);
  await bindRoutes(app, deps, relay, {
    publicUrl: config.publicUrl,
    basePath: config.basePath,
    console,
    probes,
    refusedCalls,
    calls,
    batches,
    answerBytes: appDeps.answerBytes,
    metrics: { scrape: metrics.scrape, token: config.metricsToken },
  });
  await app.ready();
  return app;
}
