import type { FastifyInstance } from "fastify";
import type { Degradation, Readiness } from "#contract/health.ts";
import { Refusal } from "../domain/refusal.ts";
import { version } from "../version.ts";
import type { Drain } from "./drain.ts";

/** What readiness checks. */
export interface ProbeDeps {
  readonly drain: Drain;
  readonly now: () => Date;
  /** resolves when the store answers */
  readonly ping: () => Promise<void>;
  /** true while the store does not accept what calls cost */
  readonly commitsFail: () => boolean;
  /** what is broken while calls are still served */
  readonly degradations: () => Degradation[];
}

export type ReadReadiness = () => Promise<Readiness>;

/** A probe that waits longer has given up by itself. */
const pingMs = 2_000;

/** Creates the one place that decides whether a balancer may send calls here. @throws Refusal unavailable */
export function createReadiness({ drain, ping, commitsFail, degradations }: ProbeDeps): ReadReadiness {
  return async () => {
    if (drain.stopping()) throw new Refusal("unavailable", "The gateway is stopping", { retryAfterSeconds: 2 });
    await withinTime(ping()).catch((error: unknown) => {
      throw new Refusal("unavailable", "The store does not answer", { retryAfterSeconds: 1, cause: error });
    });
    if (commitsFail()) {
      throw new Refusal("unavailable", "The store does not take commits", { retryAfterSeconds: 1 });
    }
    const reasons = degradations();
    return reasons.length === 0 ? { status: "ready" } : { status: "degraded", reasons };
  };
}

async function withinTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), pingMs);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The probes under the names that orchestrators use. They need no credentials and return only a status. */
export function bindProbes(app: FastifyInstance, { now }: ProbeDeps, readiness: ReadReadiness): void {
  const probe = (path: string, operation: string, answer: () => Promise<object>) => {
    app.get(path, { config: { operation, whileStopping: true } }, async (_, reply) => {
      reply.header("cache-control", "no-store");
      return await answer();
    });
  };
  probe("/livez", "livez", async () => ({ status: "ok" }));
  probe("/readyz", "readyz", readiness);
  probe("/healthz", "healthz", async () => ({ ...(await stateOf(readiness)), version, now: now().toISOString() }));
}

/** Alive as long as the process answers: a restart would not bring the store back. */
async function stateOf(readiness: ReadReadiness): Promise<object> {
  try {
    const { status, reasons } = await readiness();
    return { status: status === "ready" ? "ok" : status, ...(reasons === undefined ? {} : { reasons }) };
  } catch (error) {
    if (error instanceof Refusal) return { status: "unavailable", message: error.message };
    throw error;
  }
}
