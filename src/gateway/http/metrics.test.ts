import { describe, expect, it } from "vitest";
import { withGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import type { Answer } from "../testing/gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const token = "a-token-for-the-scraper-alone";

const gateway = withGateway({ env: { GATEHOUSE_METRICS_TOKEN: token } });

async function scrape(bearer: string | null): Promise<Answer> {
  const headers: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(`${gateway().url}/metrics`, { headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: answer.ok ? undefined : JSON.parse(text) };
}

describe("GET /metrics", () => {
  const vendor = withVendor(gateway);
  const call = (key: string, messages: object[]) =>
    gateway().call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages } });
  const messages = [{ role: "user", content: "Say hello to me" }];

  it("200: what calls came to, in Prometheus' text format, with bounded labels", async () => {
    const { key, record } = await makeKey(gateway());
    expect((await call(key, messages)).status).toBe(200);
    vendor().fail({ type: "status", status: 500 }, 1);
    expect((await call(key, messages)).status).toBe(502);
    expect((await call(key, [])).status).toBe(400);
    const url = "http://127.0.0.1:1/";
    const body = { name: "Sink", type: "webhook", config: { url } };
    const destination = (await gateway().call("POST", "/observability/destinations", { body })).json.data.id as string;

    await makeKey(gateway(), { limit: 0 });
    for (const limit of [0, 0, 1]) await makeKey(gateway(), { limit, limit_watch_only: true });

    // A scrape waits for the store for two seconds only.
    const { status, headers, text } = await eventually(
      () => scrape(token),
      (answer) => answer.text.includes("gatehouse_keys_over_limit{"),
    );
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = text.split("\n");
    for (const line of [
      'gatehouse_calls_total{api="completions",provider="acme",status="200"} 1',
      'gatehouse_calls_total{api="completions",provider="acme",status="502"} 1',
      'gatehouse_completion_tokens_total{api="completions",provider="acme",status="200"} 6',
      'gatehouse_spend_usd_total{api="completions",provider="acme",status="200"} 0.000016',
      'gatehouse_provider_failures_total{provider="acme",status="500"} 1',
      'gatehouse_refusals_total{reason="invalid_request"} 1',
      'gatehouse_call_duration_seconds_count{api="completions"} 2',
      "gatehouse_commit_duration_seconds_count 2",
      "gatehouse_commits_pending 0",
      "gatehouse_store_troubled 0",
      "gatehouse_leases 0",
      'gatehouse_keys_over_limit{watch_only="false"} 1',
      'gatehouse_keys_over_limit{watch_only="true"} 2',
      `gatehouse_destination_dead_letters{destination="${destination}"} 0`,
    ]) {
      expect(lines).toContain(line);
    }
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).not.toContain(record.hash.slice(0, 12));
    // Counted once, however often it is scraped.
    expect((await scrape(token)).text).toContain(
      'gatehouse_calls_total{api="completions",provider="acme",status="200"} 1\n',
    );
  });

  it("200: with a management key; 401 and 403 for everybody else; and the token opens nothing else", async () => {
    expect((await scrape(gateway().managementKey)).status).toBe(200);
    expectError(await scrape(null), "authentication", /management key/);
    expectError(await scrape(`${token}x`), "authentication", /./);
    expectError(await scrape((await makeKey(gateway())).key), "permission_denied", /management keys/);
    expect((await gateway().call("GET", "/keys", { key: token })).status).toBe(401);
  });
});
