import { type Kysely, sql } from "kysely";

const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const drawn = /(\p{RGI_Emoji}|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|(?<=\p{M})[\u200c\u200d](?=\p{L}))/gv;

const tables = {
  scim_users: ["user_name", "external_id", "display_name", "formatted_name", "given_name", "family_name", "email"],
  scim_groups: ["external_id", "display_name"],
} as const;

/**
 * What directories have pushed, without characters that cannot be seen: that is how it is kept and looked for from now on.
 * A user name that another person has then, or of which nothing is left, stays what it was.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    for (const column of columns) {
      const { rows } = await sql<{ id: string; text: string }>`
        select id, ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} ~ '[^ -~]'`.execute(db);
      for (const { id, text } of rows) {
        // Split by a pattern with a group: every second part is one that stays.
        const parts = text.split(drawn).map((part, at) => (at % 2 === 1 ? part : part.replace(hidden, "")));
        const visible = parts.join("");
        if (visible === text || visible.trim() === "") continue;
        const isFree =
          column === "user_name"
            ? sql`not exists (select from scim_users where lower(user_name) = lower(${visible}))`
            : sql`true`;
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${visible} where id = ${id} and ${isFree}`.execute(
          db,
        );
      }
    }
  }
}
