import { afterAll, beforeAll, describe, inject } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import "./vitest-setup.ts";

export type Engine = "embedded" | "postgres";

/** The store of the gateways in this run: PostgreSQL, unless GATEHOUSE_TEST_ENGINE says embedded. */
export const engine: Engine = process.env["GATEHOUSE_TEST_ENGINE"] === "embedded" ? "embedded" : "postgres";

/** Runs tests against a gateway of their own, which lives as long as the block. */
export function describeGateway(
  name: string,
  tests: (gateway: () => TestGateway) => void,
  options: Omit<TestGatewayOptions, "engine" | "postgresUrl" | "postgresTemplate"> = {},
): void {
  // oxlint-disable-next-line vitest/valid-title -- who calls this gives it
  describe(name, () => {
    let gateway: TestGateway | undefined;
    beforeAll(async () => {
      const [postgresUrl, postgresTemplate] = [inject("postgresUrl"), inject("postgresTemplate")];
      gateway = await startGateway({ ...options, engine, postgresUrl, postgresTemplate });
    });
    afterAll(async () => {
      await gateway?.close();
    });
    tests(() => {
      if (gateway === undefined) throw new Error("the gateway is there within tests only");
      return gateway;
    });
  });
}
