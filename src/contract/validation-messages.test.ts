import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { EmbeddingsBody } from "./embeddings.ts";
import { fieldIssues, sentence, wordIssues } from "./validation-messages.ts";
import { CreateKeyBody, listKeys } from "./keys.ts";
import { createSession } from "./session.ts";

wordIssues();

function issuesOf(schema: z.core.$ZodType, value: unknown) {
  const result = z.safeParse(schema, value);
  return fieldIssues(result.error?.issues ?? []);
}

describe("fieldIssues", () => {
  it.each([
    [CreateKeyBody, {}, "name is required"],
    [CreateKeyBody, [], "The body must be an object"],
    [CreateKeyBody, { name: 3 }, "name must be a string"],
    [CreateKeyBody, { name: " " }, "name must have at least one character"],
    [CreateKeyBody, { name: "a", limit: "5" }, "limit must be a number"],
    [CreateKeyBody, { name: "a", limit: -1 }, "limit must be 0 or more"],
    [CreateKeyBody, { name: "a", limit_reset: "yearly" }, "limit_reset must be one of daily, weekly, monthly"],
    [CreateKeyBody, { name: "a", colour: "red" }, "colour is not a member that can be given here"],
    [
      CreateKeyBody,
      { name: "a", expires_at: "2027-01-01T00:00:00+02:00" },
      "expires_at must be in UTC: end it with Z, other time zones are refused",
    ],
    [listKeys.query, { limit: "101" }, "limit must be at most 100"],
    [EmbeddingsBody, { model: "m" }, "input is required"],
    [EmbeddingsBody, { model: "m", input: [] }, "input must have at least 1 element"],
    [EmbeddingsBody, { model: "m", input: ["a", 3] }, "input.1 must be a string"],
    [EmbeddingsBody, { model: "m", input: [{ content: [{ type: "text" }] }] }, "input.0.content.0.text is required"],
    [createSession.body, {}, "management_key is required"],
  ] as const)("words a wrong place: %#", (schema, value, expected) =>
    expect(sentence(issuesOf(schema, value), "The body")).toBe(expected),
  );

  it("has a place for each unknown member", () =>
    expect(issuesOf(CreateKeyBody, { name: "a", b: 1, c: 2 }).issues.map((issue) => issue.path)).toEqual(["b", "c"]));

  it("says how many more there are", () =>
    expect(sentence(issuesOf(CreateKeyBody, { limit: true, b: 1 }), "The body")).toBe("name is required (and 2 more)"));

  it("lists twenty places, and counts the others", () => {
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`m${at}`, 1]));
    const found = issuesOf(CreateKeyBody, { name: "a", ...unknown });
    expect([found.issues.length, found.total]).toEqual([20, 50_000]);
    expect(sentence(found, "The body")).toBe("m0 is not a member that can be given here (and 49999 more)");
  });

  it("cuts a member's name that is endless", () => {
    const [issue] = issuesOf(CreateKeyBody, { name: "a", ["x".repeat(100_000)]: 1 }).issues;
    expect(issue?.path).toBe(`${"x".repeat(200)}…`);
  });
});
