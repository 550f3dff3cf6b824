import { describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";
import { json } from "../../testing/scripted-vendor.ts";

const talked = json({
  choices: [{ index: 0, message: { role: "assistant", content: "b" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const models = [
  { id: "acme/chat", upstream_id: "chat", type: "chat" as const, pricing: { prompt: "0", completion: "0" } },
];
const say = (content: string) => ({ messages: [{ role: "user", content }], max_tokens: 5 });
const batch = (name: string, count: number) => ({
  endpoint: "/v1/chat/completions",
  model: "acme/chat",
  requests: Array.from({ length: count }, (_, at) => ({ custom_id: `${at}`, body: say(name) })),
});

describeGateway(
  "batches among other calls",
  (gateway) => {
    describe("batches beside other calls", () => {
      const vendor = withMediaVendor(gateway, { slug: "acme", models });
      const submit = async (key: string, body: object) =>
        (await gateway().call("POST", "/batches", { key, body })).json.id as string;
      const of = (name: string) => vendor().requests.flatMap(({ body }, at) => (body.includes(name) ? [at] : []));

      describe("with room for four calls", () => {
        it("hold one of them, however long it takes", async () => {
          const { key } = await makeKey(gateway());
          let hangs = true;
          vendor().requests.length = 0;
          vendor().answer(({ body }) => (hangs && body.includes("background") ? { ...talked, end: "hang" } : talked));
          const id = await submit(key, batch("background", 10));
          await eventually(
            () => of("background").length,
            (count) => count === 1,
          );
          for (let count = 0; count < 6; count += 1) {
            const direct = await gateway().call("POST", "/chat/completions", {
              key,
              body: { model: "acme/chat", ...say("direct") },
            });
            expect(direct.status, direct.text).toBe(200);
          }
          expect(of("background")).toHaveLength(1);
          await gateway().call("POST", `/batches/${id}/cancel`, { key });
          hangs = false;
        });
      });
    });

    describe("batches of several keys", () => {
      const vendor = withMediaVendor(gateway, { slug: "acme", models });

      it.each(["key", "workspace"])("leave half of a rate of their %s to other calls", async (whose) => {
        const rate = { requests_per_minute: 9 };
        const workspace = await makeWorkspace(gateway(), whose === "workspace" ? rate : {});
        const { key } = await makeKey(gateway(), { workspace_id: workspace.id, ...(whose === "key" ? rate : {}) });
        vendor().answer(talked);
        const made = await gateway().call("POST", "/batches", { key, body: batch("background", 12) });
        const id = made.json.id as string;
        const waiting = () =>
          gateway()
            .deps.store.db.selectFrom("batch_requests")
            .select("n")
            .where("batch_id", "=", id)
            .where("state", "=", "queued")
            .where("request_id", "is not", null)
            .execute();
        // Some were refused by the gateway, and have to wait.
        await eventually(waiting, (rows) => rows.length > 0);
        await eventually(
          async () => (await gateway().call("GET", `/batches/${id}`, { key })).json.request_counts,
          ({ completed }) => completed === 5,
        );
        const statuses = [];
        for (let count = 0; count < 5; count += 1) {
          const { status } = await gateway().call("POST", "/chat/completions", {
            key,
            body: { model: "acme/chat", ...say("direct") },
          });
          statuses.push(status);
        }
        expect(statuses).toEqual([200, 200, 200, 200, 429]);
        await gateway().call("POST", `/batches/${id}/cancel`, { key });
      });

      it("take turns", async () => {
        const [one, other] = [await makeKey(gateway()), await makeKey(gateway())];
        vendor().answer({ ...talked, pieces: ["", ...talked.pieces], betweenMs: 50 });
        const ids = [];
        for (const [{ key }, name, count] of [
          [one, "first", 12],
          [other, "second", 3],
        ] as const) {
          ids.push((await gateway().call("POST", "/batches", { key, body: batch(name, count) })).json.id as string);
        }
        for (const id of ids) {
          await eventually(
            async () => (await gateway().call("GET", `/batches/${id}`)).json.status,
            (status) => status === "completed",
          );
        }
        const names = vendor().requests.map(({ body }) => (body.includes("second") ? "second" : "first"));
        const [begun = 0, ...rest] = names.flatMap((name, at) => (name === "second" ? [at] : []));
        // One of the first at most between two of the second.
        expect((rest.at(-1) ?? 0) - begun).toBeLessThanOrEqual(4);
      });
    });
  },
  { env: { GATEHOUSE_CALLS: "4" } },
);
