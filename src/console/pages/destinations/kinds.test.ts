import { describe, expect, it } from "vitest";
import { fieldHint } from "./field-hints.ts";
import { readHashes } from "./hashes.ts";
import { keyHelp, placeholderOf } from "./kind-help.ts";
import { allKinds, formMembers } from "./kinds.ts";
import { parseEnv } from "./parse-env.ts";

describe.each(allKinds)("%s", (kind) => {
  const fields = formMembers(kind).filter(([, { form }]) => form !== "headers" && form !== "choice");

  it("says where its key is found, and has an example for every field that passes for no secret", () => {
    const { where, page, pageTitle } = keyHelp(kind);
    expect(where).toMatch(/^[A-Z].{20,170}\.$/);
    expect(new URL(page).protocol).toBe("https:");
    expect(pageTitle).toMatch(/^[A-Z]/);
    for (const [name, member] of fields) {
      const example = placeholderOf(kind, name, member) ?? "";
      expect(example, name).not.toBe("");
      if (member.secret) expect(example, name).toContain("…");
      else if (member.form === "url" || member.form === "host") expect(new URL(example).pathname, name).toBeTruthy();
      else expect(example, name).toMatch(member.pattern?.test ?? /^[^…]+$/);
    }
  });
});

const at = new Date("2027-02-03T04:05:06Z");
const path = "/{prefix}/{year}-{month}/../{hour}/{apiKeyName}";
it.each([
  [{}, true, "goes into openrouter-traces/2027-02-03/gen-….jsonl."],
  [{ prefix: "calls", pathTemplate: path }, true, "goes into calls/2027-02/04/prod-search/gen-….jsonl."],
  [{ pathTemplate: "{apiKeyName}" }, false, "goes into unknown/gen-….jsonl."],
  [{ pathTemplate: "{prefix}/{team}" }, true, "{team} is not a placeholder and stays as is."],
])(
  "the hint of a field shows where an object goes, from what is typed: %j, with names: %s",
  (config, broadcast_generation_identity, words) =>
    expect(fieldHint("s3", "pathTemplate", { config, broadcast_generation_identity }, at)).toContain(words),
);

it("the hint of a field names defaults as the table of the kinds has them", () => {
  const named = allKinds.flatMap((kind) =>
    formMembers(kind).flatMap(([name, member]) => {
      const hint = fieldHint(kind, name, { config: {}, broadcast_generation_identity: true }, at) ?? "";
      const said = /Default: (https:\/\/[^ ]+)\./.exec(hint)?.[1];
      return said === undefined ? [] : [{ field: `${kind}.${name}`, said, is: member.default }];
    }),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ said, is }) => said !== is)).toEqual([]);
});

const langfuse = 'LANGFUSE_SECRET_KEY="sk-lf-1"\nexport LANGFUSE_PUBLIC_KEY=pk-lf-1\nOTHER=x\n';
const s3 = "AWS_ACCESS_KEY_ID=AK\nAWS_SECRET_ACCESS_KEY=SK\nAWS_REGION='eu-west-1'";
const json = '{"baseUrl": "https://l.example.com", "secretKey": "sk", "n": 1}';
it.each([
  ["the lines of an environment file", "langfuse", langfuse, { secretKey: "sk-lf-1", publicKey: "pk-lf-1" }],
  ["those of another kind's", "s3", s3, { accessKeyId: "AK", secretAccessKey: "SK", region: "eu-west-1" }],
  ["an object of JSON", "langfuse", json, { baseUrl: "https://l.example.com", secretKey: "sk" }],
  ["no more than one value", "langfuse", "sk-lf-1", {}],
  ["no variable of another name", "langfuse", "SECRET_KEY=sk-lf-1", {}],
  ["no broken JSON", "langfuse", '{"secretKey": ', {}],
  ["no sentence", "langfuse", "a = b", {}],
] as const)("a paste is read as %s", (_, kind, text, values) => {
  const fields = Object.entries(parseEnv(text, formMembers(kind)));
  expect(Object.fromEntries(fields.map(([name, field]) => [name, field.text]))).toEqual(values);
});

it("finds hashes between anything, each once, apart from those that are listed, and cuts what is none short", () => {
  const [a, b] = ["a".repeat(64), "b".repeat(64)];
  const found = { fresh: [a, b], repeated: 0, wrong: ["nonsense"] };
  expect(readHashes(`["${a}", "${b}"]\n${a.toUpperCase()}; nonsense`, [])).toEqual(found);
  expect(readHashes(`${a} ${b} ${"c".repeat(63)}`, [b])).toEqual({ fresh: [a], repeated: 1, wrong: ["cccccccccccc…"] });
  expect(readHashes("", [a])).toEqual({ fresh: [], repeated: 0, wrong: [] });
});
