import { expect, it } from "vitest";
import type { Deps } from "../context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { createPresetCache } from "./preset-cache.ts";

describeGateway("the presets that calls use", (gateway) => {
  const made = async (slug: string, seed: number) => {
    const answer = await gateway().call("POST", "/presets", { body: { slug, config: { seed } } });
    return answer.json.data.workspace_id as string;
  };

  /** As a process that shares its store with others, and counts what it reads. */
  function process(): { deps: Deps; reads: () => number; fail: (down: boolean) => void } {
    const { deps } = gateway();
    const { db } = deps.store;
    let reads = 0;
    let isDown = false;
    const selectFrom = (...args: Parameters<typeof db.selectFrom>) => {
      reads += 1;
      if (isDown) throw new Error("the store is away");
      return db.selectFrom(...args);
    };
    const store = { ...deps.store, engine: "postgres" as const, db: { selectFrom } as unknown as typeof db };
    return { deps: { ...deps, store }, reads: () => reads, fail: (down) => (isDown = down) };
  }

  it("are read once by calls at the same time, and again after five seconds, one that is missing as well", async () => {
    const workspace = await made("once", 1);
    const { deps, reads } = process();
    const cache = createPresetCache();
    const [first, second] = await Promise.all([cache.of(deps, workspace, "once"), cache.of(deps, workspace, "once")]);
    expect([first?.config, second]).toEqual([{ seed: 1 }, first]);
    expect(await cache.of(deps, workspace, "missing")).toBeNull();
    expect(await cache.of(deps, workspace, "missing")).toBeNull();
    expect(reads()).toBe(2);
    gateway().clock.advance(5_000);
    await cache.of(deps, workspace, "once");
    expect(reads()).toBe(3);
  });

  it("stay as they were last read while the store is away", async () => {
    const workspace = await made("kept", 1);
    const { deps, fail } = process();
    const cache = createPresetCache();
    await cache.of(deps, workspace, "kept");
    gateway().clock.advance(5_000);
    fail(true);
    expect((await cache.of(deps, workspace, "kept"))?.config).toEqual({ seed: 1 });
    await expect(cache.of(deps, workspace, "another")).rejects.toThrow("the store is away");
    fail(false);
    expect(await cache.of(deps, workspace, "another")).toBeNull();
  });

  it("are kept for 256 names at most, the last read ones", async () => {
    const workspace = await made("many", 1);
    const { deps, reads } = process();
    const cache = createPresetCache();
    await cache.of(deps, workspace, "many");
    for (let at = 0; at < 256; at += 1) await cache.of(deps, workspace, `none-${at}`);
    expect(reads()).toBe(257);
    await cache.of(deps, workspace, "none-255");
    expect(reads()).toBe(257);
    await cache.of(deps, workspace, "many");
    expect(reads()).toBe(258);
  });
});
