import { type Kysely, sql } from "kysely";

/**
 * Takes what may be a token out of the addresses in the audit log and in destinations' last errors: all but the scheme
 * and the host. A workspace's video webhook itself is sealed at the start, which has the key.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const pattern = "^([a-zA-Z][a-zA-Z0-9+.-]*://)?([^/?#]*@)?([^/?#]*)[/?#].+$";
  const shown = (address: string) => `regexp_replace(${address}, '${pattern}', '\\1\\3/…')`;
  const cut = (json: string, path: string) =>
    `case when jsonb_typeof(${json} #> '${path}') = 'string'
       then jsonb_set(${json}, '${path}', to_jsonb(${shown(`${json} #>> '${path}'`)})) else ${json} end`;
  const change = (type: string, paths: readonly string[]) => {
    const sides = ["before", "after"].map((side) => `${side} = ${paths.reduce(cut, side)}`);
    return sql.raw(`update audit set ${sides.join(", ")} where target_type = '${type}'`);
  };
  await change("video_webhook", ["{url}"]).execute(db);
  for (const member of ["url", "baseUrl", "endpoint", "otlpEndpoint", "host"])
    await change("destination", [`{config,${member}}`]).execute(db);
  await sql
    .raw(`update forwarding set last_error = ${cut("last_error", "{request,url}")} where last_error is not null`)
    .execute(db);
}
