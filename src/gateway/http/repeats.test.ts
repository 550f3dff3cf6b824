import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../testing/engines.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeWorkspace } from "../testing/factories.ts";

describeOnEngines("a request that is repeated with its Idempotency-Key", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);

  const slug = () => `repeated-${randomUUID().slice(0, 8)}`;
  const creations: [path: string, makeBody: () => Promise<object>, other: object][] = [
    ["/credits", async () => ({ amount_usd: 5 }), { amount_usd: 6 }],
    ["/workspaces", async () => ({ name: "Repeated", slug: slug() }), { name: "Another" }],
    [
      "/observability/destinations",
      async () => ({
        name: "Sink",
        type: "webhook",
        config: { url: "http://127.0.0.1:9/", headers: { authorization: "Bearer of-the-sink" } },
        enabled: false,
        workspace_id: (await makeWorkspace(gateway())).id,
      }),
      { name: "Another" },
    ],
  ];
  it.each(creations.slice(1))("POST %s answers 409 once what the first one made is deleted", async (path, makeBody) => {
    const body = await makeBody();
    const headers = { "idempotency-key": randomUUID() };
    const { id } = (await call("POST", path, { body, headers })).json.data;
    expect((await call("DELETE", `${path}/${id}`)).status).toBe(200);
    expectError(await call("POST", path, { body, headers }), "conflict", /was deleted since: send a new one/);
  });

  describe.each(creations)("POST %s", (path, makeBody, other) => {
    const entries = async () => (await call("GET", "/audit?limit=100")).json.data.length as number;

    it("is done once, and answered with what the first one made, however many come at once", async () => {
      const body = await makeBody();
      const before = await entries();
      const headers = { "idempotency-key": randomUUID() };
      const answers = await Promise.all(Array.from({ length: 4 }, () => call("POST", path, { body, headers })));
      answers.push(await call("POST", path, { body, headers }));
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
      expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1);
      expect(await entries()).toBe(before + 1);
      const changed = await call("POST", path, { body: { ...body, ...other }, headers });
      expectError(changed, "conflict", /was used for a different request/);
    });

    it("is done each time without one, and refused with one that is none", async () => {
      const body = await makeBody();
      const [first, second] = [
        await call("POST", path, { body }),
        await call("POST", path, { body: { ...body, ...("slug" in body ? { slug: slug() } : {}) } }),
      ];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(first.json.data.id).not.toBe(second.json.data.id);
      const headers = { "idempotency-key": "a b" };
      expectError(await call("POST", path, { body, headers }), "invalid_request", /Idempotency-Key/);
    });
  });
});
