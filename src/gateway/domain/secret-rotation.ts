import type { Transaction } from "kysely";
import type { Tables } from "../storage/tables.ts";
import { byokPlace, providerPlace } from "./catalog-read.ts";
import type { Deps } from "./context.ts";
import { destinationPlace } from "./destinations.ts";

/**
 * Encrypts every stored secret anew that an older key has encrypted. All or nothing; what is encrypted with the newest
 * key already is left alone, so it may be repeated.
 * @returns how many were encrypted anew
 * @throws WrongSecretKey when one of them cannot be opened with any known key; nothing is changed then
 */
export async function resealSecrets(deps: Pick<Deps, "store" | "secrets">): Promise<number> {
  const { secrets } = deps;
  const anew = (sealed: string | null, place: string): string | null =>
    sealed !== null && secrets.isOutdated(sealed) ? secrets.seal(secrets.open(sealed, place), place) : null;
  return await deps.store.db.transaction().execute(async (trx) => {
    let count = 0;
    for (const write of await outdated(trx, anew)) {
      await write();
      count += 1;
    }
    return count;
  });
}

type Anew = (sealed: string | null, place: string) => string | null;
type Write = () => Promise<unknown>;

async function outdated(trx: Transaction<Tables>, anew: Anew): Promise<Write[]> {
  const providers = await trx.selectFrom("providers").select(["slug", "secret"]).forUpdate().execute();
  const keys = await trx.selectFrom("byok_keys").select(["id", "secret"]).forUpdate().execute();
  const destinations = await trx.selectFrom("destinations").select(["id", "config"]).forUpdate().execute();
  return [
    ...providers.flatMap(({ slug, secret: old }) => {
      const secret = anew(old, providerPlace(slug));
      return secret === null
        ? []
        : [() => trx.updateTable("providers").set({ secret }).where("slug", "=", slug).execute()];
    }),
    ...keys.flatMap(({ id, secret: old }) => {
      const secret = anew(old, byokPlace(id));
      return secret === null ? [] : [() => trx.updateTable("byok_keys").set({ secret }).where("id", "=", id).execute()];
    }),
    ...destinations.flatMap(({ id, config: old }) => {
      const config = anew(old, destinationPlace(id));
      return config === null
        ? []
        : [() => trx.updateTable("destinations").set({ config }).where("id", "=", id).execute()];
    }),
  ];
}
