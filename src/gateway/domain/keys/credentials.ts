import type { KeyPurpose } from "#contract/keys.ts";
import type { UnusableReason } from "#contract/refused-calls.ts";
import type { Actor, Deps } from "../context.ts";
import { customLabel, hashKey, type KeyKind, readKey } from "./format.ts";
import type { LimitSettings } from "../ledger/limits.ts";
import { makersOf } from "../ledger/limit-reads.ts";
import { enforcedLimits, type KeyRow } from "./record.ts";
import { Refusal } from "../refusal.ts";
import { storeAway } from "../store-away.ts";

/** The part of a key that every call needs. Its spending is not here: the ledger has it. */
export interface Credential {
  readonly hash: string;
  readonly kind: KeyKind;
  readonly purpose: KeyPurpose | null;
  readonly actor: Actor;
  readonly name: string;
  readonly label: string;
  /** null for management keys */
  readonly workspaceId: string | null;
  readonly creatorUserId: string | null;
  readonly spendId: string;
  /** whose rate limits it counts toward: its own, or of the key that had it made */
  readonly rateScope: string;
  /** its own limits, of those that can refuse a call */
  readonly limits: readonly LimitSettings[];
  /** what had it made, and limits it as well; null: no other key */
  readonly maker: Maker | null;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly disabled: boolean;
  readonly expiresAt: Date | null;
  readonly deletedAt: Date | null;
  /** as of when the key was read; for an ordinary key, the ledger is more current */
  readonly lastUsedAt: Date | null;
}

/** The key that had another one made: their calls share its count and its rates. */
export interface Maker {
  readonly spendId: string;
  /** itself and its successors, each with its own limits of those that can refuse a call */
  readonly keys: readonly Pick<Credential, "hash" | "limits">[];
}

/** Keys by hash, cached briefly. One per process. */
export interface CredentialCache {
  /** null: no such key */
  read(deps: Deps, hash: string): Promise<Credential | null>;
  /** true for the hash of a management key that the administrator supplied and that is not in Gatehouse's format */
  isCustom(deps: Deps, hash: string): Promise<boolean>;
  /** drops keys from this process's cache, and tells the others at once; call it after every committed change */
  invalidate(deps: Deps, ...hashes: readonly string[]): Promise<void>;
  /** caches when a key was used, in this process */
  noteUse(hash: string, at: Date): void;
  /** listens for changes that other processes make */
  watch(deps: Deps): void;
}

/**
 * Authenticates a key. Its format is checked before the store is read, and its expiry against the clock at every call.
 *
 * @param known called with the key before it is refused for being deleted, disabled or expired
 * @param foreign what is said of a text that is no key's
 * @throws Refusal authentication, saying which: not a key, mistyped, unknown, deleted, disabled or expired
 */
export async function findCredential(
  deps: Deps,
  plaintext: string,
  known: (credential: Credential) => void = () => {},
  foreign = "This is not a Gatehouse API key: those begin with sk-gh-",
): Promise<Credential> {
  const form = readKey(plaintext);
  if (form === "mistyped") {
    throw refusal("This API key is not complete or was changed: its checksum does not match. Copy it again");
  }
  if (form === "scim") throw refusal("This is a token for SCIM: it opens /scim/v2 and nothing else");
  const hash = hashKey(plaintext);
  if (form === "foreign" && !(await deps.credentials.isCustom(deps, hash))) {
    throw refusal(foreign);
  }
  const credential = await deps.credentials.read(deps, hash);
  if (credential === null) throw refusal("This API key is not known here");
  known(credential);
  refuseUnusable(credential, deps.now());
  return credential;
}

type Usability = Pick<Credential, "deletedAt" | "disabled" | "expiresAt">;

/** The refusal for a key that cannot be used at `now`, if any. */
export function refuseUnusable(credential: Usability, now: Date): void {
  const unusable = whyUnusable(credential, now);
  if (unusable !== null) throw refusal(unusable.message, unusable.reason);
}

/** Why a key cannot be used at `now`; null: it can. */
export function whyUnusable(
  { deletedAt, disabled, expiresAt }: Usability,
  now: Date,
): { message: string; reason: UnusableReason } | null {
  if (deletedAt !== null)
    return { message: `This API key was deleted on ${deletedAt.toISOString()}`, reason: "key_deleted" };
  if (disabled) return { message: "This API key is disabled", reason: "key_disabled" };
  if (expiresAt !== null && expiresAt <= now)
    return { message: `This API key expired on ${expiresAt.toISOString()}`, reason: "key_expired" };
  return null;
}

function refusal(message: string, reason?: UnusableReason): Refusal {
  return new Refusal("authentication", message, reason === undefined ? {} : { reason });
}

