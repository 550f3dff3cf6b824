import { describe, expect, it } from "vitest";
import { leadsElsewhere, pastedAssignment, secretDraft, secretMember, secretProblem } from "./secret.ts";

const mask = "sk-l...AbCd";
const body = (draft: Parameters<typeof secretMember>[0]) => JSON.stringify({ api_key: secretMember(draft) });

describe("the member that is sent", () => {
  it("is absent where the stored secret is kept", () => expect(body(secretDraft(mask))).toBe("{}"));

  it("is absent where there is none and none was typed", () => expect(body(secretDraft(null))).toBe("{}"));

  it("is null where it is removed, even after something was typed", () =>
    expect(body({ state: "removed", text: "sk-new" })).toBe('{"api_key":null}'));

  it("is what was typed, without the spaces that pasting brings", () =>
    expect(body({ state: "typed", text: " sk-new\n" })).toBe('{"api_key":"sk-new"}'));
});

describe("a typed secret", () => {
  it.each([mask, "sk-l…AbCd", "••••••••", "...", "ab...yz"])("%s looks like a mask", (text) =>
    expect(secretProblem({ state: "typed", text }, mask)).toMatch(/masked value/),
  );

  it("may hold three dots", () =>
    expect(secretProblem({ state: "typed", text: "sk-one...two-three-four" }, mask)).toBeNull());

  it("has to be there when it replaces one, or when it is required", () => {
    expect(secretProblem({ state: "typed", text: " " }, mask)).toMatch(/keep the current/);
    expect(secretProblem(secretDraft(null), null)).toBeNull();
    expect(secretProblem(secretDraft(null), null, true)).toMatch(/Enter the secret/);
  });

  it("is not asked for while the stored one is kept or removed", () => {
    expect(secretProblem(secretDraft(mask), mask, true)).toBeNull();
    expect(secretProblem({ state: "removed", text: "" }, mask)).toBeNull();
  });
});

describe("another host", () => {
  it.each([
    ["https://api.example.com/v1", "https://api.example.org/v1", true],
    ["https://api.example.com/v1", "https://api.example.com:8443/v1", true],
    ["https://api.example.com/v1", "https://API.example.com/v2", false],
    ["https://api.example.com/v1", "not an address", false],
    [null, "https://api.example.com/v1", false],
  ])("from %s to %s: %s", (before, after, elsewhere) => expect(leadsElsewhere(before, after)).toBe(elsewhere));
});

describe("a pasted line of an environment file", () => {
  it.each(["OPENAI_API_KEY=sk-1234", ' export OPENAI_API_KEY="sk-1234"\n', "OPENAI_API_KEY='sk-1234'"])(
    "%s",
    (text) => {
      expect(pastedAssignment(text)).toEqual({ name: "OPENAI_API_KEY", value: "sk-1234" });
    },
  );

  it.each(["sk-1234", "c2VjcmV0==", "KEY=two words"])("is not seen in %s", (text) =>
    expect(pastedAssignment(text)).toBeNull(),
  );
});
