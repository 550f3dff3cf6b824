import { expect, it } from "vitest";
import { parsePerMinute, perMinuteOf, rateProblems } from "./per-minute.ts";
import { leadsElsewhere, pastedAssignment, secretDraft, secretMember, secretProblem } from "./secret.ts";
import { parseUsd, usdText } from "./usd.ts";

it("an amount is read as it is typed, shown with its cents, and read as itself again", () => {
  const typed = ["5", "5.00", "$1,234.5", " $ 1 234.50 ", "0", ".5", "5.", "007", "0.000125", "1,000,000,000"];
  const amounts = [5, 5, 1234.5, 1234.5, 0, 0.5, 5, 7, 0.000125, 1_000_000_000];
  const texts = "5.00 5.00 1234.50 1234.50 0.00 0.50 5.00 7.00 0.000125 1000000000.00".split(" ");
  const read = amounts.map((usd, at) => ({ usd, text: texts[at] }));
  expect([typed.map(parseUsd), texts.map(parseUsd), amounts.map(usdText)]).toEqual([read, read, texts]);
  expect(parseUsd("0.000000001")).toEqual({ usd: 0.000000001, text: "0.000000001" });
});

it.each([
  [/Enter an amount/, ["", "$"]],
  [/cannot be negative/, ["-1", "\u22125"]],
  [/without an exponent/, ["1e3"]],
  [/point for cents/, ["1,23", "1.234,50"]],
  [/such as 50/, ["1.2.3", ".", "five", "Infinity"]],
  [/nine decimals/, ["0.0000000001"]],
  [/At most/, ["1000000000.01"]],
])("an amount is refused with %s: %j", (why, amounts) => {
  for (const typed of amounts) expect(parseUsd(typed)).toEqual({ problem: expect.stringMatching(why) });
});

it.each([
  ["", null],
  ["600", 600],
  [" 1,000,000 ", 1_000_000],
])("a rate %j is read", (typed, rate) => expect(parsePerMinute(typed)).toEqual({ rate }));

it.each(["0", "-5", "1.5", "10,00", "many", "1000000001"])("a rate %j is refused at its field", (typed) => {
  expect(parsePerMinute(typed)).toHaveProperty("problem");
  expect(perMinuteOf(typed)).toBeNull();
  expect(Object.keys(rateProblems({ requests: typed, tokens: "5" }))).toEqual(["requests"]);
});

const mask = "sk-l...AbCd";
const typed = (text: string) => ({ state: "typed", text }) as const;
const removed = { state: "removed", text: "" } as const;

it.each([
  ["absent where the stored secret is kept", secretDraft(mask), "{}"],
  ["absent where there is none and none was typed", secretDraft(null), "{}"],
  ["null where it is removed, even after something was typed", { ...removed, text: "sk-new" }, '{"api_key":null}'],
  ["what was typed, without the spaces that pasting brings", typed(" sk-new\n"), '{"api_key":"sk-new"}'],
])("the member sent is %s", (_, draft, body) => expect(JSON.stringify({ api_key: secretMember(draft) })).toBe(body));

it.each([mask, "sk-l…AbCd", "••••••••", "...", "ab...yz"])("the typed secret %s looks like a mask", (text) =>
  expect(secretProblem(typed(text), mask)).toMatch(/masked value/),
);

it.each([
  ["may hold three dots", typed("sk-one...two-three-four"), mask, false, null],
  ["has to be there when it replaces one", typed(" "), mask, false, /keep the current/],
  ["has to be there when it is required", secretDraft(null), null, true, /Enter the secret/],
  ["is not asked for where none is required", secretDraft(null), null, false, null],
  ["is not asked for while the stored one is kept", secretDraft(mask), mask, true, null],
  ["is not asked for while the stored one is removed", removed, mask, false, null],
])("a typed secret %s", (_, draft, stored, required, problem) =>
  expect(secretProblem(draft, stored, required)).toEqual(problem && expect.stringMatching(problem)),
);

it.each([
  ["https://api.example.com/v1", "https://api.example.org/v1", true],
  ["https://api.example.com/v1", "https://api.example.com:8443/v1", true],
  ["https://api.example.com/v1", "https://API.example.com/v2", false],
  ["https://api.example.com/v1", "not an address", false],
  [null, "https://api.example.com/v1", false],
])("%s to %s is another host: %s", (before, after, elsewhere) => expect(leadsElsewhere(before, after)).toBe(elsewhere));

it("a pasted line of an environment file is read, and seen in nothing else", () => {
  const lines = ["OPENAI_API_KEY=sk-1234", ' export OPENAI_API_KEY="sk-1234"\n', "OPENAI_API_KEY='sk-1234'"];
  const read = { name: "OPENAI_API_KEY", value: "sk-1234" };
  expect(lines.map(pastedAssignment)).toEqual([read, read, read]);
  expect(["sk-1234", "c2VjcmV0==", "KEY=two words"].map(pastedAssignment)).toEqual([null, null, null]);
});
