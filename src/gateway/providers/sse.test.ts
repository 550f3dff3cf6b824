import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { NoRoom } from "../memory-budget.ts";
import type { Turn } from "../turns.ts";
import { EventSplitter, readServerSentEvents } from "./sse.ts";

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

  it("does not let one event grow for ever by lines without text", () => {
    const splitter = new EventSplitter();
    const piece = "data:\n".repeat(10_000);
    expect(() => {
      for (let count = 0; count < 7; count += 1) splitter.push(piece);
    }).toThrow(/more than 65536 lines/);
  });

  it("does not let one event grow for ever", () => {
    const splitter = new EventSplitter();
    const piece = "x".repeat(1024 * 1024);
    expect(() => {
      for (let count = 0; count < 17; count += 1) splitter.push(piece);
    }).toThrow(RangeError);
  });
});

describe("readServerSentEvents", () => {
  /** A turn whose slice is used up after so many looks at it. */
  function turnOf(looks: number, refuse = false) {
    const taken = { looks: 0, turns: 0 };
    const turn: Turn = {
      owner: "a key",
      begin: () => {},
      isOver: () => (taken.looks += 1) % looks === 0,
      next: async () => {
        taken.turns += 1;
        if (refuse) throw new Error("too much is waiting");
      },
    };
    return { turn, taken };
  }
  async function* inPieces(text: string, bytes: number) {
    const whole = Buffer.from(text);
    for (let from = 0; from < whole.length; from += bytes) yield whole.subarray(from, from + bytes);
  }
  async function read(text: string, bytes: number, turn: Turn) {
    const events = [];
    for await (const event of readServerSentEvents(inPieces(text, bytes), turn)) events.push(event);
    return events;
  }

  it("reads a long event whole, and looks for its end in each character once", async () => {
    const data = "ü€𝒳x".repeat(400_000);
    let searched = 0;
    const split = vi.spyOn(String.prototype, "split").mockImplementation(function (this: string, by) {
      searched += this.length;
      return RegExp.prototype[Symbol.split].call(by as RegExp, this);
    });
    const text = `data: ${data}\r\n\r\ndata: next`;
    const events = await read(text, 65_536, turnOf(1_000).turn).finally(() => split.mockRestore());
    expect(events.map((event) => event.data === data)).toEqual([true, false]);
    expect(events[1]).toEqual({ event: "", data: "next" });
    expect(searched).toBeLessThan(text.length * 2);
  });

  it.each([
    ["events", "data: {}\n\n".repeat(10_000), 10_000],
    ["comments", ":\n".repeat(500_000), 0],
    ["one long line", `data: ${"x".repeat(1_000_000)}`, 1],
  ])("takes turns between %s", async (_, text, count) => {
    const { turn, taken } = turnOf(10);
    expect(await read(text, 131_072, turn)).toHaveLength(count);
    // At least one look for each 16 kB, however large the pieces are.
    expect(taken.looks).toBeGreaterThan(text.length / 16_384);
    expect(taken.turns).toBe(Math.floor(taken.looks / 10));
  });

  it("takes room for an event that grows long, until the next one is asked for", async () => {
    let held = 0;
    const room = {
      take: (bytes: number) => {
        if (held + bytes > 300_000) throw new NoRoom();
        held += bytes;
      },
      give: (bytes: number) => void (held -= bytes),
      giveBack: () => void (held = 0),
    };
    const long = `data: ${"x".repeat(200_000)}\n\n`;
    const pieces = inPieces(`data: a\n\n${long}${long}data: ${"x".repeat(400_000)}\n\n`, 20_000);
    const heldAt: number[] = [];
    const reading = (async () => {
      for await (const { data } of readServerSentEvents(pieces, turnOf(1_000).turn, room)) {
        if (data.length === 1) expect(held).toBe(0);
        heldAt.push(held);
      }
    })();
    await expect(reading).rejects.toThrow(NoRoom);
    expect(heldAt).toHaveLength(3);
    expect(Math.min(...heldAt.slice(1))).toBeGreaterThan(150_000);
    expect(held).toBe(0);
  });

  it("tells how much came that stands in no event before the latest", async () => {
    const unread = { bytes: 0 };
    const body = inPieces(`data: a\n\ndata: bb\n\ndata: ${"x".repeat(1_000)}`, 10_000);
    const seen: [string, number][] = [];
    for await (const { data } of readServerSentEvents(body, turnOf(1_000).turn, null, unread)) {
      seen.push([data.slice(0, 2), unread.bytes - 1_000 - "data: ".length]);
    }
    expect(seen.slice(0, 2)).toEqual([
      ["a", 3],
      ["bb", 2],
    ]);
    const nothing = { bytes: 0 };
    const events = readServerSentEvents(inPieces("nothing\n\n", 4), turnOf(1_000).turn, null, nothing);
    expect((await events.next()).done).toBe(true);
    expect(nothing.bytes).toBe(9);
  });

  it("goes on where so much is waiting that a turn is refused", async () => {
    expect(await read("data: a\n\ndata: b\n\n", 4, turnOf(1, true).turn)).toHaveLength(2);
  });
});
