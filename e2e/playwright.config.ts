import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { browserFlags, findBrowser } from "../setup/browser.js";
import { lanHost } from "#gateway/testing/process.ts";

const executablePath = findBrowser();

export default defineConfig({
  testDir: ".",
  testMatch: "*.e2e.ts",
  outputDir: fileURLToPath(new URL("../.cache/journeys", import.meta.url)),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // A plain-HTTP host name that is not localhost: browsers give such a page no clipboard API and no crypto.subtle.
      args: [...browserFlags, `--host-resolver-rules=MAP ${lanHost} 127.0.0.1`],
    },
  },
});
