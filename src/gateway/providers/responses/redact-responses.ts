import type { JsonObject } from "../answer.ts";
import type { PassedEvent, PassedRedaction, Upstream } from "../provider.ts";
import { formsOf } from "../redact.ts";
import { mostChannels, PiecewiseText, entryName } from "../redact-stream.ts";

/** A text that comes in pieces: of a part, of a thought, of a tool's arguments. */
interface Channel {
  readonly text: PiecewiseText;
  /** the event that brought the last piece */
  last: JsonObject;
}

const delta = ".delta";
const done = ".done";
const endsAll = /^(?:response\.(?:completed|incomplete|failed|cancelled)|error)$/;

/**
 * Redacts a key that a vendor repeats in pieces over several events of a stream that is passed on; what one event
 * repeats alone is redacted before. All other events stay as they are.
 */
export class ResponsesRedactor implements PassedRedaction {
  private readonly channels = new Map<string, Channel>();
  private readonly isOff: boolean;
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
    this.isOff = formsOf(upstream).length === 0;
  }

  /** Before the end of a text comes what was held back of it. */
  pass(event: JsonObject): readonly PassedEvent[] {
    const type = typeof event["type"] === "string" ? event["type"] : "";
    if (this.isOff) return [asItIs(event)];
    if (type.endsWith(delta) && typeof event["delta"] === "string") return [this.push(event, type, event["delta"])];
    if (type.endsWith(done)) return [...this.rest(channelOf(event, type.slice(0, -done.length))), asItIs(event)];
    if (!endsAll.test(type)) return [asItIs(event)];
    return [...[...this.channels.keys()].flatMap((name) => this.rest(name)), asItIs(event)];
  }

  private push(event: JsonObject, type: string, piece: string): PassedEvent {
    const name = channelOf(event, type.slice(0, -delta.length));
    const known = this.channels.get(name);
    if (known === undefined && this.channels.size >= mostChannels) return asItIs(event);
    const channel = known ?? { text: new PiecewiseText(this.upstream), last: event };
    channel.last = event;
    this.channels.set(name, channel);
    const passed = channel.text.push(piece, false);
    return passed === piece ? asItIs(event) : withPiece(event, passed);
  }

  private rest(name: string): PassedEvent[] {
    const channel = this.channels.get(name);
    if (channel === undefined) return [];
    this.channels.delete(name);
    const left = channel.text.push("", true);
    return left === "" ? [] : [withPiece(channel.last, left)];
  }
}

function channelOf({ output_index: item, content_index: part, summary_index: summary }: JsonObject, kind: string) {
  return `${kind} ${entryName(item)} ${entryName(part)} ${entryName(summary)}`;
}

/** The tokens' probabilities spell what was hidden. */
function withPiece(event: JsonObject, piece: string): PassedEvent {
  const tokens = event["logprobs"] === undefined ? {} : { logprobs: [] };
  return { event: { ...event, delta: piece, ...tokens }, isChanged: true };
}

const asItIs = (event: JsonObject): PassedEvent => ({ event, isChanged: false });
