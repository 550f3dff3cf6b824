import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { resealContents } from "./reseal-contents.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { createSecretBox } from "./box.ts";

const [old, next, lost] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const workspace = "00000000-0000-4000-8000-00000000000a";
const destination = "00000000-0000-4000-8000-00000000000b";

describeGateway("a new secret key", (gateway) => {
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

  it("encrypts what is kept of calls with the newest key, over several pages, and leaves what nobody can open", async () => {
    const { store, now } = gateway().deps;
    const before = createSecretBox([old]);
    const ids = Array.from({ length: 120 }, (_, index) => `gen-${String(index).padStart(4, "0")}`);
    const insert = "insert into generation_contents (id, workspace_id, created_at, sealed) values ($1, $2, $3, $4)";
    for (const id of ids)
      await store.pool.query(insert, [id, workspace, now(), before.seal(`content of ${id}`, `generation:${id}`)]);
    const blob = before.seal("blob", `bodies:${workspace}`);
    const letter = createSecretBox([lost]).seal("letter", "generation:gen-dead");
    await store.pool.query(
      "insert into forwarding_bodies (workspace_id, n, created_at, bytes, sealed) values ($1, 0, $2, 1, $3)",
      [workspace, now(), blob],
    );
    await store.pool.query(
      `insert into dead_letters (destination_id, id, workspace_id, created_at, died_at, attempts, answer, sealed, replay)
       values ($1, 'gen-dead', $2, $3, $3, 1, '{}', $4, false)`,
      [destination, workspace, now(), letter],
    );

    const both = createSecretBox([next, old]);
    expect(await resealContents({ store, secrets: both })).toEqual({ resealed: 121, unreadable: 1 });

    const after = createSecretBox([next]);
    const kept = "select id, sealed from generation_contents where workspace_id = $1 order by id";
    const { rows } = await store.pool.query<{ id: string; sealed: string }>(kept, [workspace]);
    const opened = rows.map(({ id, sealed }) => after.open(sealed, `generation:${id}`));
    expect(opened).toEqual(ids.map((id) => `content of ${id}`));
    const blobs = await store.pool.query<{ sealed: string }>("select sealed from forwarding_bodies");
    expect(blobs.rows.map(({ sealed }) => after.open(sealed, `bodies:${workspace}`))).toEqual(["blob"]);
    const letters = await store.pool.query<{ sealed: string }>("select sealed from dead_letters");
    expect(letters.rows).toEqual([{ sealed: letter }]);
    expect(await resealContents({ store, secrets: both })).toEqual({ resealed: 0, unreadable: 1 });
  });

  it("leaves alone what is deleted or written again while it reads", async () => {
    const { store, now } = gateway().deps;
    const place = ["00000000-0000-4000-8000-00000000000c", now(), "batch-1"];
    const sealed = createSecretBox([old]).seal("a key", "batch:batch-1");
    await store.pool.query(
      `insert into batches (workspace_id, created_at, id, form, key_hash, spend_id, endpoint, status, sealed, expires_at)
       values ($1, $2, $3, 'public', 'h', $1, '/v1/embeddings', 'completed', $4, $2)`,
      [...place, sealed],
    );
    const both = createSecretBox([next, old]);
    // the row is deleted once it was read, before it is written
    const pool = new Proxy(store.pool, {
      get: (real, name) =>
        name !== "query"
          ? Reflect.get(real, name)
          : async (text: string, values: unknown[]) => {
              const found = await real.query(text, values);
              if (/^select .* from batches/.test(text))
                await real.query("update batches set status = 'deleted', sealed = '' where id = 'batch-1'");
              return found;
            },
    });
    expect((await resealContents({ store: { ...store, pool }, secrets: both })).resealed).toBe(0);
    const { rows } = await store.pool.query("select sealed from batches where id = 'batch-1'");
    expect(rows).toEqual([{ sealed: "" }]);
  });
});
