import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { purgeExcess } from "../domain/bodies/purge.ts";
import { idempotencyMs } from "../domain/idempotency.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";

describeGateway("a request that is repeated with its Idempotency-Key", (gateway) => {
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
    [
      "/byok",
      async () => {
        const { slug: provider } = await makeProvider(gateway(), {
          slug: slug(),
          base_url: "http://127.0.0.1:9/v1",
          models: [],
        });
        return { provider, key: "sk-own-0123456789", name: "Own" };
      },
      { key: "sk-own-9876543210" },
    ],
  ];
  it.each(creations.slice(1))("POST %s answers 409 once what the first one made is deleted", async (path, makeBody) => {
    const body = await makeBody();
    const headers = { "idempotency-key": randomUUID() };
    const { id } = (await call("POST", path, { body, headers })).json.data;
    expect((await call("DELETE", `${path}/${id}`)).status).toBe(200);
    expectError(await call("POST", path, { body, headers }), "conflict", /was deleted since: send a new one/);
  });

  it.each([
    ["/keys", async () => (await makeKey(gateway())).record.hash],
    [
      "/management-keys",
      async () => (await call("POST", "/management-keys", { body: { name: "CI" } })).json.data.hash as string,
    ],
  ])("POST %s/{hash}/rotate makes one successor, however often it comes", async (path, makeHash) => {
    const hash = await makeHash();
    const headers = { "idempotency-key": randomUUID() };
    const rotate = (grace_seconds = 60) => call("POST", `${path}/${hash}/rotate`, { headers, body: { grace_seconds } });
    const first = await rotate();
    expect(first.status).toBe(201);
    const again = await rotate();
    expectError(again, "conflict", /was used before for the same request/);
    expect(again.json.error.metadata.data.hash).toBe(first.json.data.hash);
    expect(again.text).not.toContain(first.json.key);
    expectError(await rotate(0), "conflict", /was used for a different request/);
  });

  it("is forgotten after a day, without another such request", async () => {
    const headers = { "idempotency-key": randomUUID() };
    await call("POST", "/workspaces", { body: { name: "Repeated", slug: slug() }, headers });
    const { store, now } = gateway().deps;
    const known = async () =>
      (await store.db.selectFrom("idempotency").select("key").where("key", "=", headers["idempotency-key"]).execute())
        .length;
    gateway().clock.advance(idempotencyMs - 1);
    await purgeExcess(store, now());
    expect(await known()).toBe(1);
    gateway().clock.advance(1);
    await purgeExcess(store, now());
    expect(await known()).toBe(0);
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
