import { fastify } from "fastify";
import { expect, it } from "vitest";
import { beginInSlices } from "./begin-in-slices.ts";

/** Longer than a third of a slice by any clock, so that a slice begins at most three. */
const workMs = 2;
const mostInSlice = 3;

/** A server whose requests take the thread for a while when they begin, and what began in which round of the loop. */
async function listen() {
  const app = fastify();
  let round = 0;
  const began: { path: string; from: string; round: number }[] = [];
  app.addHook("onRequest", ({ url }, reply, done) => {
    // what Node's own response says once its connection is closed
    if (url === "/left") Object.assign(reply.raw, { destroyed: true });
    done();
  });
  beginInSlices(app);
  app.addHook("onRequest", async ({ url, ip }) => {
    began.push({ path: url, from: ip, round });
    const end = performance.now() + workMs;
    while (performance.now() < end);
  });
  app.get("/work", async () => "done");
  app.get("/left", async () => "done");
  app.get("/other", async () => "done");
  app.get("/probe", { config: { operation: "probe", whileStopping: true } }, async () => "well");
  await app.ready();
  let next = setImmediate(function count() {
    round += 1;
    next = setImmediate(count);
  });
  const ask = (path: string, from = "127.0.0.1") => app.inject({ method: "GET", url: path, remoteAddress: from });
  const close = async () => {
    clearImmediate(next);
    await app.close();
  };
  return { ask, began, close };
}

it("begins what arrives at once in slices, and answers all of it", async () => {
  const { ask, began, close } = await listen();
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask("/work")));
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(began).toHaveLength(60);
  const inRound = [...Map.groupBy(began, (one) => one.round).values()].map(({ length }) => length);
  // the first round of the loop has the slice in which they came and the one after it
  expect(Math.max(...inRound)).toBeLessThanOrEqual(2 * mostInSlice);
  await close();
});

it("lets addresses and routes take turns, and no probe wait", async () => {
  const { ask, began, close } = await listen();
  const pushed = Array.from({ length: 60 }, () => ask("/work"));
  await Promise.all([...pushed, ask("/work", "127.0.0.2"), ask("/other"), ask("/probe")]);
  const position = (path: string, from: string) => began.findIndex((one) => one.path === path && one.from === from);
  expect(position("/probe", "127.0.0.1")).toBeLessThanOrEqual(mostInSlice);
  expect(position("/work", "127.0.0.2")).toBeLessThanOrEqual(3 * mostInSlice);
  expect(position("/other", "127.0.0.1")).toBeLessThanOrEqual(3 * mostInSlice);
  expect(began).toHaveLength(63);
  await close();
});

it("begins nothing for a caller who has left meanwhile", async () => {
  const { ask, began, close } = await listen();
  const pushed = Array.from({ length: 20 }, () => ask("/work"));
  void ask("/left");
  await Promise.all(pushed);
  await ask("/work");
  expect(began.map(({ path }) => path)).toEqual(Array.from({ length: 21 }, () => "/work"));
  await close();
});
