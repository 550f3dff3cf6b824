import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import { type Gateway, openGateway } from "../app/open.ts";
import { makeClock, type TestClock } from "./clock.ts";
import { createDatabase } from "./postgres.ts";
import { holdStoreProgram } from "./store-program.ts";
import { putStore } from "./store-template.ts";

/** A gateway in this process: the real one, listening on a free port of its own. */
export interface TestGateway extends Gateway {
  /** without a slash at the end, with the base path */
  url: string;
  managementKey: string;
  clock: TestClock;
  /** its data folder */
  folder: string;
  /** everything that it has logged so far, at the level debug */
  log(): string;
  /** Sends a request with the management key, or the one that is given (null: none). */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export interface TestGatewayOptions {
  engine?: "embedded" | "postgres";
  /** needed for the engine postgres: a server on which a database may be made */
  postgresUrl?: string;
  /** a migrated database on that server, to start from a copy of; else from an empty one */
  postgresTemplate?: string;
  clock?: TestClock;
  /** further settings, as environment variables */
  env?: Record<string, string>;
  consoleFolder?: string;
  /** how long a call waits for its turn, milliseconds */
  turnMs?: number;
  /** the memory for all providers' answers together */
  answerBytes?: number;
}

export interface CallOptions {
  /** sent as JSON */
  body?: unknown;
  /** sent as it is, instead of `body` */
  raw?: string | Uint8Array;
  key?: string | null;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** the body as JSON; undefined where it is none */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers whose shape is what they test
  json: any;
}

/** Starts the whole gateway on a store that holds what the migrations wrote. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = options.clock ?? makeClock();
  const managementKey = `test-management-${randomBytes(16).toString("hex")}`;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const database =
    options.engine === "postgres"
      ? await createDatabase(options.postgresUrl ?? "", { template: options.postgresTemplate })
      : null;
  if (database === null) await Promise.all([holdStoreProgram(), putStore(folder, clock.now())]);
  const config = readConfig({
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_MANAGEMENT_KEY: managementKey,
    GATEHOUSE_LOG_LEVEL: "debug",
    ...(database === null ? {} : { DATABASE_URL: database.url }),
    ...options.env,
  });
  const lines: string[] = [];
  const gateway = await openGateway(config, {
    now: clock.now,
    forwarding: "here",
    storeReadMs: 60_000,
    logStream: { write: (line) => void lines.push(line) },
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
    ...(options.turnMs === undefined ? {} : { turnMs: options.turnMs }),
    ...(options.answerBytes === undefined ? {} : { answerBytes: options.answerBytes }),
  });
  await gateway.app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}${config.basePath}`;
  return {
    ...gateway,
    url,
    folder,
    managementKey: config.managementKey ?? managementKey,
    clock,
    log: () => lines.join(""),
    call: (method, path, call = {}) => send(`${url}/api/v1${path}`, method, { key: managementKey, ...call }),
    close: async () => {
      await gateway.close();
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a request with the key that is given. */
export async function send(url: string, method: string, { body, raw, key, headers }: CallOptions): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(key == null ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload as string }),
    redirect: "manual",
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
