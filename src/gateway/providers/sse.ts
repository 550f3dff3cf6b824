import type { Room } from "../memory-budget.ts";
import type { Turn } from "../turns.ts";
import type { ServerSentEvent } from "./provider.ts";

/** No vendor's event comes near this, even with an image in it; a stream without line ends must not grow. */
const longestEvent = 16 * 1024 * 1024;
/** An event's lines are put together in one go; vendors write one, or one for each member. */
const mostLines = 65_536;
/** Bytes that are split in one go: at worst, eight thousand lines. */
const splitAtOnce = 16_384;
/** The size from which an unfinished event takes room. */
const freelyHeld = 65_536;

/**
 * Reads a body as server-sent events, in turns.
 * @param room the budget for an event that grows long, until the next one is requested
 * @param unread roughly how much has arrived that belongs to no event before the latest
 * @throws RangeError when one event exceeds 16 MB or 65,536 lines; NoRoom
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
  turn: Turn,
  room: Room | null = null,
  unread: { bytes: number } = { bytes: 0 },
): AsyncGenerator<ServerSentEvent, void, void> {
  const splitter = new EventSplitter();
  const decoder = new TextDecoder();
  let held = 0;
  turn.begin();
  try {
    for await (const piece of body) {
      // Pieces that are there already come without a pause, so a slice goes on from one to the next.
      for (let from = 0; from < piece.length; from += splitAtOnce) {
        const to = Math.min(from + splitAtOnce, piece.length);
        const text = decoder.decode(piece.subarray(from, to), { stream: true });
        unread.bytes += to - from;
        const events = splitter.push(text);
        let waiting = events.reduce((sum, { data }) => sum + data.length, piece.length - to);
        for (const event of events) {
          unread.bytes = waiting + splitter.holds;
          yield event;
          waiting -= event.data.length;
          if (turn.isOver()) await pause(turn);
        }
        if (events.length > 0) unread.bytes = splitter.holds;
        const holds = splitter.holds > freelyHeld ? splitter.holds : 0;
        if (holds > held) room?.take(holds - held);
        else room?.give(held - holds);
        held = holds;
        if (turn.isOver()) await pause(turn);
      }
    }
    // A last event without an empty line after it.
    yield* splitter.push("\n\n");
  } finally {
    room?.give(held);
  }
}

/** A stream that has begun continues under load: the vendor bills it anyway. */
async function pause(turn: Turn): Promise<void> {
  await turn.next().catch(() => new Promise((resolve) => void setImmediate(resolve)));
}

/**
 * Splits a server-sent event stream as the WHATWG standard says (§9.2.6): LF, CR LF or CR end a line, comments are
 * dropped, an empty line ends an event, an event without data is none. Feed it text as it arrives.
 * @throws RangeError when one event exceeds 16 MB or 65,536 lines
 */
export class EventSplitter {
  /** pieces of an unfinished line; a list, so that a long line is joined once */
  private rest: string[] = [];
  private restLength = 0;
  private data: string[] = [];
  private size = 0;
  private event = "";
  private started = false;
  /** The text ended with a CR, which may be half of a CR LF. */
  private afterCr = false;

  push(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    if (text === "") return events;
    const skipped = this.started ? this.afterCr && text.startsWith("\n") : text.startsWith("\uFEFF");
    this.started = true;
    this.afterCr = text.endsWith("\r");
    const lines = text.slice(skipped ? 1 : 0).split(/\r\n?|\n/);
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      // Joined once: a long line that is put together in two steps is copied twice.
      this.line(this.rest.length === 0 ? line : [...this.rest, line].join(""), events);
      this.rest = [];
      this.restLength = 0;
    }
    if (rest !== "") this.rest.push(rest);
    this.restLength += rest.length;
    if (this.holds > longestEvent) throw new RangeError("a stream event is longer than 16 MB");
    return events;
  }

  /** characters of an event that has not ended */
  get holds(): number {
    return this.restLength + this.size;
  }

  private line(line: string, events: ServerSentEvent[]): void {
    if (line === "") {
      if (this.data.length > 0) events.push({ event: this.event, data: this.data.join("\n") });
      this.data = [];
      this.size = 0;
      this.event = "";
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "event") this.event = value;
    if (name !== "data") return;
    if (this.data.length >= mostLines) throw new RangeError(`a stream event has more than ${mostLines} lines`);
    this.data.push(value);
    this.size += value.length;
  }
}
