// Loaded with --import before a test run: delays every statement of a store, every timer and every request that a server
// takes by a random time, so that rare orders of events become usual ones. It finds tests that depend on an order:
// NODE_OPTIONS=--import=./setup/latency.js npx vitest run
import { Server } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/** Milliseconds: mostly a few, now and then many. */
const delay = () => Math.random() * (Math.random() < 0.05 ? 300 : 20);

const later = globalThis.setTimeout;
globalThis.setTimeout = new Proxy(later, {
  apply: (run, self, [what, ms = 0, ...given]) => Reflect.apply(run, self, [what, ms + delay(), ...given]),
});
timers.setTimeout = new Proxy(timers.setTimeout, {
  apply: (run, self, [ms = 0, ...given]) => Reflect.apply(run, self, [ms + delay(), ...given]),
});
syncBuiltinESMExports();

Server.prototype.emit = new Proxy(Server.prototype.emit, {
  apply(run, self, given) {
    if (given[0] !== "request") return Reflect.apply(run, self, given);
    later(() => Reflect.apply(run, self, given), delay());
    return true;
  },
});

const { Client } = createRequire(import.meta.url)("pg");
const sendNext = "_pulseQueryQueue";
Client.prototype[sendNext] = new Proxy(Client.prototype[sendNext], {
  apply: (run, self, given) => void later(() => Reflect.apply(run, self, given), delay()),
});
