import type { ServerSentEvent } from "./provider.ts";

/** No vendor's event comes near this; a stream without an end of line is not let grow. */
const longestEvent = 16 * 1024 * 1024;

/**
 * Splits a server-sent event stream as the WHATWG standard says (§9.2.6): LF, CR LF or CR end a line, comments are
 * dropped, an empty line ends an event, an event without data is none. Feed it text as it arrives.
 * @throws RangeError when one event exceeds 16 MB
 */
export class EventSplitter {
  private rest = "";
  private data: string[] = [];
  private size = 0;
  private event = "";
  private started = false;

  push(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    let buffer = this.rest + text;
    if (!this.started && buffer !== "") {
      this.started = true;
      if (buffer.startsWith("\uFEFF")) buffer = buffer.slice(1);
    }
    let from = 0;
    for (;;) {
      const end = endOfLine(buffer, from);
      if (end === -1) break;
      // A CR that ends the text may be half of a CR LF.
      if (buffer[end] === "\r" && end === buffer.length - 1) break;
      this.line(buffer.slice(from, end), events);
      from = end + (buffer[end] === "\r" && buffer[end + 1] === "\n" ? 2 : 1);
    }
    this.rest = buffer.slice(from);
    if (this.rest.length + this.size > longestEvent) throw new RangeError("a stream event is longer than 16 MB");
    return events;
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
    this.data.push(value);
    this.size += value.length;
  }
}

function endOfLine(text: string, from: number): number {
  const lf = text.indexOf("\n", from);
  const cr = text.indexOf("\r", from);
  if (lf === -1) return cr;
  return cr === -1 ? lf : Math.min(lf, cr);
}
