import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import type { Kysely } from "kysely";
import type { SigningJwk } from "../../storage/federation-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Deps } from "../context.ts";
import { lockNamed } from "../named-lock.ts";
import { signingKeyAad } from "../secrets/aad.ts";
import { WrongSecretKey } from "../secrets/box.ts";

export const signingAlgorithm = "ES256";
/** RFC 9068: no other kind of token is taken for an access token. */
export const accessTokenType = "at+jwt";

/** The keys that access tokens are signed with: the one in use, and the one before it. */
export interface SigningKeys {
  sign(deps: Deps, claims: JWTPayload): Promise<string>;
  /** the public keys, newest first */
  published(deps: Deps): Promise<SigningJwk[]>;
  /** null: it is none of ours */
  publicKey(deps: Deps, kid: string): Promise<CryptoKey | null>;
}

/** How long a key signs. The one before it is published until the next change, which is long after its last token. */
const inUseMs = 90 * 24 * 3_600_000;
/** How long this process relies on what it read: another one may have made a new key. */
const freshMs = 60_000;
/** A token may name a key that another process has just made; the store is not asked at every such name. */
const pauseMs = 1_000;

type StoredKey = {
  readonly kid: string;
  readonly public_key: SigningJwk;
  readonly sealed: string;
  readonly created_at: Date;
};

interface Loaded {
  readonly keys: readonly StoredKey[];
  readonly privateKey: CryptoKey;
  readonly readAt: number;
}

export function createSigningKeys(): SigningKeys {
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;
  const publicKeys = new Map<string, CryptoKey>();

  async function load(deps: Deps, olderThanMs: number): Promise<Loaded> {
    const now = deps.now().getTime();
    if (loaded !== null && Math.abs(now - loaded.readAt) < olderThanMs) return loaded;
    loading ??= loadNow(deps).finally(() => void (loading = null));
    try {
      loaded = await loading;
    } catch (error) {
      // While the store is unavailable, what was last read still holds.
      if (loaded === null) throw error;
    }
    return loaded;
  }

  return {
    async sign(deps, claims) {
      const { keys, privateKey } = await load(deps, freshMs);
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: signingAlgorithm, kid: keys[0]?.kid ?? "", typ: accessTokenType })
        .sign(privateKey);
    },
    published: async (deps) => (await load(deps, freshMs)).keys.map(({ public_key: key }) => key),
    async publicKey(deps, kid) {
      const isKid = (key: StoredKey) => key.kid === kid;
      const found = (await load(deps, freshMs)).keys.find(isKid) ?? (await load(deps, pauseMs)).keys.find(isKid);
      if (found === undefined) return null;
      const known = publicKeys.get(kid) ?? (await imported(found.public_key));
      publicKeys.set(kid, known);
      return known;
    },
  };
}

async function loadNow(deps: Deps): Promise<Loaded> {
  const readAt = deps.now().getTime();
  const usable = async (db: Kysely<Tables>): Promise<Loaded | null> => {
    const keys = await storedKeys(db);
    const [newest] = keys;
    if (newest === undefined || readAt - newest.created_at.getTime() >= inUseMs) return null;
    const privateKey = await openKey(deps, newest);
    return privateKey === null ? null : { keys, privateKey, readAt };
  };
  const found = await usable(deps.store.db);
  if (found !== null) return found;
  const made = await makeKey();
  return await deps.store.db.transaction().execute(async (trx) => {
    await lockNamed(trx, "signing_keys");
    // Another process may have been first.
    const others = await usable(trx);
    if (others !== null) return others;
    const [before] = await storedKeys(trx);
    await trx
      .deleteFrom("signing_keys")
      .where("kid", "!=", before?.kid ?? "")
      .execute();
    const key = {
      kid: made.public_key.kid,
      public_key: made.public_key,
      sealed: deps.secrets.seal(made.privateText, signingKeyAad(made.public_key.kid)),
      created_at: deps.now(),
    };
    await trx
      .insertInto("signing_keys")
      .values({ ...key, public_key: JSON.stringify(key.public_key) })
      .execute();
    return { keys: before === undefined ? [key] : [key, before], privateKey: made.privateKey, readAt };
  });
}

async function storedKeys(db: Kysely<Tables>): Promise<StoredKey[]> {
  return await db
    .selectFrom("signing_keys")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("kid")
    .limit(2)
    .execute();
}

async function makeKey() {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const { x = "", y = "" } = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint({ kty: "EC", crv: "P-256", x, y });
  const public_key: SigningJwk = { kty: "EC", crv: "P-256", alg: signingAlgorithm, use: "sig", kid, x, y };
  return { public_key, privateKey: pair.privateKey, privateText: JSON.stringify(await exportJWK(pair.privateKey)) };
}

/** Null where the secret key that it was sealed with is gone: a new one takes its place. */
async function openKey({ secrets }: Deps, { kid, sealed }: StoredKey): Promise<CryptoKey | null> {
  try {
    return await imported(JSON.parse(secrets.open(sealed, signingKeyAad(kid))) as object);
  } catch (error) {
    if (error instanceof WrongSecretKey) return null;
    throw error;
  }
}

async function imported(jwk: object): Promise<CryptoKey> {
  return (await importJWK(jwk, signingAlgorithm)) as CryptoKey;
}
