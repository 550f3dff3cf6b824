import { availableParallelism } from "node:os";
import * as z from "zod/mini";
import { readKey } from "./domain/keys/format.ts";
import { parsePrivateNetworks } from "./domain/instance/network-guard.ts";

/** One environment variable: its name, its meaning, and what a valid value looks like. */
export interface Setting<T> {
  readonly variable: string;
  /** its description in the table of docs/settings.md */
  readonly about: string;
  /** completes "must be …" */
  readonly expected: string;
  /** its value is never repeated in a message */
  readonly secret: boolean;
  /** the default text if the variable is not set; null: there is none */
  readonly fallback: string | null;
  readonly schema: z.ZodMiniType<T, string>;
}

function setting<T>(row: Omit<Setting<T>, "secret" | "fallback"> & { secret?: boolean; fallback: string }): Setting<T>;
function setting<T>(row: Omit<Setting<T>, "secret" | "fallback"> & { secret?: boolean }): Setting<T | null>;
function setting(row: Omit<Setting<unknown>, "secret" | "fallback"> & { secret?: boolean; fallback?: string }) {
  return { secret: false, fallback: null, ...row };
}

/** Every setting there is. A new one is a new row. */
export const settings = {
  host: setting({
    variable: "HOST",
    about: "the address to listen on; 0.0.0.0 for every network",
    expected: "an IP address or a host name",
    fallback: "127.0.0.1",
    schema: z.string().check(z.regex(/^[A-Za-z0-9.:_-]+$/)),
  }),
  port: setting({
    variable: "PORT",
    about: "the port to listen on; 0 picks any free one",
    expected: "a whole number from 0 to 65535",
    fallback: "8787",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
      z.int().check(z.maximum(65_535)),
    ),
  }),
  dataDir: setting({
    variable: "GATEHOUSE_DATA_DIR",
    about: "the folder for the embedded store and generated secrets",
    expected: "a folder that this user may write to",
    fallback: "./.gatehouse",
    schema: z.string().check(z.minLength(1)),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    about: "a PostgreSQL database (15 or later) to use instead of the embedded store",
    expected: "an address such as postgres://user:password@host:5432/database",
    secret: true,
    schema: z.string().check(z.regex(/^postgres(ql)?:\/\/./)),
  }),
  managementKey: setting({
    variable: "GATEHOUSE_MANAGEMENT_KEY",
    about:
      "a management key to install, for automation; changing it replaces the key that it installed before; without it, the first start creates a key and prints it once",
    expected:
      "a secret of 32 to 512 visible characters without spaces; one that begins with sk-gh- must be a complete management key",
    secret: true,
    schema: z.string().check(z.regex(/^[\x21-\x7e]{32,512}$/), z.refine(isPossibleManagementKey)),
  }),
  secretKey: setting({
    variable: "GATEHOUSE_SECRET_KEY",
    about: "the key that encrypts stored secrets; if it is not set, one is generated in the data folder",
    expected: "a secret of 32 characters or more, such as the output of `openssl rand -base64 32`",
    secret: true,
    schema: z.string().check(z.minLength(32)),
  }),
  publicUrl: setting({
    variable: "GATEHOUSE_PUBLIC_URL",
    about:
      "the address that people and programs use, if there is a proxy in front; notifications of videos have addresses of the videos only with it",
    expected: "an http or https address without query, such as https://gatehouse.example.com",
    schema: z.pipe(
      z.string().check(z.refine(isPublicUrl)),
      z.transform((text) => new URL(text)),
    ),
  }),
  basePath: setting({
    variable: "GATEHOUSE_BASE_PATH",
    about: "the sub-path to serve everything under, such as /gatehouse",
    expected: "a path such as /gatehouse, of letters, digits, `-`, `_`, `.` and `/`",
    schema: z.pipe(
      z.string().check(z.regex(/^(\/[A-Za-z0-9._-]+)*\/?$/)),
      z.transform((text) => text.replace(/\/$/, "")),
    ),
  }),
  corsOrigins: setting({
    variable: "GATEHOUSE_CORS_ORIGINS",
    about:
      "other origins whose web pages may call the API with a key: a list of origins, or * for all; if it is not set, browsers block them",
    expected: "*, or origins such as https://app.example.com,http://localhost:3000",
    schema: z.pipe(
      z.string().check(z.refine(isOriginList)),
      z.transform((text): readonly string[] => text.split(",").map((origin) => origin.trim())),
    ),
  }),
  privateNetworks: setting({
    variable: "GATEHOUSE_PRIVATE_NETWORKS",
    about:
      "whether providers and destinations may be on private networks; addresses that a caller names may not, unless listed",
    expected: "allow, deny, or a list of networks such as 10.0.0.0/8,fd00::/8",
    fallback: "allow",
    schema: z.pipe(z.string().check(z.refine(isPrivateNetworks)), z.transform(parsePrivateNetworks)),
  }),
  upstreamTimeout: setting({
    variable: "GATEHOUSE_UPSTREAM_TIMEOUT",
    about:
      "seconds to wait for a provider's first byte, and between two chunks of its answer; a provider's own time limit takes precedence",
    expected: "a whole number of seconds from 1 to 3600",
    fallback: "120",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(3_600)),
    ),
  }),
  unpriced: setting({
    variable: "GATEHOUSE_UNPRICED",
    about: "whether calls that count toward a limit may use models without a price: allow or refuse",
    expected: "allow or refuse",
    fallback: "refuse",
    schema: z.enum(["allow", "refuse"]),
  }),
  rateLimit: setting({
    variable: "GATEHOUSE_RATE_LIMIT",
    about: "model calls per minute for every key without a rate limit of its own, such as 600/min",
    expected: "a number of calls a minute, such as 600/min",
    schema: z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,8}\/min$/)),
      z.transform((text) => Number.parseInt(text, 10)),
    ),
  }),
  embeddingCache: setting({
    variable: "GATEHOUSE_EMBEDDING_CACHE",
    about: "size of the embedding cache in megabytes of memory; 0 turns it off",
    expected: "a whole number of megabytes from 0 to 65536",
    fallback: "32",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
      z.int().check(z.maximum(65_536)),
    ),
  }),
  responseCache: setting({
    variable: "GATEHOUSE_RESPONSE_CACHE",
    about: "size of each workspace's response cache in megabytes of the store; 0 turns it off",
    expected: "a whole number of megabytes from 0 to 65536",
    fallback: "64",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
      z.int().check(z.maximum(65_536)),
    ),
  }),
  largestFile: setting({
    variable: "GATEHOUSE_FILE_MB",
    about: "maximum size of an uploaded file in megabytes",
    expected: "a whole number of megabytes from 1 to 512",
    fallback: "100",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(512)),
    ),
  }),
  files: setting({
    variable: "GATEHOUSE_FILES_MB",
    about: "maximum size of all files of a workspace in megabytes",
    expected: "a whole number of megabytes from 0 to 10000000",
    fallback: "1024",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,8}$/)), z.transform(Number)),
      z.int().check(z.maximum(10_000_000)),
    ),
  }),
  localModel: setting({
    variable: "GATEHOUSE_LOCAL_MODEL",
    about:
      "a sentence-embedding model that the gateway runs in its own processes: a Hugging Face model id, or a folder",
    expected: "a model id such as Xenova/all-MiniLM-L6-v2, or a path that begins with / or .",
    schema: z.string().check(z.regex(/^(?:[./].*|[\w.-]+\/[\w.-]+)$/)),
  }),
  localModelProcesses: setting({
    variable: "GATEHOUSE_LOCAL_MODEL_PROCESSES",
    about: "number of processes that run the local model; each holds it in memory",
    expected: "a whole number from 1 to 32",
    fallback: "1",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,2}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(32)),
    ),
  }),
  connections: setting({
    variable: "GATEHOUSE_CONNECTIONS",
    about: "maximum number of open connections from callers; further ones are closed at once",
    expected: "a whole number from 1 to 1000000",
    fallback: "10000",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,7}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(1_000_000)),
    ),
  }),
  calls: setting({
    variable: "GATEHOUSE_CALLS",
    about:
      "maximum number of model calls in flight in this process, streams included; one too many waits a second for its turn and is then refused with 503; 0: no maximum",
    expected: "a whole number from 0 to 100000",
    fallback: "4000",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)),
      z.int().check(z.maximum(100_000)),
    ),
  }),
  providerCalls: setting({
    variable: "GATEHOUSE_PROVIDER_CALLS",
    about:
      "maximum number of calls that this process has in flight at one provider; further ones go to another provider of the model, or wait a second and are refused with 503; 0: no maximum",
    expected: "a whole number from 0 to 100000",
    fallback: "2000",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)),
      z.int().check(z.maximum(100_000)),
    ),
  }),
  databaseConnections: setting({
    variable: "GATEHOUSE_DATABASE_CONNECTIONS",
    about:
      "maximum number of PostgreSQL connections that this process opens for queries; messages and forwarding use a few more",
    expected: "a whole number from 2 to 1000",
    fallback: "10",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)),
      z.int().check(z.minimum(2), z.maximum(1_000)),
    ),
  }),
  workers: setting({
    variable: "GATEHOUSE_WORKERS",
    about: "number of gateway processes on this port, with PostgreSQL only; auto: one for each processor",
    expected: "auto, or a whole number from 1 to 64",
    fallback: "1",
    schema: z.pipe(
      z.pipe(
        z.string().check(z.regex(/^(auto|\d{1,2})$/)),
        z.transform((text) => (text === "auto" ? Math.min(64, availableParallelism()) : Number(text))),
      ),
      z.int().check(z.minimum(1), z.maximum(64)),
    ),
  }),
  stopTimeout: setting({
    variable: "GATEHOUSE_STOP_TIMEOUT",
    about: "seconds that calls in flight have to finish after SIGTERM; then they are cut off, charged and answered 503",
    expected: "a whole number of seconds from 0 to 3600",
    fallback: "25",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)),
      z.int().check(z.maximum(3_600)),
    ),
  }),
  stopDelay: setting({
    variable: "GATEHOUSE_STOP_DELAY",
    about:
      "seconds after SIGTERM during which new calls are still served while readiness returns 503, for a load balancer",
    expected: "a whole number of seconds from 0 to 300",
    fallback: "0",
    schema: z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)), z.int().check(z.maximum(300))),
  }),
  metricsToken: setting({
    variable: "GATEHOUSE_METRICS_TOKEN",
    about: "a bearer token that can read /metrics and nothing else; if it is not set, only management keys can",
    expected: "a secret of 16 to 512 visible characters without spaces",
    secret: true,
    schema: z.string().check(z.regex(/^[\x21-\x7e]{16,512}$/)),
  }),
  accessLog: setting({
    variable: "GATEHOUSE_ACCESS_LOG",
    about: "on: log a line for each answered request, with its id, key, model, provider, status, time and cost",
    expected: "on or off",
    fallback: "off",
    schema: z.enum(["on", "off"]),
  }),
  logLevel: setting({
    variable: "GATEHOUSE_LOG_LEVEL",
    about: "log level: debug, info, warn, error or silent; JSON lines on stderr, never bodies or secrets",
    expected: "one of debug, info, warn, error, silent",
    fallback: "info",
    schema: z.enum(["debug", "info", "warn", "error", "silent"]),
  }),
} satisfies Record<string, Setting<unknown>>;

/** A value in the format of a Gatehouse key is verified at every use, so it must be complete from the start. */
function isPossibleManagementKey(text: string): boolean {
  const form = readKey(text);
  return form === "foreign" || form === "management";
}

/** Origins as browsers send them: scheme, host and port, and no path. */
function isOriginList(text: string): boolean {
  return text === "*" || text.split(",").every((origin) => URL.parse(origin.trim())?.origin === origin.trim());
}

function isPrivateNetworks(text: string): boolean {
  try {
    parsePrivateNetworks(text);
    return true;
  } catch {
    return false;
  }
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  if (url.username !== "" || url.password !== "") return false;
  return url.search === "" && url.hash === "" && /^(\/[A-Za-z0-9._-]+)*\/?$/.test(url.pathname);
}
