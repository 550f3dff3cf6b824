import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { resealContents } from "./reseal-contents.ts";
import { createSecretBox } from "./box.ts";

const [old, next, lost] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const workspace = "00000000-0000-4000-8000-00000000000a";
const destination = "00000000-0000-4000-8000-00000000000b";

describeGateway("resealContents", (gateway) => {
  it("encrypts what is kept of calls with the newest key, over several pages, and leaves what nobody can open", async () => {
    const { store, now } = gateway().deps;
    const before = createSecretBox([old]);
    const ids = Array.from({ length: 120 }, (_, index) => `gen-${String(index).padStart(4, "0")}`);
    for (const id of ids) {
      await store.pool.query(
        "insert into generation_contents (id, workspace_id, created_at, sealed) values ($1, $2, $3, $4)",
        [id, workspace, now(), before.seal(`content of ${id}`, `generation:${id}`)],
      );
    }
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
    const contents = await store.pool.query<{ id: string; sealed: string }>(
      "select id, sealed from generation_contents where workspace_id = $1 order by id",
      [workspace],
    );
    expect(contents.rows.map(({ id, sealed }) => after.open(sealed, `generation:${id}`))).toEqual(
      ids.map((id) => `content of ${id}`),
    );
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
