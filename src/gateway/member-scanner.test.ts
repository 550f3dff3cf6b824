import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemberScanner, TooLongJson } from "./member-scanner.ts";
import { UnreadableJson } from "./read-json.ts";

/** What a scanner finds of a text that comes in pieces of this many bytes. */
function scan(text: string, size: number, options: { mostMember?: number; mostElement?: number } = {}) {
  const scanner = new MemberScanner({ list: "list", mostMember: 1_000, mostElement: 1_000, ...options });
  const bytes = Buffer.from(text);
  const found = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...scanner.push(bytes.subarray(at, at + size)));
  scanner.end();
  return found.map(({ name, index, value }) => [name, index, value.toString("utf8")] as const);
}

describe("the members of an object that comes in pieces", () => {
  it.each([1, 2, 3, 7, 1_000])("are found, and the elements of its list one by one, %i bytes at a time", (size) => {
    const text = ' { "a" : 1 , "b":"x\\"}\\\\", "list" : [ {"c":[1,"]"]} , 2,"\\\\" ,null ] ,"\\u0064":{"list":[1]} } ';
    expect(scan(text, size)).toEqual([
      ["a", null, "1"],
      ["b", null, '"x\\"}\\\\"'],
      ["list", 0, '{"c":[1,"]"]}'],
      ["list", 1, "2"],
      ["list", 2, '"\\\\"'],
      ["list", 3, "null"],
      ["d", null, '{"list":[1]}'],
    ]);
    expect(scan("{}", size)).toEqual([]);
    expect(scan('{"list":[]}', size)).toEqual([]);
    expect(scan('{"list":1}', size)).toEqual([["list", null, "1"]]);
  });

  it("are those of any JSON, however it is cut", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (members, list, size) => {
          const { list: _, ...others } = members;
          const found = scan(JSON.stringify({ ...others, list }, null, size % 3), size, {
            mostMember: 1e6,
            mostElement: 1e6,
          });
          const elements = found.filter(([, index]) => index !== null).map(([, , value]) => JSON.parse(value));
          expect(elements).toEqual(JSON.parse(JSON.stringify(list)));
          const values = found
            .filter(([, index]) => index === null)
            .map(([name, , value]) => [name, JSON.parse(value)]);
          expect(values).toEqual(Object.entries(JSON.parse(JSON.stringify(others))));
        },
      ),
    );
  });

  it.each([
    "",
    "[]",
    "1",
    "{",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    '{"list":[1',
    '{"list":[1,]}',
    '{"list":[,]}',
    "{} 1",
    "{a:1}",
    '{"a":1}}',
  ])("that are no JSON are refused: %s", (text) => {
    for (const size of [1, 100]) expect(() => scan(text, size)).toThrow(UnreadableJson);
  });

  it("that are too long are refused before they are whole", () => {
    const scanner = new MemberScanner({ list: "list", mostMember: 10, mostElement: 20 });
    expect(() => scanner.push(Buffer.from(`{"a":"${"b".repeat(11)}`))).toThrow(TooLongJson);
    expect(() => scan(`{"list":["${"b".repeat(30)}"]}`, 4, { mostElement: 20 })).toThrow(
      expect.objectContaining({ member: "list", index: 0 }) as Error,
    );
    expect(() => scan(`{"${"b".repeat(2_000)}":1}`, 100)).toThrow(TooLongJson);
  });
});
