import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readJsonInTurns } from "./read-json.ts";
import { takeTurns } from "./turns.ts";

const turn = () => takeTurns("test");
const read = async (text: string, most?: number) =>
  await readJsonInTurns(Buffer.from(text), turn(), 100_000, most === undefined ? {} : { most });

/** What JSON.parse says, or null where it refuses. */
function expected(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

async function got(text: string, most: number): Promise<{ value: unknown } | null> {
  try {
    return { value: await read(text, most) };
  } catch (error) {
    expect((error as Error).name).toBe("UnreadableJson");
    return null;
  }
}

/** V8 confuses names with escapes: having parsed {"a\\":1}, it reads {"a\t":1} as {"a\\":1}. */
const hasEscapedName = (text: string) => /\\[^,]*:/.test(text);

describe("reading JSON in turns", () => {
  it("brings what JSON.parse brings, whatever the pieces are", async () => {
    const spaced = fc.constantFrom(undefined, 1, "\t");
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 6 }),
        spaced,
        fc.integer({ min: 1, max: 40 }),
        async (value, gap, most) => {
          const text = JSON.stringify(value, null, gap);
          fc.pre(!hasEscapedName(text));
          expect(await got(text, most)).toEqual(expected(text));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("refuses what JSON.parse refuses", async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'[]{}",:\\ 1tn\u0001é')), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }),
        damage,
        fc.integer({ min: 1, max: 30 }),
        async (value, places, most) => {
          let text = JSON.stringify(value);
          for (const [place, character] of places) {
            const at = place % (text.length + 1);
            text = text.slice(0, at) + character + text.slice(at + (place % 2));
          }
          fc.pre(!hasEscapedName(text));
          expect(await got(text, most)).toEqual(expected(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each(['{"a":1"long"}', '{"a":2.5[1,2]}', '{"a":-{"b":"long"}}', '[1"long"]'])(
    "refuses a number before what is read by itself: %s",
    async (text) => {
      await expect(read(text, 1)).rejects.toThrow(/not valid JSON/);
    },
  );

  it("cuts strings neither in a character nor in an escape", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "日", "👩", "\\", '"', "\n", "\u0001", "\ud83d") });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), fc.boolean(), async (value, most, escaped) => {
        const json = JSON.stringify([value, { a: value }]);
        const wire = escaped
          ? json.replaceAll(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : json;
        expect(await got(wire, most)).toEqual(expected(wire));
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps __proto__ a member, and the last of equal names", async () => {
    const text = `{"a":1,"__proto__":{"polluted":${"1".repeat(50)}},"a":"${"x".repeat(50)}","b":[${"1,".repeat(40)}1]}`;
    const value = (await read(text, 8)) as Record<string, unknown>;
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ["[".repeat(101) + "]".repeat(101), /nested deeper than 100 levels/],
    [`{${Array.from({ length: 10_001 }, (_, at) => `"m${at}":1`).join(",")}}`, /an object of more than 10000 members/],
    [`[${"1,".repeat(100_001)}1]`, /more than 100000 values/],
    [`[1,${" ".repeat(70_000)}1]`, /more than 65536 characters without a value/],
    [`[${`"${"x".repeat(60_000)}",`.repeat(150)}1]`, /more than 5 MB apart from its images/],
    ["[1,2", /not valid JSON/],
    ["", /not valid JSON/],
  ])("refuses what is too much: %#", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("refuses what the engine would put into new memory at once: a list, and a text of wide characters", async () => {
    const readVast = (text: string) =>
      readJsonInTurns(Buffer.from(text), takeTurns("a key"), 10_000_000, { mostBesideLongStrings: 100_000_000 });
    await expect(readVast(`[${"1,".repeat(2_000_001)}1]`)).rejects.toThrow(/a list of more than 2000000 elements/);
    const letters = "a".repeat(16_777_217);
    await expect(readVast(`["${letters}é"]`)).rejects.toThrow(/a text of more than 16777216 characters/);
    expect(await readVast(`["${letters}"]`)).toEqual([letters]);
  });

  it.each([
    ["quotes", '\\"', '"'],
    ["backslashes", "\\\\", "\\"],
  ])("lets others have turns within one string of escaped %s", async (_, escape, character) => {
    let looks = 0;
    let nexts = 0;
    const counting = {
      owner: "test",
      begin: () => {},
      isOver: () => (looks += 1) % 3 === 0,
      next: async () => void (nexts += 1),
    };
    const times = 500_000;
    const bytes = Buffer.from(`{"a":"${escape.repeat(times)}"}`);
    expect(await readJsonInTurns(bytes, counting, 10)).toEqual({ a: character.repeat(times) });
    // A look for each 16 kB; every third says that the slice is over.
    expect(nexts).toBeGreaterThanOrEqual(Math.floor((2 * times) / 16_384 / 3));
  });

  it("reads a long string once that is in several places", async () => {
    const strings = [..."xxxyyx"].map((each) => each.repeat(100_000));
    const bytes = Buffer.from(JSON.stringify(strings));
    const decoding = vi.spyOn(bytes, "toString");
    expect(await readJsonInTurns(bytes, turn(), 100)).toEqual(strings);
    // In two pieces, each time that it is not the one before.
    expect(decoding.mock.calls.filter(([, from = 0, to = 0]) => to - from > 30_000)).toHaveLength(6);
  });

  it("takes one string of 20 MB, and refuses what is no UTF-8", async () => {
    const long = "A".repeat(20_000_000);
    expect(await read(JSON.stringify({ a: [long] }))).toEqual({ a: [long] });
    const bytes = Buffer.concat([Buffer.from(`["${"a".repeat(100_000)}`), Buffer.from([0xff]), Buffer.from('"]')]);
    await expect(readJsonInTurns(bytes, turn(), 10)).rejects.toThrow(/not valid UTF-8/);
  });
});
