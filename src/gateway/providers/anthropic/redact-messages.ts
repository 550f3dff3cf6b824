import { isObject, type JsonObject } from "../answer.ts";
import type { PassedEvent, PassedRedaction, Upstream } from "../provider.ts";
import { formsOf } from "../redact.ts";
import { mostChannels, PiecewiseText, entryName } from "../redact-stream.ts";

/** A text of one block that comes in pieces: its text, its thinking, its input. */
interface Channel {
  readonly text: PiecewiseText;
  readonly member: string;
  /** of the block, as the vendor numbers it */
  readonly index: unknown;
  /** of the delta that it came in */
  type: unknown;
}

/** Members of a block's start that the deltas continue. */
const begun = new Set(["text", "thinking"]);
const endsAll = new Set<unknown>(["message_delta", "message_stop", "error"]);

/**
 * Redacts a key that a vendor repeats in pieces over several events of a stream that is passed on; what one event
 * repeats alone is redacted before. All other events stay as they are.
 */
export class MessagesRedactor implements PassedRedaction {
  private readonly channels = new Map<string, Channel>();
  private readonly isOff: boolean;
  private readonly upstream: Upstream;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
    this.isOff = formsOf(upstream).length === 0;
  }

  /** Before the end of a block comes what was held back of it. */
  pass(event: JsonObject): readonly PassedEvent[] {
    if (this.isOff) return [{ event, isChanged: false }];
    const { type, index } = event;
    if (type === "content_block_stop") return [...this.rest((channel) => channel.index === index), asItIs(event)];
    if (endsAll.has(type)) return [...this.rest(() => true), asItIs(event)];
    const member = isObject(event["delta"]) ? "delta" : "content_block";
    const holder = event[member];
    if (!isObject(holder)) return [asItIs(event)];
    let isChanged = false;
    const clean: JsonObject = {};
    for (const [name, value] of Object.entries(holder)) {
      const isWatched = name !== "type" && (member === "delta" || begun.has(name));
      clean[name] = typeof value === "string" && isWatched ? this.push(value, name, index, holder["type"]) : value;
      isChanged ||= clean[name] !== value;
    }
    return isChanged ? [{ event: { ...event, [member]: clean }, isChanged }] : [asItIs(event)];
  }

  private push(piece: string, member: string, index: unknown, type: unknown): string {
    const name = `${entryName(index)} ${member}`;
    const known = this.channels.get(name);
    if (known === undefined && this.channels.size >= mostChannels) return piece;
    const channel = known ?? { text: new PiecewiseText(this.upstream), member, index, type };
    channel.type = type;
    this.channels.set(name, channel);
    return channel.text.push(piece, false);
  }

  private rest(isOver: (channel: Channel) => boolean): PassedEvent[] {
    const made: PassedEvent[] = [];
    for (const [name, channel] of this.channels) {
      if (!isOver(channel)) continue;
      this.channels.delete(name);
      const { text, member, index, type } = channel;
      const left = text.push("", true);
      if (left === "") continue;
      const delta = { type: deltas[member] ?? type, [member]: left };
      made.push({ event: { type: "content_block_delta", index, delta }, isChanged: true });
    }
    return made;
  }
}

/** The delta for a text that a block's start began. */
const deltas: Readonly<Record<string, string>> = { text: "text_delta", thinking: "thinking_delta" };

const asItIs = (event: JsonObject): PassedEvent => ({ event, isChanged: false });
