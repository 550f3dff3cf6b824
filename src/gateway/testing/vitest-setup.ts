import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** the server that tests make their databases in */
    postgresUrl: string;
  }
}

let server: PostgresServer | null = null;

/** Starts one PostgreSQL for all test files of a run. */
export async function setup(project: TestProject): Promise<void> {
  server = await startPostgres();
  project.provide("postgresUrl", server.url);
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
