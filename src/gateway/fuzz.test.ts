import { expect, it } from "vitest";
import { describeVerification, verifyLedger } from "./domain/ledger/verify.ts";
import { fuzz } from "./testing/fuzz-run.ts";
import { startGateway } from "./testing/gateway.ts";

it("answers 5,000 generated requests as the contract says, lives on, and its ledger agrees", async () => {
  const gateway = await startGateway();
  try {
    const { statuses, unexpected } = await fuzz(gateway.url, gateway.managementKey, 20_261_121, 5_000);
    process.stdout.write(`fuzzed: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    expect(unexpected).toEqual([]);
    expect((await gateway.call("GET", "/health", { key: null })).status).toBe(200);
    const verification = await verifyLedger(gateway.deps);
    const faults = [...verification.differences, ...verification.excesses];
    expect(faults, describeVerification(verification)).toEqual([]);
  } finally {
    await gateway.close();
  }
}, 600_000);
