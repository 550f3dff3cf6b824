import { compilePipeline } from "../domain/destinations/pipeline.ts";
import type { LedgerJson } from "../domain/destinations/events.ts";
import { readsBodies } from "../domain/destinations/settings.ts";
import type { Format } from "../exporters/format.ts";
import { mapInTurns, takeTurns } from "../turns.ts";
import { bisect, type Failure, type Outcome } from "./bisect.ts";
import type { Page } from "./ledger-reader.ts";
import type { EnabledDecision, Forwarded, Sender } from "./sender.ts";

/** Failures in a row after which a batch's events are suspected one by one. */
const suspectEvery = 4;
/** Rejected events in a row that are tried one by one in a first attempt. */
const firstRun = 6;
/** Attempts after which that run stops doubling: it is 192 then. */
const longestRunTries = 5;
/** Failures in a row after which calls of its own session may prove that a call is the cause. */
const ownSessionTries = 6;
/** Failures in a row after which a rejected event is given up although no other event follows it. */
const aloneTries = 5;

interface Step {
  readonly row: LedgerJson;
  readonly decision: EnabledDecision;
  /** about how many bytes it makes in a request */
  readonly size: number;
}

/** @returns delivers a page; where the destination fails, the rest of the page has to be read again */
export function createPageDelivery(sender: Sender): (page: Page) => Promise<void> {
  const { settings, format } = sender;
  const decide = compilePipeline(settings);
  const wantsBodies = !settings.privacyMode || readsBodies(settings);

  async function decideAll(page: Page): Promise<Step[]> {
    const calls = wantsBodies ? await page.whole() : page.bare();
    const turn = takeTurns(sender.id, { patient: true });
    return await mapInTurns(calls, turn, ({ event, characters }, index) => ({
      row: page.rows[index] as LedgerJson,
      decision: decide(event) as EnabledDecision,
      size: 2_000 + 2 * characters,
    }));
  }

  return async (page) => {
    const steps = await decideAll(page);
    const pass = (from: number, to: number) => {
      for (const { row, decision } of steps.slice(from, to)) sender.pass(row, decision);
    };
    let at = 0;
    while (at < steps.length && sender.active) {
      const { batch, end } = nextBatch(steps, at, format.most);
      const { done, failure } = batch.length > 0 ? await deliverBatch(sender, batch) : nothingToSend;
      pass(at, failure === null ? end : (batch[done]?.index ?? end));
      if (failure !== null) return await sender.backOff(failure);
      at = end;
    }
  };
}

const nothingToSend = { done: 0, failure: null };

/** The next events that fit into one request, at least one if there is any; `end` is the step after them. */
export function nextBatch(steps: readonly Step[], from: number, most: Format["most"]) {
  const batch: (Forwarded & { readonly index: number })[] = [];
  let bytes = 0;
  let end = from;
  for (; end < steps.length; end += 1) {
    const { row, decision, size } = steps[end] as Step;
    if (decision.outcome !== "forwarded") continue;
    if (batch.length > 0 && (batch.length >= most.events || bytes + size > most.bytes)) break;
    batch.push({ index: end, row, event: decision.event });
    bytes += size;
  }
  return { batch, end };
}

/** Delivers events until all are done, or the destination fails. `done`: how many from the start are done. */
async function deliverBatch(
  sender: Sender,
  batch: readonly Forwarded[],
): Promise<{ done: number; failure: Failure | null }> {
  const { attempt } = sender;
  const send = (some: readonly Forwarded[]) => sender.tryOnce(some.map(({ event }) => event));
  const first = await send(batch);
  if (first.outcome === "accepted") return { done: batch.length, failure: null };
  const looksCloser =
    first.outcome === "rejected" ||
    first.outcome === "too_large" ||
    (first.outcome === "errored" && (attempt + 1) % suspectEvery === 0);
  if (!looksCloser) return { done: 0, failure: first };
  let known: Outcome | null = first;
  const giveUpAlone = first.outcome === "rejected" && sender.alive && attempt + 1 >= aloneTries;
  const found = await bisect(
    batch,
    async (some) => {
      // The whole group was just tried.
      const outcome = known ?? (await send(some));
      known = null;
      return outcome;
    },
    {
      giveUpAlone,
      // The longer it lasts, the longer the run of rejected events to look for: a broken destination is tried as rarely.
      mostInARow: first.outcome === "rejected" ? firstRun * 2 ** Math.min(attempt, longestRunTries) : firstRun,
      // A temporary failure holds back its session. A persistent one is proven by any other event there is.
      ...(attempt + 1 < ownSessionTries ? { sessionOf: ({ event }) => event.sessionId } : {}),
    },
  );
  for (const { event, attempts, failure } of found.givenUp) {
    sender.deadLetter(event, giveUpAlone ? sender.attempt + 1 : attempts, failure);
    if (giveUpAlone) sender.alive = false;
  }
  return found;
}
