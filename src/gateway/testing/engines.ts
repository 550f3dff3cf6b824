import { afterAll, beforeAll, describe, inject } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import "./vitest-setup.ts";

export type Engine = "embedded" | "postgres";

const both: readonly Engine[] = ["embedded", "postgres"];
/** All of them, or the one that GATEHOUSE_TEST_ENGINE names. */
export const engines = both.filter((engine) => engine === (process.env["GATEHOUSE_TEST_ENGINE"] ?? engine));

/** Runs the same tests on every engine, each with a gateway of its own that lives as long as the block. */
export function describeOnEngines(
  name: string,
  tests: (gateway: () => TestGateway, engine: Engine) => void,
  options: Omit<TestGatewayOptions, "engine" | "postgresUrl" | "postgresTemplate"> = {},
): void {
  describe.each(engines)(`${name} on the %s store`, (engine) => {
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
    }, engine);
  });
}
