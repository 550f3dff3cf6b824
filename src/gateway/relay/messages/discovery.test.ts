import Anthropic from "anthropic-sdk-1-12-0";
import Anthropic071 from "anthropic-sdk-0-71-2";
import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey } from "../../testing/factories.ts";
import { claude, withClaude } from "../../testing/scripted-setup.ts";

const clients: [string, typeof Anthropic][] = [
  ["1.12.0", Anthropic],
  ["0.71.2", Anthropic071 as unknown as typeof Anthropic],
];
const ids = ["acme/a", "acme/b", "acme/c", "acme/d", "acme/e"];

describeGateway("models as Anthropic's clients find them", (gateway) => {
  withClaude(gateway, { provider: { models: ids.map((id) => ({ id, ...claude, name: `Model ${id.slice(-1)}` })) } });
  let key = "";
  beforeEach(async () => {
    ({ key } = await makeKey(gateway()));
  });

  it.each(clients)("@anthropic-ai/sdk %s lists and reads them, under /v1 as well", async (_, Client) => {
    for (const baseURL of [gateway().url, `${gateway().url}/api`]) {
      const client = new Client({ apiKey: key, baseURL, maxRetries: 0 });
      const found = [];
      for await (const model of client.models.list({ limit: 2 })) found.push(model.id);
      expect(found).toEqual(ids);
      expect(await client.models.retrieve("acme/b")).toMatchObject({
        type: "model",
        id: "acme/b",
        display_name: "Model b",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      await expect(client.models.retrieve("acme/none")).rejects.toBeInstanceOf(Client.NotFoundError);
    }
  });

  const list = async (query: string, headers: Record<string, string> = { "anthropic-version": "2023-06-01" }) =>
    await gateway().call("GET", `/models${query}`, { key, headers });

  describe("the list", () => {
    it.each([
      ["", ids, false],
      ["?limit=2", ["acme/a", "acme/b"], true],
      ["?limit=2&after_id=acme/d", ["acme/e"], false],
      ["?limit=2&before_id=acme/d", ["acme/b", "acme/c"], true],
      ["?limit=9&before_id=acme/b", ["acme/a"], false],
      ["?after_id=acme/e", [], false],
    ])("%s holds %j, and whether there are more: %s", async (query, expected, more) => {
      const { json } = await list(query);
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual(expected);
      expect(json).toMatchObject({
        has_more: more,
        first_id: expected[0] ?? null,
        last_id: expected.at(-1) ?? null,
      });
    });

    it("400: a place that there is not, in the dialect's form", async () => {
      const answer = await list("?after_id=acme/zzz");
      expect([answer.status, answer.json.error.type]).toEqual([400, "invalid_request_error"]);
    });

    it("is the public API's without the header", async () => {
      const { json } = await list("", {});
      expect(json).not.toHaveProperty("has_more");
      expect(json.data[0]).not.toHaveProperty("display_name");
    });
  });

  it("every operation is served under /v1 as well", async () => {
    const answer = await fetch(`${gateway().url}/v1/key`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
  });
});
