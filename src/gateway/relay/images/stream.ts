import { errorStatus, publicErrorType } from "#contract/errors.ts";
import { toUsd } from "#contract/money.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { type ImagesEvent, BadAnswer } from "../../providers/provider.ts";
import type { Slot } from "../../slots.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { endAnswer, failureOf, refusalOf } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import type { MediaAmount } from "../media/kind.ts";
import type { MediaRun } from "../media/run.ts";
import { settleMedia } from "../media/settle.ts";
import { shown, usageOf } from "./answer.ts";
import { billedAmount } from "./kind.ts";
import type { ImageRequest } from "./request.ts";
import type { HeardEvent } from "./upstream.ts";

interface Served {
  readonly candidate: Candidate;
  readonly slot: Slot;
  readonly latencyMs: number;
  readonly upstreamId: string | null;
  readonly events: AsyncGenerator<HeardEvent, void, void>;
}

type Completed = ImagesEvent & { readonly type: "completed" };

/** Images on their way to the caller as events, to their settlement. */
export class ImageStream {
  private made = 0;
  /** what the last image's event said */
  private last: Completed | null = null;
  private settled = false;
  private readonly deps: RelayDeps;
  private readonly run: MediaRun<ImageRequest>;
  private readonly served: Served;

  constructor(deps: RelayDeps, run: MediaRun<ImageRequest>, served: Served) {
    this.deps = deps;
    this.run = run;
    this.served = served;
  }

  /** The last image waits for the commit, and says what the call cost. */
  async *frames(): AsyncGenerator<Buffer | string, void, void> {
    const { deps, run, served } = this;
    const { room } = run.context.call;
    let held: HeardEvent | null = null;
    try {
      for (;;) {
        // Not a loop over the events: leaving it would end them.
        const heard = await this.next();
        if (heard === null) break;
        room.take(heard.size);
        const ready: HeardEvent | null = heard.event.type === "completed" ? held : heard;
        if (heard.event.type === "completed") held = heard;
        if (ready === null) continue;
        yield* this.frame(ready.event);
        room.give(ready.size);
      }
    } catch (thrown) {
      const error = deps.interrupted() ?? refusalOf(thrown, served.candidate);
      await this.settle({ error, fault: thrown });
      yield* this.write(errorEvent(error, run));
      yield done;
      return;
    }
    const { settlement, billed } = (await this.settle({ error: null, fault: null })) ?? {};
    if (held !== null && settlement !== undefined && billed !== undefined) {
      const usage = usageOf(billed, toUsd(settlement.own + settlement.byok), served.candidate);
      yield* this.frame(held.event, { usage });
    }
    yield done;
  }

  /** Call it when the caller has stopped reading, or has read everything. The vendor's work is heard to its end. */
  async leave(): Promise<void> {
    const { deps, run, served } = this;
    try {
      while (!this.settled && (await this.next()) !== null);
      await this.settle({ error: null, fault: null });
    } catch (fault) {
      await this.settle({ error: null, fault }).catch(() => {});
    } finally {
      await served.events.return().catch(() => {});
      served.slot();
      deps.ledger.release(run.reservation);
    }
  }

  /** The next event; null: there is none. @throws CallFailed, BadAnswer, NoRoom */
  private async next(): Promise<HeardEvent | null> {
    const { done: isOver, value } = await this.served.events.next();
    if (isOver === true) {
      if (this.made === 0) throw new BadAnswer("the stream ended without an image");
      return null;
    }
    if (value.event.type === "completed") {
      this.made += 1;
      this.last = value.event;
    }
    return value;
  }

  private async *frame(event: ImagesEvent, more: object = {}): AsyncGenerator<Buffer | string, void, void> {
    if (event.type === "text") yield* this.write(event.event);
    else if (event.type === "partial") {
      const { index, base64 } = event;
      yield* this.write({ type: "image_generation.partial_image", partial_image_index: index, b64_json: base64 });
    } else {
      const { context, request } = this.run;
      const created = event.created ?? Math.floor(context.createdAt.getTime() / 1_000);
      yield* this.write({ type: "image_generation.completed", created, ...shown(event.image, request), ...more });
    }
  }

  private async *write(data: object): AsyncGenerator<Buffer | string, void, void> {
    yield "data: ";
    yield* await writeJsonInTurns(data, takeTurns(this.run.context.call.credential.hash, { patient: true }));
    yield "\n\n";
  }

  /** Null: it was settled before. */
  private async settle({ error, fault }: StreamEnd): Promise<StreamSettlement | null> {
    if (this.settled) return null;
    this.settled = true;
    const { deps, run, served, made, last } = this;
    const { candidate, latencyMs, upstreamId } = served;
    // An event may still be awaited when the caller leaves.
    const cancelled = run.context.call.signal.aborted;
    endAnswer(deps, candidate, { fault, isNeutral: cancelled || error !== null, latencyMs });
    const isFree = made === 0 && failureOf(fault)?.mayBill === false;
    const { usage = null, quality = null, size = null } = last ?? {};
    // How many more the vendor made before it failed is not known.
    const report = { made: fault === null ? made : null, usage, quality, size };
    const billed = billedAmount(run.amount, run.request, candidate, report);
    const settlement = settleMedia(deps, run, {
      candidate: isFree ? null : candidate,
      billed,
      meteredBy: usage === null ? "gateway" : "upstream",
      latencyMs,
      upstreamId,
      cancelled,
      error,
      streamed: true,
    });
    await settlement.committed;
    return { settlement, billed };
  }
}

interface StreamSettlement {
  readonly settlement: Settlement;
  readonly billed: MediaAmount;
}

/** How the stream ended. */
interface StreamEnd {
  /** what the caller is told; null: nothing went wrong */
  readonly error: unknown;
  /** what went wrong, as it was thrown */
  readonly fault: unknown;
}

const done = "data: [DONE]\n\n";

function errorEvent(error: unknown, { context }: MediaRun<ImageRequest>): object {
  const { type, message, details } = error instanceof Refusal ? error : new Refusal("server", "Internal error");
  const { provider_name } = details;
  return {
    type: "error",
    error: {
      code: String(errorStatus[type]),
      message,
      type: publicErrorType(type),
      metadata: {
        request_id: context.call.requestId,
        ...(typeof provider_name === "string" && { provider_name }),
      },
    },
  };
}
