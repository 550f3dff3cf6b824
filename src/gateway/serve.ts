import cluster from "node:cluster";
import type { AddressInfo } from "node:net";
import { startupMessage, consoleUrl, print, progress } from "./startup-message.ts";
import { onStopSignals } from "./stop-signals.ts";
import type { Config } from "./config.ts";
import { type FellowWorkers, type Gateway, openGateway } from "./app/open.ts";

/** How long the stop itself may take, on top of the time that it gives to requests. */
export const longestEndMs = 15_000;

/** Connections that wait to be accepted: beyond the system's usual 511 a burst of callers would be reset. */
const backlog = 4_096;

/** Runs the gateway until it receives a signal to stop. */
export async function serve(config: Config): Promise<void> {
  const { gateway, said } = await open(config, null, (opened) =>
    onStopSignals(
      () => stopGateway(opened, config),
      () => process.exit(1),
    ),
  );
  for (const line of said) print(line);
  gateway.app.log.info("listening");
  void gateway.localModel?.then(print);
}

/** A gateway that listens, and what is said about it on standard output. */
interface Opened {
  readonly gateway: Gateway;
  readonly said: readonly string[];
}

/**
 * @param fellows the other workers of the same start; null: there are none
 * @param listening is called before anything can be said: whoever reads that it listens may send a signal at once
 */
export async function open(
  config: Config,
  fellows: FellowWorkers | null,
  listening: (gateway: Gateway) => void = () => {},
): Promise<Opened> {
  const gateway = await progress(
    config.databaseUrl === null ? `Opening the store in ${config.dataDir}` : "Connecting to the database",
    () =>
      openGateway(config, {
        now: () => new Date(),
        logStream: process.stderr,
        environment: process.env,
        ...(fellows === null ? {} : { fellows }),
      }),
  );
  const port = await listen(gateway, config);
  listening(gateway);
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const isBuilt = gateway.app.hasRoute({ method: "GET", url: "/*" });
  const message = startupMessage(consoleUrl(config, port), address, gateway.firstStart, isBuilt);
  return { gateway, said: gateway.semanticModel === null ? [message] : [message, gateway.semanticModel] };
}

async function listen(gateway: Gateway, config: Config): Promise<number> {
  const { host, port } = config;
  const { log } = gateway.app;
  const { level } = log;
  try {
    // Fastify would log that it listens before a person has read where.
    log.level = "warn";
    // A worker's connections are accepted by the supervisor. Other systems have no sockets that share a port fairly.
    if (cluster.isWorker || process.platform !== "linux") await gateway.app.listen({ host, port, backlog });
    else await gateway.app.listenWithMany({ host, port, backlog });
    log.level = level;
  } catch (error) {
    log.level = level;
    await gateway.close();
    throw new Error(unlistenable((error as NodeJS.ErrnoException).code, host, port), { cause: error });
  }
  return (gateway.app.server.address() as AddressInfo).port;
}

function unlistenable(code: string | undefined, host: string, port: number): string {
  if (code === "EADDRINUSE") return `Port ${port} on ${host} is in use: stop what uses it, or set PORT to another one.`;
  if (code === "EACCES") return `Port ${port} may not be used by this user: set PORT to one above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`;
  }
  return `Gatehouse cannot listen on ${host}, port ${port} (${code ?? "unknown reason"}).`;
}

/** Lets requests finish, and ends the process. */
export function stopGateway(gateway: Gateway, { stopDelay, stopTimeout }: Config): void {
  const patience = { delayMs: stopDelay * 1_000, patienceMs: stopTimeout * 1_000 };
  setTimeout(
    () => {
      gateway.app.log.error("the stop took too long: charges that the store has not taken are lost");
      process.exit(1);
    },
    patience.delayMs + patience.patienceMs + longestEndMs,
  ).unref();
  gateway.stop(patience).then(
    () => process.exit(0),
    (error: unknown) => {
      gateway.app.log.error({ err: error }, "could not end cleanly");
      process.exit(1);
    },
  );
}
