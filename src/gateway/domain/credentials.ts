import type { LimitReset } from "#contract/time.ts";
import type { Actor, Deps } from "./context.ts";
import { customLabel, hashKey, type KeyKind, readKey } from "./key-format.ts";
import { Refusal } from "./refusal.ts";

/** A key as every call needs it. Its spending is not here: that is the ledger's. */
export interface Credential {
  readonly hash: string;
  readonly kind: KeyKind;
  readonly purpose: "playground" | null;
  readonly actor: Actor;
  readonly name: string;
  readonly label: string;
  /** null for management keys */
  readonly workspaceId: string | null;
  readonly creatorUserId: string | null;
  readonly spendId: string;
  /** nano-dollars; null: unlimited */
  readonly limitNano: bigint | null;
  readonly limitReset: LimitReset | null;
  readonly includeByokInLimit: boolean;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly disabled: boolean;
  readonly expiresAt: Date | null;
  readonly deletedAt: Date | null;
}

/** Keys by hash, remembered for a moment. One in each process. */
export interface CredentialCache {
  /** null: no such key */
  read(deps: Deps, hash: string): Promise<Credential | null>;
  /** true for the hash of a management key that was given by the administrator and has no Gatehouse form */
  isCustom(deps: Deps, hash: string): Promise<boolean>;
  /** forgets a key in this process, and tells the others; call it after every change, when it is committed */
  invalidate(deps: Deps, hash: string): Promise<void>;
  /** hears of changes that other processes make */
  watch(deps: Deps): void;
}

/**
 * Whose key this is. The form is checked before the store is asked, expiry by the clock at every call.
 *
 * @throws Refusal authentication, saying which: not a key, mistyped, unknown, deleted, disabled or expired
 */
export async function findCredential(deps: Deps, plaintext: string): Promise<Credential> {
  const form = readKey(plaintext);
  if (form === "mistyped") {
    throw refusal("This API key is not complete or was changed: its checksum does not match. Copy it again");
  }
  const hash = hashKey(plaintext);
  if (form === "foreign" && !(await deps.credentials.isCustom(deps, hash))) {
    throw refusal("This is not a Gatehouse API key: those begin with sk-gh-");
  }
  const credential = await deps.credentials.read(deps, hash);
  if (credential === null) throw refusal("This API key is not known here");
  refuseUnusable(credential, deps.now());
  return credential;
}

/** Says why a key cannot be used at `now`, if so. */
export function refuseUnusable(credential: Pick<Credential, "deletedAt" | "disabled" | "expiresAt">, now: Date): void {
  const { deletedAt, disabled, expiresAt } = credential;
  if (deletedAt !== null) throw refusal(`This API key was deleted on ${deletedAt.toISOString()}`);
  if (disabled) throw refusal("This API key is disabled");
  if (expiresAt !== null && expiresAt <= now) throw refusal(`This API key expired on ${expiresAt.toISOString()}`);
}

function refusal(message: string): Refusal {
  return new Refusal("authentication", message);
}

/** How long a key is remembered: what a change that was never heard of can last. The embedded store has no other process. */
const freshMs = { embedded: 60_000, postgres: 5_000 };
/** How long it may still serve while the store is away. */
const staleMs = 300_000;
const maxEntries = 100_000;
const channel = "gatehouse_keys";

interface Entry {
  credential: Credential | null;
  readAt: number;
}

export function createCredentialCache(): CredentialCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Credential | null>>();
  let custom: { hashes: Set<string>; readAt: number } | null = null;
  // A read that began before a change must not be remembered after it.
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
      throw storeAway(error);
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
          throw storeAway(error);
        }
      }
      return custom.hashes.has(hash);
    },
    async invalidate(deps, hash) {
      forget(hash);
      await deps.store.notices.send(channel, hash);
    },
    watch(deps) {
      deps.store.notices.listen(channel, forget);
    },
  };
}

function storeAway(cause: unknown): Refusal {
  const away = new Refusal("unavailable", "The store does not answer, so this key cannot be checked: try again", {
    retryAfterSeconds: 1,
  });
  away.cause = cause;
  return away;
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
    limitNano: row.limit_nano,
    limitReset: row.limit_reset,
    includeByokInLimit: row.include_byok_in_limit,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    disabled: row.disabled,
    expiresAt: row.expires_at,
    deletedAt: row.deleted_at,
  };
}
