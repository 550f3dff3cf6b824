import type { TestGateway } from "./gateway.ts";

/** Resolves once a gateway has seen what came on other connections before: calls that come after it are answered after it. */
export async function caughtUp(gateway: TestGateway, key: string): Promise<void> {
  for (let call = 0; call < 5; call += 1) await gateway.call("GET", "/key", { key });
}
