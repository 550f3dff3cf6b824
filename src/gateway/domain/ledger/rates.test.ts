import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import "../../testing/vitest-setup.ts";
import { makeClock } from "../../testing/clock.ts";
import { createDatabase } from "../../testing/postgres.ts";
import { openStore, type Store } from "../../storage/store.ts";
import { createRates, type FellowRates, type RateLimit, type Rates } from "./rates.ts";
import { Refusal } from "../refusal.ts";

const { now } = makeClock();
const limitOf = (index: number): RateLimit => ({
  scope: `key:${String(index).padStart(64, "0")}`,
  kind: "key",
  of: "requests",
  limit: 1,
});

/** Takes no call at all: so what is asked for together with it is looked at and never counted. */
const impossible: RateLimit = { scope: "workspace:none", kind: "workspace", of: "requests", limit: 0 };

/** Whether a process would refuse one more. */
function isRefused(rates: Rates, limit: RateLimit): boolean {
  try {
    rates.admit([limit, impossible], 2, now());
    return false;
  } catch (error) {
    if (error instanceof Refusal) return error.details["limit"] === limit.limit;
    throw error;
  }
}

describe("rate limits of workers of one start", () => {
  /** Two workers, and what the store brings them. */
  function twoWorkers() {
    const fromStore: ((payload: string | null) => void)[] = [];
    const sent: string[] = [];
    const notices: Store["notices"] = {
      send: async (_, ...payloads) => void sent.push(...payloads),
      listen: (_, hear) => void fromStore.push(hear),
      close: async () => {},
    };
    const fromFellows: Parameters<FellowRates["listen"]>[0][] = [];
    const worker = (index: number): Rates =>
      createRates(notices, now, `worker ${index}`, {
        fellows: {
          tell: (processId, counts) => fromFellows[1 - index]?.(processId, counts),
          listen: (receive) => void (fromFellows[index] = receive),
        },
      });
    const workers = [worker(0), worker(1)] as const;
    return { workers, sent, tellAll: (payload: string) => fromStore.forEach((hear) => hear(payload)) };
  }

  it("a worker hears at once of what another let through, and does not count it again from the store", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { workers, sent, tellAll } = twoWorkers();
    const [here, there] = workers;
    const limit = { ...limitOf(1), limit: 3 };
    here.admit([limit], 0, now());
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(250);
    expect(sent).toHaveLength(1);
    for (const payload of sent) tellAll(payload);
    there.admit([limit], 0, now());
    there.admit([limit], 0, now());
    expect(isRefused(there, limit)).toBe(true);
    await new Promise(setImmediate);
    expect(isRefused(here, limit)).toBe(true);
    tellAll(JSON.stringify({ processId: "elsewhere", amounts: { [`requests ${limitOf(2).scope}`]: 1 } }));
    expect([isRefused(here, limitOf(2)), isRefused(there, limitOf(2))]).toEqual([true, true]);
    here.close();
    there.close();
    vi.useRealTimers();
  });
});

describe("rate limits of several processes on one PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let stores: Store[] = [];
  beforeAll(async () => {
    database = await createDatabase(inject("postgresUrl"), { template: inject("postgresTemplate") });
    const open = () => openStore({ engine: "postgres", url: database.url }, now);
    stores = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  it("of 300 keys that one process let through, the other lets none through again", async () => {
    const [here, there] = stores.map((store) => createRates(store.notices, now, randomUUID())) as [Rates, Rates];
    // Once the two hear each other.
    let heard = false;
    stores[1]?.notices.listen("gatehouse_rates", () => (heard = true));
    let index = 1_000;
    await expect.poll(() => (here.admit([limitOf((index += 1))], 0, now()), heard)).toBe(true);
    const limits = Array.from({ length: 300 }, (_, at) => limitOf(at));
    for (const limit of limits) here.admit([limit], 0, now());
    await expect.poll(() => limits.filter((limit) => !isRefused(there, limit)).length).toBe(0);
    here.close();
    there.close();
  });

  it("tells later what the store did not take", async () => {
    const [store, other] = stores as [Store, Store];
    const warnings: string[] = [];
    let away = true;
    const send: Store["notices"]["send"] = async (channel, ...payloads) => {
      if (away) throw new Error("away");
      await store.notices.send(channel, ...payloads);
    };
    const warn = (message: string) => warnings.push(message);
    const here = createRates({ ...store.notices, send }, now, randomUUID(), { warn });
    const there = createRates(other.notices, now, randomUUID());
    const limit = limitOf(5_000);
    here.admit([limit], 0, now());
    await expect.poll(() => warnings.length).toBe(1);
    away = false;
    await expect.poll(() => isRefused(there, limit)).toBe(true);
    expect(warnings.length).toBe(1);
    here.close();
    there.close();
  });
});
