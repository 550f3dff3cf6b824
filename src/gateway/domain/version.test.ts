import { expect, it } from "vitest";
import { versionOf } from "./version.ts";

it("a version goes by the settings, not by the order in which they were sent or stored", () => {
  const version = versionOf({ name: "a", options: { api_version: "v1", timeout_seconds: 60 }, models: [1, 2] });
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  expect(versionOf({ options: { timeout_seconds: 60, api_version: "v1" }, models: [1, 2], name: "a" })).toBe(version);
  expect(versionOf({ name: "a", options: { api_version: "v1", timeout_seconds: 60 }, models: [2, 1] })).not.toBe(
    version,
  );
  expect(versionOf({ name: "a", options: { api_version: "v1" }, models: [1, 2] })).not.toBe(version);
});
