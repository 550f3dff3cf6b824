import { expect, it } from "vitest";
import { allKinds, formMembers } from "./kinds.ts";
import { fieldHint } from "./field-hints.ts";

const at = new Date("2027-02-03T04:05:06Z");

it("shows where an object goes, from what is typed", () => {
  const hint = (config: Record<string, string>, named = true) =>
    fieldHint("s3", "pathTemplate", { config, broadcast_generation_identity: named }, at);
  expect(hint({})).toContain("goes into openrouter-traces/2027-02-03/gen-….jsonl.");
  expect(hint({ prefix: "calls", pathTemplate: "/{prefix}/{year}-{month}/../{hour}/{apiKeyName}" })).toContain(
    "goes into calls/2027-02/04/prod-search/gen-….jsonl.",
  );
  expect(hint({ pathTemplate: "{apiKeyName}" }, false)).toContain("goes into unknown/gen-….jsonl.");
  expect(hint({ pathTemplate: "{prefix}/{team}" })).toContain("{team} is not a placeholder and stays as is.");
});

it("names defaults as the table of the kinds has them", () => {
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
