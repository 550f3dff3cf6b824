/**
 * Reads a `text/event-stream` piece by piece, however it was cut: gives the data of each event that is complete.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function eventReader(): (piece: string) => string[] {
  let rest = "";
  let data: string[] = [];
  return (piece) => {
    const text = rest + piece;
    // a carriage return at the end may be half of a line's end
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + text.slice(whole.length);
    const events: string[] = [];
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      if (line !== "" || data.length === 0) continue;
      events.push(data.join("\n"));
      data = [];
    }
    return events;
  };
}
