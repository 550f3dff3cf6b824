import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import type { Deps } from "./domain/context.ts";
import { readConsole } from "./http/console.ts";
import { bindRoutes } from "./http/routes.ts";
import { makeServer } from "./http/server.ts";
import type { Relay } from "./relay/model-call.ts";

const builtConsole = fileURLToPath(new URL("../../dist/console/", import.meta.url));

/** The process's parts beyond what the domain needs. */
export interface Parts {
  deps: Deps;
  relay: Relay;
  config: Pick<Config, "basePath" | "publicUrl" | "logLevel">;
  /** where the log's lines go */
  logStream: { write(line: string): void };
  /** the folder of the built console, where it is not the program's own */
  consoleFolder?: string;
}

/** Puts the whole service together, ready to listen or to be injected into. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { deps, relay, config, logStream } = parts;
  const app = await makeServer({
    basePath: config.basePath,
    behindProxy: config.publicUrl !== null,
    logLevel: config.logLevel,
    logStream,
  });
  const console = await readConsole(parts.consoleFolder ?? builtConsole);
  await bindRoutes(app, deps, relay, { publicUrl: config.publicUrl, basePath: config.basePath, console });
  await app.ready();
  return app;
}
