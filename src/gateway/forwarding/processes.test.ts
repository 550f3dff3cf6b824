import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { startFakeSink } from "../testing/fake-sink.ts";
import { startFakeVendor } from "../testing/fake-vendor.ts";
import { addKey, addVendor, call, manage } from "../testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "../testing/process.ts";

/** What a process takes of the machine's memory; null where the system does not say. */
async function residentMb({ process: { pid } }: RunningGateway): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
}

it("keeps what a sink misses out of memory, and delivers all of it in order once the sink is back", async () => {
  const [gateway, vendor, sink] = await Promise.all([startGatewayProcess(), startFakeVendor(), startFakeSink()]);
  try {
    vendor.settings.dimensions = 4;
    await addVendor(gateway, vendor);
    const { key } = await addKey(gateway, null);
    const webhook = { name: "Sink", type: "webhook", config: { url: sink.url } };
    await manage(gateway, "POST", "/observability/destinations", webhook);
    sink.behave(() => ({ instead: "reset" }));
    const prompt = "the container is held at customs ".repeat(500);
    const [sessions, calls] = [40, 62];
    const sent = new Map<number, string[]>();
    const half = async (first: number) => {
      const one = async (session: number) => {
        const ids = sent.get(session) ?? [];
        sent.set(session, ids);
        for (let made = 0; made < calls; made += 1) {
          const body = { model: "acme/embed", input: `${prompt} ${made}`, session_id: `session ${session}` };
          ids.push((await call(gateway, key, "/embeddings", body)).id ?? "none");
        }
      };
      await Promise.all(Array.from({ length: sessions / 2 }, (_, index) => one(first + index)));
    };
    await half(0);
    await half(0);
    const before = await residentMb(gateway);
    await half(sessions / 2);
    await half(sessions / 2);
    // 2,480 prompts of 16 kB more wait than before: held in memory they would be 40 MB as bytes, twice that as text.
    if (before !== null) await expect.poll(async () => await residentMb(gateway)).toBeLessThan(before + 40);
    sink.behave(null);
    await sink.until(sessions * calls * 2);
    const arrived = new Map<string, number>();
    for (const [at, id] of sink.accepted.entries()) if (!arrived.has(id)) arrived.set(id, at);
    for (const ids of sent.values()) {
      const places = ids.map((id) => arrived.get(id) ?? Number.NaN);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  } finally {
    await Promise.all([gateway.dispose(), vendor.close(), sink.close()]);
  }
});
