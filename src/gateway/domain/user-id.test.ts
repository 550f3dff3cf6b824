import { describe, expect, it } from "vitest";
import { up as showNames } from "../storage/migrations/052-names-that-can-be-seen.ts";
import { up as spellOnce } from "../storage/migrations/053-spellings-of-user-ids.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { memberSpendId } from "./guardrails/budgets.ts";
import { userKey } from "./user-id.ts";

describe("the ids of one person have one key", () => {
  it.each(["ana@example.com", "ANA@example.com", " Ana@Example.COM\t", "ａｎａ@example.com", "a\u200bna@example.com"])(
    "%j",
    (id) => expect(userKey(id)).toBe("ana@example.com"),
  );
  it("whatever the letters", () => expect(userKey("STRASSE")).toBe(userKey("straße")));
});

describeGateway("a person's id", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const guardrail = async () => (await call("POST", "/guardrails", { body: { name: "g" } })).json.data.id as string;
  const membersOf = async (id: string) =>
    (await call("GET", `/guardrails/${id}/assignments/members`)).json.data.map(
      (one: { user_id: string }) => one.user_id,
    );

  it("is kept as it was written first, by keys, guardrails, own provider keys and filters", async () => {
    const { record: first } = await makeKey(gateway(), { creator_user_id: "User_Ana" });
    const { record: second } = await makeKey(gateway(), { creator_user_id: " uSER_aNA " });
    expect([first.creator_user_id, second.creator_user_id]).toEqual(["User_Ana", "User_Ana"]);
    const id = await guardrail();
    const path = `/guardrails/${id}/assignments/members`;
    const body = { member_user_ids: ["user_ana", "USER_ANA"] };
    expect((await call("POST", path, { body })).json).toEqual({ assigned_count: 1 });
    expect(await membersOf(id)).toEqual(["User_Ana"]);
    for (const user of ["USER_ANA", "user_ana"]) {
      const { json } = await call("GET", `/keys?creator=${user}`);
      expect(json.data.map(({ hash }: { hash: string }) => hash).toSorted()).toEqual(
        [first.hash, second.hash].toSorted(),
      );
      expect((await call("GET", `/guardrails/assignments/members?user_id=${user}`)).json.total_count).toBe(1);
    }
    expect((await call("POST", `${path}/remove`, { body: { member_user_ids: ["uSeR_aNa"] } })).json).toEqual({
      unassigned_count: 1,
    });
    const provider = await makeProvider(gateway(), { slug: "own", base_url: "http://127.0.0.1:9/v1", models: [] });
    const own = { provider: provider.slug, key: "sk-own-0123456789abcdef", allowed_user_ids: ["user_ana", "USER_ANA"] };
    const { json } = await call("POST", "/byok", { body: own });
    expect(json.data.allowed_user_ids).toEqual(["User_Ana"]);
    const changed = await call("PATCH", `/byok/${json.data.id}`, { body: { allowed_user_ids: ["Bo", "user_ana"] } });
    expect(changed.json.data.allowed_user_ids).toEqual(["Bo", "User_Ana"]);
  });

  it("has one spelling in a store of a version before, and what directories pushed can be seen", async () => {
    const { db, pool } = gateway().deps.store;
    const upper = "0A0B0C0D-0000-4000-8000-00000000000E";
    const [small, large, person] = await Promise.all(
      ["member-x", "other", "person"].map(async (creator_user_id) => {
        return (await makeKey(gateway(), { creator_user_id })).record.hash;
      }),
    );
    const [old, last] = [await guardrail(), await guardrail()];
    await pool.query("drop table user_ids");
    await pool.query("update api_keys set creator_user_id = 'Member-X ' where hash = $1", [large]);
    await pool.query("update api_keys set creator_user_id = $2 where hash = $1", [person, upper]);
    await pool.query(
      `insert into guardrail_members (id, guardrail_id, user_id, spend_id, created_at) values
         (gen_random_uuid(), $1, 'member-x', $3, now() - interval '1 hour'),
         (gen_random_uuid(), $2, 'MEMBER-X', $4, now())`,
      [old, last, memberSpendId("member-x"), memberSpendId("MEMBER-X")],
    );
    await spellOnce(db as never);
    const { rows } = await pool.query("select creator_user_id as id from api_keys where hash = any($1) order by 1", [
      [small, large, person],
    ]);
    expect(rows).toEqual([{ id: upper.toLowerCase() }, { id: "MEMBER-X" }, { id: "MEMBER-X" }]);
    expect([await membersOf(old), await membersOf(last)]).toEqual([[], ["MEMBER-X"]]);
    const members = await pool.query("select spend_id from guardrail_members where guardrail_id = $1", [last]);
    expect(members.rows).toEqual([{ spend_id: memberSpendId("MEMBER-X") }]);

    const named = "insert into scim_users (id, user_name, display_name, active, created_at, updated_at) values ";
    await pool.query(`${named} (gen_random_uuid(), $1, $2, true, now(), now())`, ["an\u200ba", "\u202eZoë 👩‍👩‍👧‍👦"]);
    await showNames(db as never);
    const users = await pool.query("select user_name, display_name from scim_users");
    expect(users.rows).toEqual([{ user_name: "ana", display_name: "Zoë 👩‍👩‍👧‍👦" }]);
  });
});
