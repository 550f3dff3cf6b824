import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countNames, jsonMembers, type MemberChanges, withMembers } from "./json-members.ts";
import { runAtOnce } from "./turns.ts";

const change = (text: string, changes: Record<string, string | null>) => {
  const bytes = Buffer.from(text);
  const map: MemberChanges = new Map(Object.entries(changes));
  return Buffer.concat(withMembers(bytes, runAtOnce(jsonMembers(bytes)), map)).toString();
};

describe("members of an object in its bytes", () => {
  it.each([
    ['{"a":1,"b":2,"c":3}', { b: null }, '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { a: null }, '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { c: null }, '{"a":1,"b":2}'],
    ['{"a":1,"b":2,"c":3}', { a: null, b: null }, '{"c":3}'],
    ['{"a":1,"b":2,"c":3}', { b: null, c: null }, '{"a":1}'],
    ['{"a":1,"b":2}', { a: null, b: null, x: "7" }, '{"x":7}'],
    ['{"a":1}', { a: null }, "{}"],
    ["{}", { x: "1", y: "2" }, '{"x":1,"y":2}'],
    ['{"a":1}', { x: null }, '{"a":1}'],
    [' { "a" : 1.0 ,\n "b" : [ 1e2 , {"a":2} ] } ', { a: '"m"' }, ' { "a" : "m" ,\n "b" : [ 1e2 , {"a":2} ] } '],
    [
      '{"text":"a \\" , \\\\","model":"x","z":{"model":"y"}}',
      { model: '"m"' },
      '{"text":"a \\" , \\\\","model":"m","z":{"model":"y"}}',
    ],
    ['{"\\u006dodel":"x"}', { model: '"m"' }, '{"\\u006dodel":"m"}'],
  ])("%s with %j", (text, changes, expected) => {
    expect(change(text, changes as Record<string, string | null>)).toBe(expected);
  });

  it("changes what it should in any object, and nothing else", () => {
    const names = fc.constantFrom("a", "b", "model", "provider", '"', "é", "");
    const object = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    const changes = fc.dictionary(
      names,
      fc.option(fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value))),
    );
    fc.assert(
      fc.property(object, changes, fc.constantFrom(undefined, 2, "\t"), (value, changes, space) => {
        const text = JSON.stringify(value, null, space);
        const expected: Record<string, unknown> = structuredClone(value);
        for (const [name, to] of Object.entries(changes)) {
          if (to === null) delete expected[name];
          else expected[name] = JSON.parse(to);
        }
        expect(JSON.parse(change(text, changes))).toEqual(JSON.parse(JSON.stringify(expected)));
        const { names } = runAtOnce(jsonMembers(Buffer.from(text)));
        expect(names).toBe(runAtOnce(countNames(JSON.parse(text))));
      }),
      { seed: 20_261_125 },
    );
  });

  it("counts a name that comes twice, which a parsed value has once", () => {
    const text = '{"a":{"b":1,"b":2}}';
    expect(runAtOnce(jsonMembers(Buffer.from(text))).names).toBe(3);
    expect(runAtOnce(countNames(JSON.parse(text)))).toBe(2);
  });
});
