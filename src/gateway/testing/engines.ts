import { afterAll, beforeAll, describe, inject } from "vitest";
import { startGateway, type TestGateway, type TestGatewayOptions } from "./gateway.ts";
import "./vitest-setup.ts";

export type Engine = "embedded" | "postgres";

export const engines: readonly Engine[] = ["embedded", "postgres"];

/** Runs the same tests on both engines, each with a gateway of its own that lives as long as the block. */
export function describeOnEngines(
  name: string,
  tests: (gateway: () => TestGateway, engine: Engine) => void,
  options: Omit<TestGatewayOptions, "engine" | "postgresUrl"> = {},
): void {
  describe.each(engines)(`${name} on the %s store`, (engine) => {
    let gateway: TestGateway | undefined;
    beforeAll(async () => {
      gateway = await startGateway({ ...options, engine, postgresUrl: inject("postgresUrl") });
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
