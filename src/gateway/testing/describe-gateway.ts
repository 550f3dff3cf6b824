import { afterAll, beforeAll, describe, inject } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import "./vitest-setup.ts";

export type Engine = "embedded" | "postgres";

/** The store of the gateways in this run: PostgreSQL, unless GATEHOUSE_TEST_ENGINE says embedded. */
export const engine: Engine = process.env["GATEHOUSE_TEST_ENGINE"] === "embedded" ? "embedded" : "postgres";

export type Options = Omit<TestGatewayOptions, "engine" | "postgresUrl" | "postgresTemplate">;

/** Starts a gateway on a store of its own, of the kind of this run. */
export async function startOnStore(options: Options = {}): Promise<TestGateway> {
  const [postgresUrl, postgresTemplate] = [inject("postgresUrl"), inject("postgresTemplate")];
  return await startGateway({ ...options, engine, postgresUrl, postgresTemplate });
}

/** A gateway of its own for the block, or the file, in which this is called. */
export function withGateway(options: Options = {}): () => TestGateway {
  let gateway: TestGateway | undefined;
  beforeAll(async () => {
    gateway = await startOnStore(options);
  });
  afterAll(async () => {
    await gateway?.close();
  });
  return () => {
    if (gateway === undefined) throw new Error("the gateway is there within tests only");
    return gateway;
  };
}

/** Runs tests against a gateway of their own, which lives as long as the block. */
export function describeGateway(
  name: string,
  tests: (gateway: () => TestGateway) => void,
  options: Options = {},
): void {
  // oxlint-disable-next-line vitest/valid-title -- who calls this gives it
  describe(name, () => {
    tests(withGateway(options));
  });
}
