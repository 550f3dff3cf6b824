import { parseArgs } from "node:util";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { createManagementKey, findManagementKey, seed } from "./domain/instance.ts";
import { resealBodies } from "./domain/body-rotation.ts";
import { addSecretKey, verifySecretBox } from "./domain/secret-key.ts";
import { resealSecrets } from "./domain/secret-rotation.ts";
import { createSignInToken } from "./domain/sessions.ts";
import { describeVerification, verifyLedger } from "./domain/verify.ts";
import { openApiDocument } from "./http/openapi.ts";
import { consoleUrl, print, progress } from "./announce.ts";
import { openDeps } from "./open.ts";
import { serve } from "./serve.ts";
import { version } from "./version.ts";
import type { Deps } from "./domain/context.ts";

interface Command {
  about: string;
  run(config: Config, options: { name: string | undefined }): Promise<void>;
}

const commands: Record<string, Command> = {
  serve: { about: "run the gateway (what happens without a command)", run: serve },
  migrate: {
    about: "bring the store to this version and end",
    run: (config) =>
      withDeps(config, async (deps) => {
        await seed(deps, config.managementKey);
        print(`The ${deps.store.engine} store is at version ${version}.`);
      }),
  },
  openapi: {
    about: "print the OpenAPI document",
    run: async (config) => {
      print(JSON.stringify(openApiDocument(`${config.publicUrl?.origin ?? ""}${config.basePath}`), null, 2));
    },
  },
  "management-key": {
    about: "make a management key and print it once; --name says whose it is",
    run: (config, { name }) =>
      withDeps(config, async (deps) => {
        await seed(deps, config.managementKey);
        print(await createManagementKey(deps, name ?? "command line"));
      }),
  },
  "rotate-secret-key": {
    about: "encrypt the stored secrets with a new key; stop the gateway first, every process of it",
    run: async (config) => {
      // The store is opened first: its owner's lock keeps the key from changing under a running gateway.
      await withDeps(config, (deps) => verifySecretBox(deps.store, deps.secrets));
      if (config.secretKey === null) await addSecretKey(config.dataDir);
      await withDeps(config, async (deps) => {
        await verifySecretBox(deps.store, deps.secrets);
        print(`${await resealSecrets(deps)} stored secrets are encrypted with the new key.`);
        const { resealed, unreadable } = await resealBodies(deps);
        if (resealed > 0) print(`${resealed} kept bodies are encrypted with the new key.`);
        if (unreadable > 0) print(`${unreadable} kept bodies open with no known key, and were left as they are.`);
      });
    },
  },
  verify: {
    about: "add the ledger up again and compare every counter with it",
    run: (config) =>
      withDeps(config, async (deps) => {
        const verification = await verifyLedger(deps.store);
        print(describeVerification(verification));
        if (verification.differences.length > 0) process.exitCode = 1;
      }),
  },
  "sign-in-link": {
    about: "print a link that signs in to the console once, within 15 minutes",
    run: (config) =>
      withDeps(config, async (deps) => {
        await seed(deps, config.managementKey);
        const key = await findManagementKey(deps);
        if (key === null) throw new Error("No management key works any more: make one with the command management-key");
        print(`${consoleUrl(config)}sign-in#token=${await createSignInToken(deps, key)}`);
      }),
  },
};

async function withDeps(config: Config, work: (deps: Deps) => Promise<void>): Promise<void> {
  const deps = await progress("Opening the store", () => openDeps(config, { now: () => new Date() }));
  try {
    await work(deps);
  } finally {
    await deps.store.close();
  }
}

const help = `Gatehouse ${version}

Usage: npm start -- [command] [--name NAME]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(19)}${about}`)
  .join("\n")}

Settings are environment variables; the README lists them.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" }, version: { type: "boolean" }, name: { type: "string" } },
  });
  if (values.help === true) return print(help);
  if (values.version === true) return print(version);
  const [name = "serve", ...others] = positionals;
  const command = commands[name];
  if (command === undefined || others.length > 0)
    throw new Error(`"${positionals.join(" ")}" is not a command.\n\n${help}`);
  await command.run(readConfig(process.env), { name: values.name });
}

/** Whatever stops the program before it serves is told in a line, without a stack, unless debugging was asked for. */
function fail(error: unknown): void {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const told = error instanceof ConfigError ? `Gatehouse cannot start with these settings:\n${message}` : message;
  process.stderr.write(`${told}\n`);
  if (process.env["GATEHOUSE_LOG_LEVEL"] === "debug" && error instanceof Error)
    process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}

await main().catch(fail);
