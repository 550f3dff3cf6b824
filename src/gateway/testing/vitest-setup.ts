import type { TestProject } from "vitest/node";
import { migratedDatabase, storeTemplate } from "./store-template.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** the server that tests make their databases in */
    postgresUrl: string;
    /** a migrated database on it, to copy */
    postgresTemplate: string;
  }
}

let server: PostgresServer | null = null;

/** Starts one PostgreSQL, and makes one migrated store of each engine that is tested, for all test files of a run. */
export async function setup(project: TestProject): Promise<void> {
  const only = process.env["GATEHOUSE_TEST_ENGINE"];
  [server] = await Promise.all([startPostgres(), only === "postgres" ? null : storeTemplate()]);
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", only === "embedded" ? "" : await migratedDatabase(server.url));
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
