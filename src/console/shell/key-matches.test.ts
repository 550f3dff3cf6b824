import { expect, it } from "vitest";
import { closestFirst, isOfWorkspace } from "./key-matches.ts";

const key = (name: string, workspace_id = "ws-1") => ({ name, label: "sk-gh-v1-abc...wxyz", hash: "0", workspace_id });

it("lists the key of exactly this name first, then those that begin with it", () => {
  const keys = ["unlimited", "limited-2", "Limited", "a limited one"].map((name) => key(name));
  expect(closestFirst(keys, "limited").map(({ name }) => name)).toEqual([
    "Limited",
    "limited-2",
    "unlimited",
    "a limited one",
  ]);
});

it("takes no key for another workspace's where all workspaces are shown", () => {
  expect(isOfWorkspace(key("a"), "all")).toBe(true);
  expect(isOfWorkspace(key("a"), undefined)).toBe(true);
  expect(isOfWorkspace(key("a"), "ws-1")).toBe(true);
  expect(isOfWorkspace(key("a"), "ws-2")).toBe(false);
});
