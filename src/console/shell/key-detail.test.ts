import { expect, it } from "vitest";
import { keyDetail } from "./key-detail.ts";

const now = new Date("2026-11-21T12:00:00Z");
const key = {
  hash: "a",
  name: "prod-search",
  label: "sk-gh-…ulek",
  status: "active" as const,
  workspace_id: "w",
  last_used_at: "2026-11-21T11:55:00Z",
};
const namesake = { ...key, hash: "b", status: "over_limit" as const, last_used_at: null };

it("names the label alone where the name is enough", () => {
  expect(keyDetail(key, [key], undefined, now)).toBe("sk-gh-…ulek");
});

it("tells keys of one name apart by workspace, state and last use", () => {
  expect(keyDetail(key, [key, namesake], "Search", now)).toBe("sk-gh-…ulek, in Search, used 5 min ago");
  expect(keyDetail(namesake, [key, namesake], undefined, now)).toBe("sk-gh-…ulek, over limit, never used");
});
