import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { afterEach, expect, it, vi } from "vitest";
import { createCollector } from "./collect.ts";

afterEach(() => void vi.useRealTimers());

/** What one worker has counted so far. */
async function valuesOf({ calls, open, keysOver }: { calls: number; open: number; keysOver: number }) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "calls_total", help: "calls", labelNames: ["api"], registers }).inc({ api: "chat" }, calls);
  new Gauge({ name: "open", help: "open", registers }).set(open);
  new Gauge({ name: "keys_over", help: "the same for all", registers, aggregator: "max" }).set(keysOver);
  new Histogram({ name: "seconds", help: "seconds", buckets: [1], registers }).observe(calls);
  return await registry.getMetricsAsJSON();
}

const none = { calls: 0, open: 0, keysOver: 0 };

it("adds up what workers count, also of those that have ended; what all read alike is told once", async () => {
  const alive = new Set([1, 2]);
  const figures = new Map([
    [1, { calls: 5, open: 1, keysOver: 7 }],
    [2, { calls: 10, open: 2, keysOver: 7 }],
  ]);
  const collector = createCollector((id) => {
    for (const worker of alive)
      void valuesOf(figures.get(worker) ?? none).then((own) => collector.receive(worker, id, own));
    return alive;
  });
  const first = (await collector.scrape()).text;
  for (const line of [
    'calls_total{api="chat"} 15',
    "open 3",
    "keys_over 7",
    "seconds_count 2",
    "gatehouse_workers 2",
  ]) {
    expect(first).toContain(line);
  }
  for (let death = 0; death < 2; death += 1) {
    alive.delete(2);
    collector.retire(2);
    const without = (await collector.scrape()).text;
    expect(without).toContain(`calls_total{api="chat"} ${15 + death * 4}`);
    expect(without).toContain("open 1");
    expect(without).toContain("gatehouse_workers 1");
    alive.add(2);
    figures.set(2, { calls: 4, open: 0, keysOver: 7 });
    expect((await collector.scrape()).text).toContain(`calls_total{api="chat"} ${19 + death * 4}`);
  }
});

it("uses the previous figures of a worker that does not answer, and forgets to wait for one that ends", async () => {
  vi.useFakeTimers();
  const values = await valuesOf({ calls: 3, open: 1, keysOver: 0 });
  let answers = true;
  const collector = createCollector((id) => {
    if (answers) queueMicrotask(() => collector.receive(1, id, values));
    return [1];
  });
  expect((await collector.scrape()).text).toContain('calls_total{api="chat"} 3');
  answers = false;
  const late = collector.scrape();
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await late).text).toContain('calls_total{api="chat"} 3');
  const ending = collector.scrape();
  collector.retire(1);
  expect((await ending).text).toContain('calls_total{api="chat"} 3');
});

it("loses the figures of a worker that do not add up, and no others", async () => {
  const good = await valuesOf({ calls: 3, open: 1, keysOver: 0 });
  const odd = good.map((each) => ({ ...each, aggregator: "surprise" as const })) as unknown as typeof good;
  const alive = new Map([
    [1, odd],
    [2, good],
  ]);
  const collector = createCollector((id) => {
    for (const [worker, values] of alive) queueMicrotask(() => collector.receive(worker, id, values));
    return alive.keys();
  });
  await expect(collector.scrape()).rejects.toThrow(/surprise/);
  alive.delete(1);
  collector.retire(1);
  expect((await collector.scrape()).text).toContain('calls_total{api="chat"} 3');
});
