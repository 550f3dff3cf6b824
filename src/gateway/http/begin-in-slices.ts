import type { FastifyInstance } from "fastify";
import { FairQueue } from "../fair-queue.ts";

/** How long one round of the event loop may begin requests, milliseconds. */
const sliceMs = 5;

/**
 * Begins no more requests in one round of the event loop than there is time for: a poll reports up to 1,024 connections
 * at once, and their key checks alone would hold everybody up. The rest begin in the next rounds; addresses, and the routes
 * that one of them asks for, take turns, so that whoever pushes calls delays neither another caller nor the console.
 * Probes never wait.
 */
export function beginInSlices(app: FastifyInstance): void {
  const waiting = new FairQueue<() => void>();
  /** by `performance.now()`; null: no request has come in this round */
  let sliceEnd: number | null = null;

  function nextRound() {
    const end = performance.now() + sliceMs;
    while (waiting.size > 0 && performance.now() < end) waiting.shift()?.();
    sliceEnd = waiting.size > 0 ? end : null;
    if (waiting.size > 0) setImmediate(nextRound);
  }

  app.addHook("onRequest", (request, reply, done) => {
    const { url = "", config } = request.routeOptions;
    if (config.whileStopping === true) return done();
    const now = performance.now();
    if (sliceEnd === null) {
      sliceEnd = now + sliceMs;
      setImmediate(nextRound);
    }
    if (waiting.size === 0 && now < sliceEnd) return done();
    waiting.push(`${request.ip} ${url}`, () => {
      // a caller who has left meanwhile needs no more answers
      if (!reply.raw.destroyed) done();
    });
  });
}
