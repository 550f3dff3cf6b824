import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { outsideEnvironment, ownNode, root, run } from "./run.js";

/** The headless shell first: it draws no window around the page, and a journey takes two thirds of the CPU time with it. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * The Chromium that the journeys and benches drive: GATEHOUSE_CHROMIUM, else one that the machine has.
 * @returns {string | undefined} undefined: none but, perhaps, Playwright's own download
 */
export function findBrowser() {
  const named = process.env["GATEHOUSE_CHROMIUM"];
  if (named) {
    if (!existsSync(named))
      throw new Error(`GATEHOUSE_CHROMIUM names ${named}, which does not exist; name a Chromium's executable.`);
    return named;
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(existsSync);
}

/** Flags for a headless Chromium that may run as root, and that asks the internet for nothing. */
const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * What Playwright launches that Chromium with.
 * @param {string[]} moreFlags
 * @returns {{ executablePath?: string, args: string[] }}
 */
export function launchOptions(...moreFlags) {
  const executablePath = findBrowser();
  return { ...(executablePath === undefined ? {} : { executablePath }), args: [...browserFlags, ...moreFlags] };
}

/** Sees to it that there is a browser: the machine's own, else Playwright's download, else Debian's package. */
export async function ensureBrowser() {
  if (findBrowser() || (await playwrightHasOne())) return;
  console.log("No Chromium found: downloading Playwright's own (once)");
  const cli = join(root, "node_modules", "playwright", "cli.js");
  try {
    await run("Downloading a browser", ownNode(), [cli, "install", "chromium"], { quiet: true });
    return;
  } catch (error) {
    if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
      throw new Error(
        "Found no browser and could not download one. Install Chromium or Chrome, or name one in GATEHOUSE_CHROMIUM, then run the same command again.",
        { cause: error },
      );
    }
  }
  // Who runs tests as root runs them on a machine made for that; on any other, GATEHOUSE_CHROMIUM prevents this.
  console.log(
    "The download failed, and this is root: installing the system's packages chromium-headless-shell (or chromium) and fonts-liberation with apt-get. " +
      "To use another browser, name it in GATEHOUSE_CHROMIUM.",
  );
  const env = { ...outsideEnvironment(), DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get update", "apt-get", ["update", "-q"], { env, quiet: true });
  const install = (/** @type {string} */ browser) =>
    run(
      `Installing ${browser}`,
      "apt-get",
      ["install", "-y", "-q", "--no-install-recommends", browser, "fonts-liberation"],
      { env, quiet: true },
    );
  // Older releases have no package of the shell alone.
  await install("chromium-headless-shell").catch(() => install("chromium"));
}

async function playwrightHasOne() {
  const { chromium } = await import("playwright");
  return existsSync(chromium.executablePath());
}
