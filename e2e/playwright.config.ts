import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { launchOptions } from "../setup/browser.js";
import { lanHost } from "#gateway/testing/process.ts";

const longest = ["widths", "drift-canaries", "lists", "axe-all-states", "keys-manage", "providers"].map(
  (name) => `${name}.e2e.ts`,
);

export default defineConfig({
  testDir: ".",
  // The longest first, so that none of them runs alone at the end.
  projects: [
    { name: "long journeys", testMatch: longest },
    { name: "journeys", testMatch: "*.e2e.ts", testIgnore: longest },
  ],
  outputDir: fileURLToPath(new URL("../.cache/journeys", import.meta.url)),
  fullyParallel: true,
  // More than the cores of a small machine: journeys wait for a quarter of their time.
  workers: 4,
  retries: 0,
  forbidOnly: true,
  // Only to end a journey that hangs: how long a whole journey takes says how busy the machine is, nothing of the product.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // A run that is ended from outside says nothing of what it found.
  globalTimeout: 75 * 60_000,
  use: {
    browserName: "chromium",
    // Cleared after each journey. A third of the processor time went into starting its renderer and compiling the console.
    reuseContext: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    // Frames of animations were a sixth of the journeys' processor time. Those in which motion could matter have it.
    contextOptions: { reducedMotion: "reduce" },
    // A trace takes more than half as much time again as the journey itself: `--trace on` makes one where it is wanted.
    trace: "off",
    screenshot: "only-on-failure",
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    launchOptions: launchOptions(
      // A plain-HTTP host name that is not localhost: browsers give such a page no clipboard API and no crypto.subtle.
      `--host-resolver-rules=MAP ${lanHost} 127.0.0.1`,
    ),
  },
});
