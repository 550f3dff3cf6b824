import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import {
  byokAad,
  destinationAad,
  providerAad,
  signingKeyAad,
  videoAad,
  videoWebhookAad,
  videoWebhookUrlAad,
} from "./aad.ts";
import type { Deps } from "../context.ts";

/**
 * Re-encrypts every stored secret that was encrypted with an older key. All or nothing; secrets that are already
 * encrypted with the newest key are left alone, so it can be repeated.
 * @returns how many were re-encrypted
 * @throws WrongSecretKey when one of them cannot be opened with any known key; nothing is changed then
 */
export async function resealSecrets(deps: Pick<Deps, "store" | "secrets">): Promise<number> {
  const { secrets } = deps;
  const reseal = (sealed: string | null, aad: string): string | null =>
    sealed !== null && secrets.isOutdated(sealed) ? secrets.seal(secrets.open(sealed, aad), aad) : null;
  return await deps.store.db.transaction().execute(async (trx) => {
    let count = 0;
    for (const write of await outdated(trx, reseal)) {
      await write();
      count += 1;
    }
    return count;
  });
}

type Reseal = (sealed: string | null, aad: string) => string | null;
type Write = () => Promise<unknown>;

async function outdated(trx: Transaction<Tables>, reseal: Reseal): Promise<Write[]> {
  const providers = await trx.selectFrom("providers").select(["slug", "secret"]).forUpdate().execute();
  const keys = await trx.selectFrom("byok_keys").select(["id", "secret"]).forUpdate().execute();
  const destinations = await trx.selectFrom("destinations").select(["id", "config"]).forUpdate().execute();
  const jobs = await trx
    .selectFrom("video_jobs")
    .select(["id", "sealed", "result", "callback_url"])
    .forUpdate()
    .execute();
  const webhooks = await trx
    .selectFrom("video_webhooks")
    .select(["workspace_id", "url", "secret"])
    .forUpdate()
    .execute();
  const signingKeys = await trx.selectFrom("signing_keys").select(["kid", "sealed"]).forUpdate().execute();
  return [
    ...signingKeys.flatMap(({ kid, sealed: old }) => {
      const sealed = reseal(old, signingKeyAad(kid));
      return sealed === null
        ? []
        : [() => trx.updateTable("signing_keys").set({ sealed }).where("kid", "=", kid).execute()];
    }),
    ...jobs.flatMap(({ id, ...sealed }) =>
      (["sealed", "result", "callback_url"] as const).flatMap((name) => {
        const again = reseal(sealed[name], videoAad(id));
        return again === null
          ? []
          : [
              () =>
                trx
                  .updateTable("video_jobs")
                  .set({ [name]: again })
                  .where("id", "=", id)
                  .execute(),
            ];
      }),
    ),
    ...webhooks.flatMap((row) => {
      const { workspace_id: id } = row;
      const [url, secret] = [reseal(row.url, videoWebhookUrlAad(id)), reseal(row.secret, videoWebhookAad(id))];
      const again = { ...(url !== null && { url }), ...(secret !== null && { secret }) };
      const write = () => trx.updateTable("video_webhooks").set(again).where("workspace_id", "=", id).execute();
      return url === null && secret === null ? [] : [write];
    }),
    ...providers.flatMap(({ slug, secret: old }) => {
      const secret = reseal(old, providerAad(slug));
      return secret === null
        ? []
        : [() => trx.updateTable("providers").set({ secret }).where("slug", "=", slug).execute()];
    }),
    ...keys.flatMap(({ id, secret: old }) => {
      const secret = reseal(old, byokAad(id));
      return secret === null ? [] : [() => trx.updateTable("byok_keys").set({ secret }).where("id", "=", id).execute()];
    }),
    ...destinations.flatMap(({ id, config: old }) => {
      const config = reseal(old, destinationAad(id));
      return config === null
        ? []
        : [() => trx.updateTable("destinations").set({ config }).where("id", "=", id).execute()];
    }),
  ];
}
