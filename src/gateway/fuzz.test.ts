import { expect, it } from "vitest";
import { describeVerification, verifyLedger } from "./domain/ledger/verify.ts";
import { fuzz } from "./testing/fuzz-run.ts";
import { startChatVendor } from "./testing/chat-vendor.ts";
import { startOnStore } from "./testing/describe-gateway.ts";
import { makeProvider } from "./testing/factories.ts";
import { studio } from "./testing/fuzz.ts";
import { isLong } from "./testing/rounds.ts";

const count = isLong ? 200_000 : 2_000;

it(`answers ${count} generated requests as the contract says, lives on, and its ledger agrees`, async () => {
  const [gateway, vendor] = await Promise.all([startOnStore(), startChatVendor()]);
  const pricing = { prompt: "0", character: "0.0000001", second: "0.0000001", output_image: "0.0000001" };
  await makeProvider(gateway, {
    slug: "studio",
    preset: "openai",
    base_url: vendor.url,
    models: studio.map((id) => {
      const type = id.replace("studio/", "") as "speech" | "transcription" | "image";
      return { id, upstream_id: type, type, pricing };
    }),
  });
  try {
    const { statuses, unexpected } = await fuzz(gateway.url, gateway.managementKey, 20_261_121, count);
    process.stdout.write(`fuzzed: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    expect(unexpected).toEqual([]);
    expect((await gateway.call("GET", "/health", { key: null })).status).toBe(200);
    const verification = await verifyLedger(gateway.deps);
    const faults = [...verification.differences, ...verification.excesses];
    expect(faults, describeVerification(verification)).toEqual([]);
  } finally {
    await gateway.close();
    await vendor.close();
  }
}, 3_600_000);
