import fc from "fast-check";
import { expect, it } from "vitest";
import { takeTurns } from "./turns.ts";
import { writeJsonInTurns } from "./write-json.ts";

const written = async (value: unknown) =>
  Buffer.concat([...(await writeJsonInTurns(value, takeTurns("test")))]).toString();

it("writes what JSON.stringify writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
      expect(await written(value)).toBe(JSON.stringify(value));
    }),
  );
});

it("writes long lists, long members and what is deep in them as JSON.stringify does", async () => {
  const small = (at: number) => ({ token: `t${at}`, logprob: -at / 7, top: [at, null, "\u2028", { a: [] }] });
  const list = Array.from({ length: 5_000 }, (_, at) =>
    at % 997 === 0 ? Array.from({ length: 3_000 }, small) : small(at),
  );
  const members = Object.fromEntries(list.slice(0, 2_500).map((each, at) => [`m "${at}`, each]));
  for (const value of [
    list,
    members,
    { list: [list.slice(1, 1_500)], members },
    ["x".repeat(70_000), "y"],
    [[], list],
  ]) {
    expect(await written(value)).toBe(JSON.stringify(value));
  }
});

it("leaves out members that are undefined, and cuts no character of a long string", async () => {
  const value = { a: undefined, long: `x${"👩".repeat(100_000)}`, more: [{}, []] };
  expect(JSON.parse(await written(value))).toEqual({ long: value.long, more: [{}, []] });
});
