import Anthropic from "anthropic-sdk-1-12-0";
import Anthropic071 from "anthropic-sdk-0-71-2";
import { beforeEach, describe, expect, it } from "vitest";
import {
  cancelMessageBatch,
  createMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  getMessageBatchResults,
} from "#contract/message-batches.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey } from "../../testing/factories.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { withClaude } from "../../testing/scripted-setup.ts";

const clients: [string, typeof Anthropic][] = [
  ["1.12.0", Anthropic],
  ["0.71.2", Anthropic071 as unknown as typeof Anthropic],
];
const params = (content: string, model = "acme/claude") => ({
  model,
  max_tokens: 200,
  messages: [{ role: "user" as const, content }],
});

describeGateway("batches of Anthropic's own clients", (gateway) => {
  const vendor = withClaude(gateway);

  describe.each(clients)("@anthropic-ai/sdk %s", (_, Client) => {
    let client: Anthropic;
    beforeEach(async () => {
      const { key } = await makeKey(gateway());
      client = new Client({ apiKey: key, baseURL: `${gateway().url}/api`, maxRetries: 0 });
      vendor().answer(answeringWhole());
    });
    const ended = async (id: string) =>
      await eventually(
        () => client.messages.batches.retrieve(id),
        ({ processing_status: status }) => status === "ended",
      );

    it(`has ${createMessageBatch.name} answered, and reads the results line by line`, async () => {
      const requests = [
        { custom_id: "first", params: params("a") },
        { custom_id: "lost", params: params("b", "acme/none") },
        { custom_id: "last", params: params("c") },
      ];
      const made = await client.messages.batches.create({ requests });
      expect(made).toMatchObject({
        type: "message_batch",
        processing_status: "in_progress",
        request_counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
        ended_at: null,
        results_url: null,
      });
      const batch = await ended(made.id);
      expect(batch.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 });
      const lines = [];
      for await (const line of await client.messages.batches.results(made.id)) lines.push(line);
      expect(lines.map(({ custom_id: id, result }) => [id, result.type])).toEqual([
        ["first", "succeeded"],
        ["lost", "errored"],
        ["last", "succeeded"],
      ]);
      const [first, lost] = lines.map(({ result }) => result);
      expect(first).toMatchObject({ message: { type: "message", model: "acme/claude", usage: { input_tokens: 100 } } });
      expect(lost).toMatchObject({ error: { type: "error", error: { type: "not_found_error" } } });
    });

    it(`pages through them, and ${cancelMessageBatch.name}, ${deleteMessageBatch.name} and ${getMessageBatch.name} say what they do`, async () => {
      const ids: string[] = [];
      for (const text of ["a", "b", "c"]) {
        gateway().clock.advance(10);
        const { id } = await client.messages.batches.create({ requests: [{ custom_id: "x", params: params(text) }] });
        await ended(id);
        ids.unshift(id);
      }
      const listed = [];
      for await (const { id } of client.messages.batches.list({ limit: 2 })) listed.push(id);
      expect(listed).toEqual(ids);
      const before = await client.messages.batches.list({ limit: 2, before_id: ids[2] ?? "" });
      expect(before.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      const [id = ""] = ids;
      expect((await client.messages.batches.cancel(id)).processing_status).toBe("ended");
      expect(await client.messages.batches.delete(id)).toMatchObject({ id, type: "message_batch_deleted" });
      await expect(client.messages.batches.retrieve(id)).rejects.toBeInstanceOf(Client.NotFoundError);
    });

    it(`409 from ${getMessageBatchResults.name} before the end; what is cancelled says so`, async () => {
      vendor().answer({ headers: { "content-type": "application/json" }, pieces: ["{"], end: "hang" });
      const requests = Array.from({ length: 30 }, (_, index) => ({ custom_id: `c${index}`, params: params("a") }));
      const sent = vendor().requests.length;
      const { id } = await client.messages.batches.create({ requests });
      // what was sent goes on, and is not among what is cancelled
      await eventually(
        async () => vendor().requests.length,
        (count) => count > sent,
      );
      const path = `/messages/batches/${id}/results`;
      const early = await gateway().call("GET", path, { key: client.apiKey ?? "" });
      expect([early.status, early.json.error.type]).toEqual([409, "conflict_error"]);
      expect((await client.messages.batches.cancel(id)).processing_status).toBe("canceling");
      const batch = await eventually(
        () =>
          gateway()
            .deps.store.db.selectFrom("batches")
            .select("cancelled")
            .where("id", "=", id)
            .executeTakeFirstOrThrow(),
        ({ cancelled }) => cancelled >= 22,
      );
      expect(batch.cancelled).toBeLessThan(30);
    });
  });
});