/** How long a key is cached: this is how long a missed change lasts. The embedded store has no other process. */
const freshMs = { embedded: 60_000, postgres: 5_000 };
/** How long a cached key remains usable while the store is unavailable. */
const staleMs = 300_000;
const maxEntries = 100_000;
const unchecked = "this key cannot be checked";
const channel = "gatehouse_keys";

interface Entry {
  credential: Credential | null;
  readAt: number;
}

export function createCredentialCache(): CredentialCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Credential | null>>();
  let custom: { hashes: Set<string>; readAt: number } | null = null;
  // A read that began before a change must not be cached after it.
  let changes = 0;

  function forget(hash: string | null): void {
    changes += 1;
    custom = null;
    loading.clear();
    if (hash === null) entries.clear();
    else entries.delete(hash);
  }

  async function load(deps: Deps, hash: string, known: Entry | undefined): Promise<Credential | null> {
    const before = changes;
    try {
      const credential = await select(deps, hash);
      if (before === changes) {
        if (entries.size >= maxEntries) entries.delete(entries.keys().next().value ?? "");
        entries.set(hash, { credential, readAt: deps.now().getTime() });
      }
      return credential;
    } catch (error) {
      if (known !== undefined && isFresh(known.readAt, deps.now(), staleMs)) return known.credential;
      throw storeAway(error, unchecked);
    } finally {
      loading.delete(hash);
    }
  }

  return {
    async read(deps, hash) {
      const known = entries.get(hash);
      if (known !== undefined && isFresh(known.readAt, deps.now(), freshMs[deps.store.engine])) return known.credential;
      const running = loading.get(hash) ?? load(deps, hash, known);
      loading.set(hash, running);
      return await running;
    },
    async isCustom(deps, hash) {
      if (custom === null || !isFresh(custom.readAt, deps.now(), freshMs[deps.store.engine])) {
        try {
          custom = { hashes: await selectCustom(deps), readAt: deps.now().getTime() };
        } catch (error) {
          throw storeAway(error, unchecked);
        }
      }
      return custom.hashes.has(hash);
    },
    async invalidate(deps, ...hashes) {
      if (hashes.length === 0) return;
      for (const hash of hashes) forget(hash);
      await deps.store.notices.send(channel, ...hashes);
    },
    noteUse(hash, at) {
      const entry = entries.get(hash);
      if (entry?.credential != null)
        entries.set(hash, { ...entry, credential: { ...entry.credential, lastUsedAt: at } });
    },
    watch(deps) {
      deps.store.notices.listen(channel, forget);
    },
  };
}

function isFresh(readAt: number, now: Date, forMs: number): boolean {
  const age = now.getTime() - readAt;
  return age >= 0 && age < forMs;
}

async function selectCustom(deps: Deps): Promise<Set<string>> {
  const rows = await deps.store.db
    .selectFrom("api_keys")
    .select("hash")
    .where("kind", "=", "management")
    .where("label", "like", `${customLabel}%`)
    .execute();
  return new Set(rows.map((row) => row.hash));
}

async function select(deps: Deps, hash: string): Promise<Credential | null> {
  const row = await deps.store.db.selectFrom("api_keys").selectAll().where("hash", "=", hash).executeTakeFirst();
  if (row === undefined) return null;
  const { workspace_id } = row;
  const makers = row.made_by === null ? [] : await readMakers(deps, row.made_by);
  return {
    hash,
    kind: row.kind,
    purpose: row.purpose,
    actor:
      workspace_id === null
        ? { kind: "management", keyHash: hash, name: row.name }
        : { kind: "ordinary", keyHash: hash, name: row.name, workspaceId: workspace_id },
    name: row.name,
    label: row.label,
    workspaceId: workspace_id,
    creatorUserId: row.creator_user_id,
    spendId: row.spend_id,
    rateScope: row.rate_scope ?? row.spend_id,
    limits: enforcedLimits(row),
    maker:
      row.rate_scope === null
        ? null
        : {
            spendId: row.rate_scope,
            keys: makers.map((maker) => ({ hash: maker.hash, limits: enforcedLimits(maker) })),
          },
    requestsPerMinute: lowest([row, ...makers].map((key) => key.requests_per_minute)),
    tokensPerMinute: lowest([row, ...makers].map((key) => key.tokens_per_minute)),
    disabled: row.disabled,
    expiresAt: row.expires_at,
    deletedAt: row.deleted_at,
    lastUsedAt: row.last_used_at,
  };
}

async function readMakers({ store }: Deps, madeBy: string): Promise<readonly KeyRow[]> {
  const { rows } = await store.pool.query<KeyRow>(makersOf("$1"), [madeBy]);
  return rows;
}

/** A key may do no more in a minute than the one that had it made, whatever that one could do then. */
function lowest(rates: readonly (number | null)[]): number | null {
  const limits = rates.filter((rate) => rate !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
