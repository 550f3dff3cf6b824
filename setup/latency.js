// Loaded before a test run with LATE: delays every statement of a store, every timer and every request that a server takes
// by a random time, up to LATE milliseconds and mostly far less, so that rare orders of events become usual ones.
import { Server } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { env } from "node:process";
import timers from "node:timers/promises";

const most = Number(env["LATE"]);
if (!(most > 0)) throw new Error("LATE must be a number of milliseconds, like 300");

const delay = () => Math.random() * (Math.random() < 0.05 ? most : most / 15);

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
