import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { FilteredBy } from "./filters.ts";
import { type ThreadStop, watchThread } from "../../thread-allowance.ts";
import { invalid, Refusal } from "../refusal.ts";

/** How long rules may take over all events of one request: of processor time, and until a busy machine has given them that. */
const most = { cpu: 10_000, wall: 60_000 };

/** The most requests running or waiting; another one would wait too long. */
const mostWaiting = 6;

/** Each may have to look through all of a text. */
const mostOnMainThread = 20;

/** A pattern can take up to a fifth of a second on one text, as can many plain rules: they do not run on the main thread. */
export function areSlow({ groups, enabled }: FilterRules): boolean {
  if (enabled === false) return false;
  const reading = groups.flatMap(({ rules }) => rules.filter(({ field }) => field === "input" || field === "output"));
  return reading.length > mostOnMainThread || reading.some(({ operator }) => operator === "regex");
}

function tooLong(why: ThreadStop): Refusal {
  if (why === "starved")
    return new Refusal("unavailable", "The machine is too busy to run the rules: try again", { retryAfterSeconds: 10 });
  const message = `take more than ${most.cpu / 1_000} s over the latest calls: use shorter regular expressions`;
  return invalid("filter_rules", message);
}

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Finds the rule that stops each event, in a thread that ends with the request; one request at a time.
 * @throws Refusal invalid_request when it takes too long, unavailable while too many others wait
 */
export async function filterInThread(
  events: readonly ForwardedEvent[],
  rules: FilterRules,
): Promise<Map<ForwardedEvent, FilteredBy | null>> {
  if (waiting >= mostWaiting) {
    const message = "Other requests are running rules over prompts and answers: try again";
    throw new Refusal("unavailable", message, { retryAfterSeconds: 2 });
  }
  waiting += 1;
  const mine = last.then(() => run(events, rules));
  last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    waiting -= 1;
  }
}

async function run(events: readonly ForwardedEvent[], rules: FilterRules) {
  const worker = new Worker(new URL("./filter-worker.ts", import.meta.url), { workerData: rules });
  const stopped = new AbortController();
  const stopWatching = watchThread(worker, most, (why) => stopped.abort(tooLong(why)));
  const found = new Map<ForwardedEvent, FilteredBy | null>();
  try {
    for (const event of events) {
      const answered = once(worker, "message", { signal: stopped.signal });
      worker.postMessage(event);
      found.set(event, (await answered)[0]);
      await setImmediate();
    }
    return found;
  } catch (error) {
    throw stopped.signal.aborted ? stopped.signal.reason : error;
  } finally {
    stopWatching();
    await worker.terminate();
  }
}
