import { expect, it } from "vitest";
import { CreateKeyBody } from "#contract/keys.ts";
import { fieldIn, placeIssues, schemaProblems } from "./problems.ts";

const fieldOf = { limit_reset: "reset" };
const labels = { name: "Name", reset: "Reset", limit: "Limit" };

it("words the schema's objections for the field that has them", () => {
  const problems = schemaProblems(CreateKeyBody, { name: " ", limit: -1 }, fieldOf, labels);
  expect(problems).toEqual({ name: "Name must have at least one character", limit: "Limit must be 0 or more" });
  expect(schemaProblems(CreateKeyBody, { name: "a" }, fieldOf, labels)).toEqual({});
  expect(schemaProblems(null, undefined, fieldOf, labels)).toEqual({});
});

it("puts the server's issues on their fields and keeps the others", () => {
  const issues = [
    { path: "limit_reset", message: "must be daily, weekly or monthly" },
    { path: "name", message: "Another key has this name." },
    { path: "name", message: "second, not shown" },
    { path: "creator_user_id", message: "must name a member" },
    { path: "", message: "The body is too large." },
  ];
  expect(placeIssues(issues, fieldIn(fieldOf, labels))).toEqual({
    placed: { reset: "Reset must be daily, weekly or monthly", name: "Another key has this name." },
    rest: ["creator_user_id: must name a member", "The body is too large."],
  });
});
