import { describe, expect, it } from "vitest";
import { select } from "./since.ts";

const tests = [
  "setup/since.test.ts",
  "src/contract/money.test.ts",
  "src/gateway/house.test.ts",
  "src/gateway/killed.test.ts",
  "src/gateway/stop.test.ts",
  "src/gateway/relay/chat/chat.test.ts",
  "src/gateway/providers/sse.test.ts",
  "src/gateway/domain/ledger/ledger.test.ts",
  "src/gateway/http/keys.test.ts",
  "src/console/pages/keys/summary.test.ts",
  "src/console/pages/calls/search.test.ts",
  "e2e/sign-in.e2e.ts",
  "e2e/keys-create.e2e.ts",
  "e2e/calls.e2e.ts",
  "e2e/keyboard.e2e.ts",
];
const smoke = ["setup/since.test.ts", "src/contract/money.test.ts", "src/gateway/house.test.ts", "e2e/sign-in.e2e.ts"];
const texts: Record<string, string> = {
  "src/gateway/relay/chat/chat.test.ts": 'import { startFakeVendor } from "../../testing/fake-vendor.ts";',
};
const chosen = (...changed: string[]) => select(changed, tests, (file) => texts[file] ?? "").files;
const beyondSmoke = (...changed: string[]) =>
  [...new Set(chosen(...changed).map(({ file }) => file))].filter((file) => !smoke.includes(file));

describe("the tests since a revision", () => {
  it.each([
    ["a document", ["docs/chat.md"], []],
    [
      "a room of the gateway: its own tests and those of the rooms that import it",
      ["src/gateway/providers/sse.ts"],
      ["src/gateway/relay/chat/chat.test.ts", "src/gateway/providers/sse.test.ts", "src/gateway/http/keys.test.ts"],
    ],
    [
      "a room whose program is killed in tests: these too",
      ["src/gateway/relay/videos/jobs.ts"],
      ["src/gateway/killed.test.ts", "src/gateway/relay/chat/chat.test.ts", "src/gateway/http/keys.test.ts"],
    ],
    [
      "an area of pages: the tests of pages, and its journeys",
      ["src/console/pages/keys/summary.ts"],
      [
        "src/console/pages/keys/summary.test.ts",
        "src/console/pages/calls/search.test.ts",
        "e2e/keys-create.e2e.ts",
        "e2e/keyboard.e2e.ts",
      ],
    ],
    ["a test: itself", ["src/gateway/http/keys.test.ts"], ["src/gateway/http/keys.test.ts"]],
    [
      "what tests share: those that import it",
      ["src/gateway/testing/fake-vendor.ts"],
      ["src/gateway/relay/chat/chat.test.ts"],
    ],
    ["a journey: itself", ["e2e/calls.e2e.ts"], ["e2e/calls.e2e.ts"]],
    ["the packages: everything", ["package-lock.json"], tests.filter((file) => !smoke.includes(file))],
  ])("of %s", (_, changed, expected) => {
    expect(beyondSmoke(...changed)).toEqual(expected);
  });

  it("are run on both stores where a file runs on both", () => {
    const projects = chosen("src/gateway/domain/ledger/limits.ts").filter(({ file }) =>
      file.endsWith("ledger.test.ts"),
    );
    expect(projects.map(({ project }) => project)).toEqual(["gateway", "engine"]);
  });

  it("say what is left out", () => {
    const { about, leftOut } = select(["src/gateway/exporters/formats.ts"], tests, () => "");
    expect(about).toMatch(/^1 files changed; tests of gateway\/exporters, gateway\/forwarding, .* and a smoke test/);
    expect(leftOut).toMatch(/^Left out: \d+ files of tests, 3 of journeys, and the parts unused, build and size\./);
  });
});
