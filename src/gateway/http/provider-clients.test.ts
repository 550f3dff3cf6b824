import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";

const official: [string, typeof OpenRouter][] = [
  ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
  ["1.3.19", OpenRouter],
];

describeGateway("the official client and what is offered", (gateway) => {
  beforeAll(async () => {
    await makeProvider(gateway(), {
      slug: "mistral",
      base_url: "http://127.0.0.1:1/v1",
      zdr: true,
      models: [
        {
          id: "acme/embed",
          upstream_id: "embed",
          type: "embedding",
          dimensions: 8,
          context_length: 512,
          pricing: { prompt: "0.000001" },
        },
        { id: "acme/talk", upstream_id: "talk", type: "chat", supported_parameters: ["tools", "tool_choice"] },
      ],
    });
  });

  describe.each(official)("%s", (_, Client) => {
    const client = (apiKey: string) =>
      new Client({ apiKey, serverURL: `${gateway().url}/api/v1`, retryConfig: { strategy: "none" } });

    it("lists providers, models and what serves them", async () => {
      const { providers, models, endpoints } = client(gateway().managementKey);
      expect((await providers.list()).data.map(({ slug }) => slug)).toEqual(
        expect.arrayContaining(["gatehouse", "mistral"]),
      );
      const listed: string[] = [];
      for await (const page of await models.list({ outputModalities: "all" }))
        listed.push(...page.result.data.map(({ id }) => id));
      expect(listed).toEqual([
        "acme/embed",
        "acme/talk",
        "gatehouse/lexical",
        "gatehouse/lexical-visual",
        "gatehouse/semantic-en",
      ]);
      expect((await models.count({ outputModalities: "all" })).data.count).toBe(5);
      expect((await models.list()).result.data.map(({ id }) => id)).toEqual(["acme/talk"]);
      expect((await models.count()).data.count).toBe(1);
      expect((await models.list({ category: "programming" })).result.data).toEqual([]);
      expect((await models.get({ author: "acme", slug: "talk" })).data).toMatchObject({
        id: "acme/talk",
        name: "talk",
      });
      const { data } = await endpoints.list({ author: "acme", slug: "embed" });
      expect(data.endpoints).toMatchObject([{ tag: "mistral", modelId: "acme/embed", contextLength: 512 }]);
      expect((await endpoints.listZdrEndpoints()).data.map(({ modelId }) => modelId)).toContain("acme/embed");
    });

    it("lists what a key may use", async () => {
      const { key } = await makeKey(gateway());
      const listed: string[] = [];
      for await (const page of await client(key).models.listForUser({ bearer: key }))
        listed.push(...page.result.data.map(({ id }) => id));
      expect(listed).toContain("acme/talk");
    });

    it("keeps provider keys", async () => {
      const { byok } = client(gateway().managementKey);
      const made = await byok.create({ createBYOKKeyRequest: { provider: "mistral", key: "sk-own-0123456789" } });
      expect(made.data).toMatchObject({ provider: "mistral", label: "sk-o...6789" });
      const { id } = made.data;
      expect((await byok.get({ id })).data).toEqual(made.data);
      const updated = await byok.update({ id, updateBYOKKeyRequest: { name: "ours", disabled: true } });
      expect(updated.data).toMatchObject({ name: "ours", disabled: true });
      const listed: string[] = [];
      for await (const page of await byok.list()) listed.push(...page.result.data.map((key) => key.id));
      expect(listed).toEqual([id]);
      expect((await byok.delete({ id })).deleted).toBe(true);
    });
  });
});
