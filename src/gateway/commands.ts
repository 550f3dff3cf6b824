import cluster from "node:cluster";
import { parseArgs } from "node:util";
import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { createManagementKey, findManagementKey, seed } from "./domain/instance/bootstrap.ts";
import { resealContents } from "./domain/secrets/reseal-contents.ts";
import * as managementKeys from "./domain/instance/management-keys.ts";
import { systemContext } from "./domain/instance/management-key-row.ts";
import { addSecretKey, verifySecretBox } from "./domain/secrets/key.ts";
import { resealSecrets } from "./domain/secrets/reseal-secrets.ts";
import { createSignInToken } from "./domain/instance/sessions.ts";
import { forgetItems } from "./domain/workspaces/answered-items.ts";
import { forgetAnswers } from "./domain/workspaces/cached-answers.ts";
import { emptyCaches, pruneCaches } from "./domain/workspaces/stored-vectors.ts";
import { pruneLedger } from "./domain/ledger/prune.ts";
import { recount } from "./domain/ledger/recount.ts";
import { describeVerification, verifyLedger } from "./domain/ledger/verify.ts";
import { openApiDocument } from "./http/openapi.ts";
import { consoleUrl, print, progress } from "./startup-message.ts";
import { openDeps } from "./app/open.ts";
import { type ExportFile, openExport } from "./prune-export.ts";
import { serve } from "./serve.ts";
import { supervise } from "./workers/supervise.ts";
import { work } from "./workers/work.ts";
import { DataFolderTaken } from "./storage/data-folder-lock.ts";
import { version } from "./version.ts";
import type { Deps } from "./domain/context.ts";

type Options = Readonly<Record<"name" | "key" | "before" | "export", string | undefined>>;

/** Where a command reads its settings, and where its words go. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** a line for people and scripts, on standard output, which the log never uses */
  print(text: string): void;
  /** a line on standard error */
  tell(text: string): void;
}

interface Command {
  about: string;
  /** @returns its exit code, if it is not 0 */
  run(config: Config, terminal: Terminal, options: Options): Promise<number | void>;
}

const ownTerminal: Terminal = {
  environment: process.env,
  print,
  tell: (text) => void process.stderr.write(`${text}\n`),
};

