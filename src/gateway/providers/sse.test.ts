import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventSplitter } from "./sse.ts";

const all = (text: string) => new EventSplitter().push(text);

describe("EventSplitter", () => {
  it.each([
    ["data: a\n\n", [{ event: "", data: "a" }]],
    ["data:a\r\n\r\n", [{ event: "", data: "a" }]],
    ["data: a\r\rx", [{ event: "", data: "a" }]],
    ["event: ping\ndata: {}\n\n", [{ event: "ping", data: "{}" }]],
    ["data: a\ndata: b\n\n", [{ event: "", data: "a\nb" }]],
    [": comment\n\n", []],
    ["event: no data\n\n", []],
    ["\uFEFFdata: a\n\n", [{ event: "", data: "a" }]],
    ["data\n\n", [{ event: "", data: "" }]],
    ["id: 1\nretry: 5\ndata: a\n\n", [{ event: "", data: "a" }]],
    ["data: a\n", []],
  ])("%j", (text, events) => {
    expect(all(text)).toEqual(events);
  });

  it("reads the same events however the text is cut", () => {
    const line = fc.constantFrom("data: a", "data:b", "event: x", ": hi", "", "data: ü€𝒳", "id: 7");
    const end = fc.constantFrom("\n", "\r\n");
    const text = fc
      .array(
        fc.tuple(line, end).map((parts) => parts.join("")),
        { maxLength: 30 },
      )
      .map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 20 }), (whole, cuts) => {
        const splitter = new EventSplitter();
        const events = [];
        let from = 0;
        for (const cut of [...cuts, whole.length]) {
          events.push(...splitter.push(whole.slice(from, from + cut)));
          from += cut;
        }
        expect(events).toEqual(all(whole));
      }),
    );
  });

  it("does not let one event grow for ever", () => {
    const splitter = new EventSplitter();
    const piece = "x".repeat(1024 * 1024);
    expect(() => {
      for (let count = 0; count < 17; count += 1) splitter.push(piece);
    }).toThrow(RangeError);
  });
});
