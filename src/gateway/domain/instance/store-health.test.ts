import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError } from "../../testing/expect-error.ts";
import type { TestGateway } from "../../testing/gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { storeAway } from "../store-away.ts";
import { watchReachability } from "./store-health.ts";

/** A store that reads and does not write, as a full disk or a failover leaves it. */
async function setReadOnly({ deps: { store } }: TestGateway, readOnly: boolean): Promise<void> {
  const mode = `set default_transaction_read_only = ${readOnly ? "on" : "off"}`;
  if (store.engine === "embedded") return void (await store.pool.query(mode));
  const { rows } = await store.pool.query<{ name: string }>("select quote_ident(current_database()) as name");
  await store.pool.query(`begin; set transaction read write; alter database ${rows[0]?.name} ${mode}; commit`);
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    order by pid = pg_backend_pid()`;
  await store.pool.query(cut).catch(() => {});
}

const lines = (gateway: TestGateway, words: string) =>
  gateway
    .log()
    .split("\n")
    .filter((line) => line.includes(words));

/** Whether it is away for so long without a break. */
async function awayFor({ deps }: TestGateway, ms: number): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < ms;) {
    if (!deps.storeHealth.troubled()) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

describeGateway("a store that takes no commits", (gateway) => {
  const vendor = withVendor(gateway);

  it("no call is made, limited or not, readiness says so, and it comes back by itself", async () => {
    const [limited, unlimited] = [await makeKey(gateway(), { limit: 1 }), await makeKey(gateway())];
    const embed = async (key: string, input: string) =>
      await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input } });
    const ready = async () => (await gateway().call("GET", "/ready", { key: null })).status;
    for (const { key } of [limited, unlimited]) expect((await embed(key, "before")).status).toBe(200);
    expect(await ready()).toBe(200);

    const letGo = vendor().hold(0);
    const underWay = embed(unlimited.key, "under way");
    await expect.poll(() => vendor().inFlight()).toBe(1);
    await setReadOnly(gateway(), true);
    letGo();
    // The connections that were cut are there again within seconds; from the first commit that fails on, it stays away.
    await expect.poll(() => awayFor(gateway(), 4_000)).toBe(true);
    // Once more where a question on a connection that was cut came first; then not again.
    const told = lines(gateway(), "the store is unavailable").length;
    expect(told).toBeGreaterThanOrEqual(1);
    expect(await ready()).toBe(503);
    const made = vendor().calls();
    for (const { key } of [limited, unlimited]) {
      const refused = await embed(key, "meanwhile");
      expectError(refused, "unavailable", /no call can be recorded: try again/);
      expect(refused.headers.get("retry-after")).toBe("2");
    }
    expectError(await gateway().call("POST", "/keys", { body: { name: "meanwhile" } }), "unavailable", /try again/);
    for (const path of ["/keys", "/generations", "/overview"]) {
      expect((await gateway().call("GET", path)).status, path).toBe(200);
    }
    expect(vendor().calls()).toBe(made);
    expect(lines(gateway(), "the store is unavailable")).toHaveLength(told);

    await setReadOnly(gateway(), false);
    expect((await underWay).status).toBe(200);
    await expect.poll(ready).toBe(200);
    for (const { key } of [limited, unlimited])
      await expect.poll(async () => (await embed(key, "after")).status).toBe(200);
    await expect.poll(() => lines(gateway(), "the store is back").length).toBeGreaterThanOrEqual(1);
  });
});

it.each(["ENOSPC", "EDQUOT", "53100"])(
  "an error that says %s is answered with a full disk, not a silent store",
  (code) => {
    const { message } = storeAway(
      Object.assign(new Error("could not extend file"), { code }),
      "no limit can be checked",
    );
    expect(message).toBe("The disk of the store is full, so no limit can be checked: free some space, then try again");
  },
);

describe("whether the store is reachable", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A store whose pings go as told, in order; after that they are answered. */
  function watching(...pings: ("answered" | "failed" | "silent")[]) {
    let asked = 0;
    const watch = watchReachability({
      ping() {
        const outcome = pings[asked] ?? "answered";
        asked += 1;
        if (outcome === "silent") return new Promise<void>(() => {});
        return outcome === "answered" ? Promise.resolve() : Promise.reject(new Error("ended"));
      },
    });
    return { watch, asked: () => asked };
  }

  it("takes no ended connection for a store that is away: another one is asked at once", async () => {
    const { watch, asked } = watching("failed", "answered");
    await vi.advanceTimersByTimeAsync(1_000);
    expect([asked(), watch.reachable()]).toEqual([2, true]);
    watch.close();
  });

  it("is not reachable once two connections in a row fail, and reachable with the next answer, steady from then", async () => {
    const { watch } = watching("failed", "failed", "answered");
    await vi.advanceTimersByTimeAsync(1_000);
    expect([watch.reachable(), watch.steadyMs()]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([watch.reachable(), watch.steadyMs()]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(watch.steadyMs()).toBe(5_000);
    watch.close();
  });

  it("is not reachable after three checks without an answer", async () => {
    const { watch } = watching("silent");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(watch.reachable()).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watch.reachable()).toBe(false);
    watch.close();
  });
});
