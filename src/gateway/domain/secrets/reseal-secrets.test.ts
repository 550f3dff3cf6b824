import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { createSecretBox } from "./box.ts";
import { resealSecrets } from "./reseal-secrets.ts";

const [old, next] = ["a".repeat(40), "b".repeat(40)];

describeGateway("resealSecrets", (gateway) => {
  it("encrypts providers', workspaces' and destinations' secrets with the newest key, all or none", async () => {
    const { store } = gateway().deps;
    const before = createSecretBox([old]);
    const id = "00000000-0000-4000-8000-000000000001";
    const aads = { provider: "provider:acme", byok: `byok:${id}`, destination: `destination:${id}` };
    await store.pool.query(
      "insert into providers (slug, name, kind, preset, secret, created_at) values ('acme', 'Acme', 'cohere', 'cohere', $1, now())",
      [before.seal("one", aads.provider)],
    );
    await store.pool.query(
      "insert into byok_keys (id, workspace_id, provider, secret, label, sort_order, created_at) select $1, id, 'acme', $2, '...', 0, now() from workspaces limit 1",
      [id, before.seal("two", aads.byok)],
    );
    await store.pool.query(
      `insert into destinations (id, workspace_id, type, name, enabled, config, privacy_mode, sampling_rate,
         broadcast_cost, broadcast_identity, broadcast_request_context, regions, created_at, updated_at)
       select $1, id, 'webhook', 'sink', true, $2, false, 1, true, true, true, '{}', now(), now() from workspaces limit 1`,
      [id, before.seal("three", aads.destination)],
    );

    await expect(resealSecrets({ store, secrets: createSecretBox([next]) })).rejects.toThrow(/not known here/);
    const sealed = async () => {
      const { rows } = await store.pool.query<{ secret: string }>(
        `select secret, 1 as place from providers where secret is not null union all select secret, 2 from byok_keys
         union all select config, 3 from destinations order by place`,
      );
      return rows.map(({ secret }) => secret);
    };
    expect((await sealed()).every((secret) => !before.isOutdated(secret))).toBe(true);

    expect(await resealSecrets({ store, secrets: createSecretBox([next, old]) })).toBe(3);
    const after = createSecretBox([next]);
    const [one = "", two = "", three = ""] = await sealed();
    expect(after.open(one, aads.provider)).toBe("one");
    expect(after.open(two, aads.byok)).toBe("two");
    expect(after.open(three, aads.destination)).toBe("three");
    expect(await resealSecrets({ store, secrets: createSecretBox([next, old]) })).toBe(0);
  });
});
