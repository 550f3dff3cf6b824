import * as z from "zod/mini";
import { type Setting, settings } from "./settings.ts";

type Read = { [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never };

/** The settings as the program uses them; `basePath` is "" or starts with a slash and ends without one. */
export type Config = Omit<Read, "basePath"> & { basePath: string };

/** One or more settings are wrong. Its message has a line for each, and never a secret. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
  }
}

/** Reads the environment once. An empty variable counts as one that is not set. Throws a {@link ConfigError}. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [member, row] of Object.entries<Setting<unknown>>(settings)) {
    const text = environment[row.variable] || row.fallback;
    const result = text === null ? null : z.safeParse(row.schema, text);
    if (result !== null && !result.success) problems.push(problem(row, text ?? ""));
    values[member] = result?.data ?? null;
  }
  if (!environment[settings.databaseUrl.variable] && (environment[settings.workers.variable] || "1") !== "1") {
    problems.push(
      "GATEHOUSE_WORKERS needs PostgreSQL, because only one process can use the embedded store: set DATABASE_URL, or leave GATEHOUSE_WORKERS out",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return withBasePath(values as Read);
}

function problem(row: Setting<unknown>, given: string): string {
  const what = row.secret ? `what was given (${given.length} characters) is not` : `not ${JSON.stringify(given)}`;
  return `${row.variable} must be ${row.expected}; ${what}`;
}

/** A public URL with a path says the base path as well; where both are given they must agree. */
function withBasePath(values: Read): Config {
  const fromUrl = values.publicUrl?.pathname.replace(/\/$/, "") ?? "";
  if (values.basePath !== null && fromUrl !== "" && fromUrl !== values.basePath) {
    throw new ConfigError([
      `GATEHOUSE_PUBLIC_URL ends in ${fromUrl} but GATEHOUSE_BASE_PATH is ${JSON.stringify(values.basePath)}: make them agree, or leave one out`,
    ]);
  }
  return { ...values, basePath: values.basePath ?? fromUrl };
}
