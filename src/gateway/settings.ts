import * as z from "zod/mini";
import { parsePrivateNetworks } from "./domain/network-guard.ts";

/** One environment variable: its name, what it means, and what a right value looks like. */
export interface Setting<T> {
  readonly variable: string;
  /** what the README's table says about it */
  readonly about: string;
  /** completes "must be …" */
  readonly expected: string;
  /** its value is never repeated in a message */
  readonly secret: boolean;
  /** the text that stands for a variable that is not set; null: there is none */
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
    about: "the address it listens on; 0.0.0.0 for every network",
    expected: "an IP address or a host name",
    fallback: "127.0.0.1",
    schema: z.string().check(z.regex(/^[A-Za-z0-9.:_-]+$/)),
  }),
  port: setting({
    variable: "PORT",
    about: "the port it listens on; 0 takes any free one",
    expected: "a whole number from 0 to 65535",
    fallback: "8787",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
      z.int().check(z.maximum(65_535)),
    ),
  }),
  dataDir: setting({
    variable: "GATEHOUSE_DATA_DIR",
    about: "the folder of the embedded store and of generated secrets",
    expected: "a folder that this user may write to",
    fallback: "./.gatehouse",
    schema: z.string().check(z.minLength(1)),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    about: "a PostgreSQL (15 or later) to use instead of the embedded store",
    expected: "an address such as postgres://user:password@host:5432/database",
    secret: true,
    schema: z.string().check(z.regex(/^postgres(ql)?:\/\/./)),
  }),
  managementKey: setting({
    variable: "GATEHOUSE_MANAGEMENT_KEY",
    about: "a management key to install on the first start, for automation; without it one is made and printed once",
    expected: "a secret of 32 to 512 visible characters without spaces",
    secret: true,
    schema: z.string().check(z.regex(/^[\x21-\x7e]{32,512}$/)),
  }),
  secretKey: setting({
    variable: "GATEHOUSE_SECRET_KEY",
    about: "the key that encrypts stored secrets; without it one is generated into the data folder",
    expected: "a secret of 32 characters or more, such as the output of `openssl rand -base64 32`",
    secret: true,
    schema: z.string().check(z.minLength(32)),
  }),
  publicUrl: setting({
    variable: "GATEHOUSE_PUBLIC_URL",
    about: "the address that people and programs use, where a proxy stands in front",
    expected: "an http or https address without query, such as https://gatehouse.example.com",
    schema: z.pipe(
      z.string().check(z.refine(isPublicUrl)),
      z.transform((text) => new URL(text)),
    ),
  }),
  basePath: setting({
    variable: "GATEHOUSE_BASE_PATH",
    about: "the sub-path that it lives under, such as /gatehouse",
    expected: "a path such as /gatehouse, of letters, digits, `-`, `_`, `.` and `/`",
    schema: z.pipe(
      z.string().check(z.regex(/^(\/[A-Za-z0-9._-]+)*\/?$/)),
      z.transform((text) => text.replace(/\/$/, "")),
    ),
  }),
  privateNetworks: setting({
    variable: "GATEHOUSE_PRIVATE_NETWORKS",
    about:
      "whether providers and destinations may be in private networks; those that a caller names never are, unless listed",
    expected: "allow, deny, or a list of networks such as 10.0.0.0/8,fd00::/8",
    fallback: "allow",
    schema: z.pipe(z.string().check(z.refine(isPrivateNetworks)), z.transform(parsePrivateNetworks)),
  }),
  upstreamTimeout: setting({
    variable: "GATEHOUSE_UPSTREAM_TIMEOUT",
    about: "seconds to wait for a provider's first byte, and between two pieces of its answer",
    expected: "a whole number of seconds from 1 to 3600",
    fallback: "120",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(3_600)),
    ),
  }),
  unpriced: setting({
    variable: "GATEHOUSE_UNPRICED",
    about: "whether keys with a limit may use models without a price: allow or refuse",
    expected: "allow or refuse",
    fallback: "allow",
    schema: z.enum(["allow", "refuse"]),
  }),
  rateLimit: setting({
    variable: "GATEHOUSE_RATE_LIMIT",
    about: "model calls a minute for every key that has no limit of its own, such as 600/min",
    expected: "a number of calls a minute, such as 600/min",
    schema: z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,8}\/min$/)),
      z.transform((text) => Number.parseInt(text, 10)),
    ),
  }),
  embeddingCache: setting({
    variable: "GATEHOUSE_EMBEDDING_CACHE",
    about: "megabytes of memory for embeddings that were asked for before; 0 turns the cache off",
    expected: "a whole number of megabytes from 0 to 65536",
    fallback: "32",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
      z.int().check(z.maximum(65_536)),
    ),
  }),
  localModel: setting({
    variable: "GATEHOUSE_LOCAL_MODEL",
    about: "a sentence-embedding model to run in processes of the gateway: a Hugging Face model id, or a folder",
    expected: "a model id such as Xenova/all-MiniLM-L6-v2, or a path that begins with / or .",
    schema: z.string().check(z.regex(/^(?:[./].*|[\w.-]+\/[\w.-]+)$/)),
  }),
  localModelProcesses: setting({
    variable: "GATEHOUSE_LOCAL_MODEL_PROCESSES",
    about: "processes that share the local model's work; each holds the model in memory",
    expected: "a whole number from 1 to 32",
    fallback: "1",
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,2}$/)), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(32)),
    ),
  }),
  logLevel: setting({
    variable: "GATEHOUSE_LOG_LEVEL",
    about: "how much the log (JSON lines on the error output) tells; bodies and secrets are never in it",
    expected: "one of debug, info, warn, error, silent",
    fallback: "info",
    schema: z.enum(["debug", "info", "warn", "error", "silent"]),
  }),
} satisfies Record<string, Setting<unknown>>;

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
