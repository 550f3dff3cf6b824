import { parentPort, workerData } from "node:worker_threads";
import type { FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { compileFilterRules } from "./filters.ts";

// One answer per event, in the same order.
const filteredBy = compileFilterRules(workerData as FilterRules);
parentPort?.on("message", (event: ForwardedEvent) => parentPort?.postMessage(filteredBy(event)));