const commands: Record<string, Command> = {
  serve: {
    about: "run the gateway (default)",
    run: async (config) => {
      if (cluster.isWorker) await work(config);
      else if (config.workers > 1) supervise(config);
      else await serve(config);
    },
  },
  migrate: {
    about: "migrate the store and exit",
    run: (config, terminal) =>
      withDeps(config, terminal, async (deps) => {
        await seed(deps, config.managementKey);
        terminal.print(`The ${deps.store.engine} store is at version ${version}.`);
      }),
  },
  openapi: {
    about: "print the OpenAPI document",
    run: async (config, { print }) => {
      print(JSON.stringify(openApiDocument(`${config.publicUrl?.origin ?? ""}${config.basePath}`), null, 2));
    },
  },
  "management-key": {
    about: "create a management key and print it once; --name says whose it is",
    run: (config, terminal, { name }) =>
      withDeps(config, terminal, async (deps) => {
        await seed(deps, config.managementKey);
        terminal.print(await createManagementKey(deps, name ?? "command line"));
      }),
  },
  "management-keys": {
    about: "list the management keys, without their plaintext",
    run: (config, terminal) =>
      withDeps(config, terminal, async (deps) => terminal.print(describeKeys(await allManagementKeys(deps)))),
  },
  "delete-management-key": {
    about:
      "delete a management key and end its console sessions; --key is its hash, the start of its hash, or its label",
    run: (config, terminal, { key }) =>
      withDeps(config, terminal, async (deps) => {
        const { print } = terminal;
        const found = chooseKey(await allManagementKeys(deps), key);
        await managementKeys.remove(systemContext(deps), found.hash, { evenLast: true });
        print(`Deleted the management key ${found.label} (${found.name}). Its console sessions are signed out.`);
        if ((await findManagementKey(deps)) === null) {
          print("No working management key is left: create one with the command management-key.");
        }
      }),
  },
  "rotate-secret-key": {
    about: "encrypt the stored secrets with a new key; stop every gateway process first",
    run: async (config, terminal) => {
      const { print } = terminal;
      // The store is opened first: its lock keeps the key from changing under a running gateway.
      await withDeps(config, terminal, (deps) => verifySecretBox(deps.store, deps.secrets));
      if (config.secretKey === null) await addSecretKey(config.dataDir);
      await withDeps(config, terminal, async (deps) => {
        await verifySecretBox(deps.store, deps.secrets);
        print(`${await resealSecrets(deps)} stored secrets are encrypted with the new key.`);
        const { resealed, unreadable } = await resealContents(deps);
        if (resealed > 0) print(`${resealed} stored bodies are encrypted with the new key.`);
        const emptied = await emptyCaches(deps.store);
        const forgotten = await forgetAnswers(deps.store);
        const items = await forgetItems(deps.store);
        if (emptied > 0) print(`${emptied} cached embeddings were deleted: no entry can be found under another key.`);
        if (forgotten > 0) print(`${forgotten} cached answers were deleted for the same reason.`);
        if (items > 0) print(`${items} items of answers were deleted: no call can name them by their ids any more.`);
        if (unreadable > 0) print(`${unreadable} stored bodies could not be decrypted with any known key; skipped.`);
      });
    },
  },
  verify: {
    about: "recompute ledger totals, check every counter, and compare charges with the limits",
    run: (config, terminal) =>
      withDeps(config, terminal, async (deps) => {
        const verification = await verifyLedger(deps);
        terminal.print(describeVerification(verification));
        return verification.differences.length + verification.excesses.length > 0 ? 1 : 0;
      }),
  },
  recount: {
    about: "let limits reset again after a clock was ahead; set it right and stop every gateway process first",
    run: (config, terminal) =>
      withDeps(config, terminal, async (deps) => {
        const { print } = terminal;
        const clock = deps.now().toISOString();
        const ahead = await recount(deps);
        if (ahead === null) return print(`No limit is ahead of this machine's clock (${clock}).`);
        const { counters, latest } = ahead;
        print(
          `${counters} counters were ahead of this machine's clock (${clock}), the latest by a day that begins at ${latest.toISOString()}. Their day, week and month were counted again from the ledger.`,
        );
      }),
  },
  prune: {
    about: "delete calls from before the day given with --before; --export FILE writes them to a file first",
    run: async (config, terminal, { before, export: path }) => {
      const { print } = terminal;
      const day = dayOf(before);
      let file: ExportFile | undefined;
      const openFile = async (to: string) => (file = await openExport(to)).append;
      try {
        await withDeps(config, terminal, async (deps) => {
          const { deleted, kept } = await pruneLedger(deps, {
            before: day,
            ...(path === undefined ? {} : { openExport: () => openFile(path) }),
          });
          const cached = await pruneCaches(deps.store, day);
          if (cached > 0) print(`Deleted ${cached} cached embeddings that were stored before ${before}.`);
          print(`Deleted ${deleted} calls from before ${before}.${path === undefined ? "" : ` They are in ${path}.`}`);
          for (const { destination, workspace } of kept) {
            print(
              `Kept calls that the destination ${destination} of the workspace ${workspace} has not delivered yet.`,
            );
          }
        });
      } finally {
        await file?.close();
      }
    },
  },
  "sign-in-link": {
    about: "print a link that signs in to the console once, within 15 minutes",
    run: (config, terminal) =>
      withDeps(config, terminal, async (deps) => {
        await seed(deps, config.managementKey);
        const key = await findManagementKey(deps);
        if (key === null)
          throw new Error("No working management key is left: create one with the command management-key");
        terminal.print(`${consoleUrl(config)}sign-in#token=${await createSignInToken(deps, key)}`);
      }),
  },
};

