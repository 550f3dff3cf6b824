import { describe, expect, it } from "vitest";
import { adapters } from "../../providers/registry.ts";
import { BadAnswer } from "../../providers/provider.ts";
import { passThrough } from "./pass-through.ts";
import { checkVector, toBase64 } from "./vectors.ts";

const anything = () => true;
const item = (vector: string, rest = '"object":"embedding","index":0,') => `{${rest}"embedding":${vector}}`;
const answer = (data: string, rest = ',"model":"embed","usage":{"prompt_tokens":2}') =>
  Buffer.from(`{"object":"list","data":[${data}]${rest}}`);
const base64 = `"${toBase64([1, 2, 3, 4])}"`;

describe("an answer's vectors", () => {
  it.each([
    ["float", "[1,2,3,4]"],
    ["float", "[-0.5, 1e-7, 2E+3, 4]"],
    ["base64", base64],
  ] as const)("in %s pass as they came: %s", (format, vector) => {
    const passed = passThrough(answer(item(vector)), 1, format, anything);
    expect(passed).toMatchObject({ dimensions: 4, model: "embed", usage: { promptTokens: 2 } });
    expect(passed?.spans.map(([from, to]) => passed.data.subarray(from, to).toString())).toEqual([vector]);
  });

  // What is no vector at all is found once it is parsed.
  it.each([
    "[1,2,foo,4]",
    "[1,null,3,4]",
    "[]",
    "[1,,3,4]",
    "[1,2,3,4",
    "},,,{{]",
    '"AAAA"',
    '"????????????????"',
    `"${toBase64([1, Number.NaN, 3, 4])}"`,
  ])("do not pass where one is %s", (vector) => {
    for (const format of ["float", "base64"] as const) {
      const body = answer(item(vector));
      const passed = passThrough(body, 1, format, anything);
      // Three numbers are no four, which is for those to say who know how many there should be.
      expect(passed === null || passed.dimensions !== 4).toBe(true);
      if (passed !== null) continue;
      const read = () => adapters["openai-compatible"]?.embeddings?.readAnswer(body.toString(), 1).vectors ?? [];
      expect(() => read().map((each) => checkVector(each))).toThrow(BadAnswer);
    }
  });

  it.each([
    ["is not one for each input", answer(`${item("[1]")},${item("[1]")}`)],
    ["is at another place", answer(item("[1]", '"object":"embedding","index":1,'))],
    ["lacks its place", answer(item("[1]", '"object":"embedding",'))],
    ["lacks what it is", answer(item("[1]", '"index":0,'))],
    ["is in the other format", answer(item(base64))],
    ["is alone", Buffer.from("[1,2,3]")],
    ["is after too much else", answer(item("[1]"), `,"more":"${"x".repeat(5_000)}"`)],
  ])("are parsed where the answer %s", (_, body) => {
    expect(passThrough(body, 1, "float", anything)).toBeNull();
  });

  it("are parsed where vectors have different lengths, or what is around them must not pass", () => {
    const two = answer(`${item("[1,2]")},${item("[1]", '"object":"embedding","index":1,')}`);
    expect(passThrough(two, 2, "float", anything)).toBeNull();
    expect(passThrough(answer(item("[1]")), 1, "float", () => false)).toBeNull();
  });
});
