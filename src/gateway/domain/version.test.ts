import { expect, it } from "vitest";
import { refuseStale, versionOf } from "./version.ts";

it("a version goes by the settings, not by the order in which they were sent or stored", () => {
  const version = versionOf({ name: "a", options: { api_version: "v1", timeout_seconds: 60 }, models: [1, 2] });
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  expect(versionOf({ options: { timeout_seconds: 60, api_version: "v1" }, models: [1, 2], name: "a" })).toBe(version);
  expect(versionOf({ name: "a", options: { api_version: "v1", timeout_seconds: 60 }, models: [2, 1] })).not.toBe(
    version,
  );
  expect(versionOf({ name: "a", options: { api_version: "v1" }, models: [1, 2] })).not.toBe(version);
});

it.each([3, "0f1e2d3c4b5a6978"])("version %s is refused only to callers who know another one", (version) => {
  const updatedAt = new Date("2026-11-24T00:00:00Z");
  const stored = { version, updatedAt };
  for (const known of [null, [`${version}`], ["2", `${version}`]]) refuseStale("destination", known, stored);
  for (const known of [[], ["2"]]) {
    expect(() => refuseStale("destination", known, stored)).toThrow(
      expect.objectContaining({
        type: "conflict",
        message: "The destination was changed by someone else since you read it: read it again",
        details: { current_version: version, updated_at: "2026-11-24T00:00:00.000Z" },
      }),
    );
  }
});