/** 00:00 UTC of a day that is written out. */
function dayOf(text: string | undefined): Date {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new Error("Say with --before up to which day to delete calls, such as --before 2026-07-01.");
  }
  return day;
}

async function allManagementKeys(deps: Deps): Promise<ManagementKeyRecord[]> {
  return (await managementKeys.list(systemContext(deps))).data;
}

function describeKeys(keys: readonly ManagementKeyRecord[]): string {
  if (keys.length === 0) return "There is no management key: create one with the command management-key.";
  return keys
    .map(
      ({ hash, name, label, status, created_at, sessions }) =>
        `${hash}  ${label}  ${status.padEnd(8)}  created ${created_at}  ${sessions} signed in  ${name}`,
    )
    .join("\n");
}

/** Finds exactly one key; nothing is ended by a guess. */
function chooseKey(keys: readonly ManagementKeyRecord[], wanted: string | undefined): ManagementKeyRecord {
  if (wanted === undefined || wanted === "")
    throw new Error("Say which key with --key, as management-keys lists them.");
  const found = keys.filter(({ hash, label }) => hash === wanted || label === wanted || isPrefix(wanted, hash));
  const [only] = found;
  if (only === undefined)
    throw new Error(`No management key has the hash or label ${wanted}; management-keys lists them.`);
  if (found.length > 1) throw new Error(`${found.length} management keys match ${wanted}: give more of the hash.`);
  return only;
}

function isPrefix(wanted: string, hash: string): boolean {
  return wanted.length >= 8 && hash.startsWith(wanted);
}

async function withDeps<T>(config: Config, { tell }: Terminal, work: (deps: Deps) => Promise<T>): Promise<T> {
  const open = () => openDeps(config, { now: () => new Date() });
  const deps = await progress("Opening the store", open, tell).catch((error: unknown) => {
    if (!(error instanceof DataFolderTaken)) throw error;
    throw new Error(
      `Another Gatehouse process has the data folder ${config.dataDir} open, and this command needs exclusive access. Stop the gateway, run the command, then start it again.`,
      { cause: error },
    );
  });
  try {
    return await work(deps);
  } finally {
    await deps.store.close();
  }
}

const help = `Gatehouse ${version}

Usage: npm start -- [command] [--name NAME] [--key HASH] [--before YYYY-MM-DD] [--export FILE]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(24)}${about}`)
  .join("\n")}

Settings are environment variables; docs/settings.md lists them.`;

/** Runs the command that the arguments name. What goes wrong is told. @returns the exit code */
export async function runCommand(args: readonly string[], terminal: Terminal = ownTerminal): Promise<number> {
  try {
    return (await runNamed(args, terminal)) ?? 0;
  } catch (error) {
    fail(error, terminal);
    return 1;
  }
}

async function runNamed(args: readonly string[], terminal: Terminal): Promise<number | void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
      name: { type: "string" },
      key: { type: "string" },
      before: { type: "string" },
      export: { type: "string" },
    },
  });
  if (values.help === true) return terminal.print(help);
  if (values.version === true) return terminal.print(version);
  const [name = "serve", ...others] = positionals;
  const command = commands[name];
  if (command === undefined || others.length > 0)
    throw new Error(`"${positionals.join(" ")}" is not a command.\n\n${help}`);
  return await command.run(readConfig(terminal.environment), terminal, {
    name: values.name,
    key: values.key,
    before: values.before,
    export: values.export,
  });
}

/** Errors that stop the program before it serves are printed in one line, without a stack unless debugging is on. */
function fail(error: unknown, { environment, tell }: Terminal): void {
  const message = error instanceof Error ? error.message || error.name : String(error);
  tell(error instanceof ConfigError ? `Gatehouse cannot start with these settings:\n${message}` : message);
  if (environment["GATEHOUSE_LOG_LEVEL"] === "debug" && error instanceof Error) tell(error.stack ?? "");
}
