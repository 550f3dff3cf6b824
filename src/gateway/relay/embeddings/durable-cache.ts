import type { Deps } from "../../domain/context.ts";
import type { DerivedBox } from "../../domain/secrets/box.ts";
import { embeddingAad } from "../../domain/secrets/aad.ts";
import {
  type EmbeddingCachePolicy,
  readVectors,
  type StoredVector,
  touchVectors,
  writeVectors,
} from "../../domain/workspaces/stored-vectors.ts";
import { forEachInTurns, type Turn } from "../../turns.ts";
import { within } from "../within.ts";
import type { KnownVector } from "./cache.ts";
import { packVector, unpackVector } from "./vector-pack.ts";

/** Vectors that outlive this process, and that the processes on one store share. One per process. */
export interface DurableCache {
  /**
   * The stored vectors for some of these names. Never fails: where the store is slow or away, there are none.
   * @param names of what they were made of, as {@link scopeOf} and the input give it
   */
  find(cache: EmbeddingCachePolicy, names: readonly string[], turn: Turn): Promise<Map<string, KnownVector>>;
  /** Stores a vector soon, or not at all where the store is slow or away. */
  keep(cache: EmbeddingCachePolicy, name: string, known: KnownVector): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/** Of one query: about 3 MB of vectors of 1,536 numbers. */
const mostKeysAtOnce = 256;
/** Calls that may wait for the store at once; the others ask the provider. */
const mostReading = 16;
/** After a failure, calls do not ask the store for so long. */
const restMs = 5_000;
/** Entries of one statement: a longer one would hold up the ledger in the embedded store. */
const mostWrittenAtOnce = 64;
const writeAfterMs = 200;
/** What waits to be written; what comes beyond it is not stored. */
const mostWaitingBytes = 16 * 1_048_576;
const mostBoxes = 1_000;

interface Waiting {
  readonly cache: EmbeddingCachePolicy;
  readonly vectors: StoredVector[];
}

type CacheDeps = Pick<Deps, "store" | "secrets" | "now">;

/** @param mostReadMs a call that had to wait longer for the store asks the provider */
export function createDurableCache({ store, secrets, now }: CacheDeps, mostReadMs: number): DurableCache {
  const boxes = new Map<string, DerivedBox>();
  const waiting = new Map<string, Waiting>();
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let reading = 0;
  let restsUntilMs = 0;

  /** Each cache has keys of its own: what one has sealed cannot be found or opened for another. */
  function boxOf({ id }: EmbeddingCachePolicy): DerivedBox {
    const known = boxes.get(id);
    if (known !== undefined) return known;
    if (boxes.size >= mostBoxes) boxes.clear();
    const made = secrets.derive(`embedding cache ${id}`);
    boxes.set(id, made);
    return made;
  }

  const isResting = () => performance.now() < restsUntilMs;
  const rest = () => void (restsUntilMs = performance.now() + restMs);

  async function read(cache: EmbeddingCachePolicy, keys: readonly Buffer[]): Promise<StoredVector[]> {
    const { found, stale } = await readVectors(store.pool, cache, keys, now());
    if (stale.length > 0) touchVectors(store.pool, cache, stale, now()).catch(rest);
    return found;
  }

  async function write(): Promise<void> {
    for (const [id, { cache, vectors }] of waiting) {
      waiting.delete(id);
      while (vectors.length > 0) {
        const own = vectors.splice(0, mostWrittenAtOnce);
        waitingBytes -= own.reduce((sum, { sealed }) => sum + sealed.length, 0);
        if (!isResting()) await writeVectors(store.pool, cache, own, now()).catch(rest);
      }
    }
  }

  function writeSoon(): void {
    if (timer !== null || writing !== null) return;
    timer = setTimeout(() => {
      timer = null;
      writing = write().finally(() => {
        writing = null;
        if (waiting.size > 0) writeSoon();
      });
    }, writeAfterMs);
    timer.unref();
  }

  return {
    async find(cache, names, turn) {
      const known = new Map<string, KnownVector>();
      if (isResting() || reading >= mostReading) return known;
      const box = boxOf(cache);
      const nameOf = new Map<string, string>();
      const keys: Buffer[] = [];
      await forEachInTurns(names, turn, (name) => {
        const key = box.lookup(name);
        keys.push(key);
        nameOf.set(key.toString("base64"), name);
      });
      const endsMs = performance.now() + mostReadMs;
      reading += 1;
      try {
        for (let from = 0; from < keys.length && performance.now() < endsMs; from += mostKeysAtOnce) {
          const found = await within(read(cache, keys.slice(from, from + mostKeysAtOnce)), endsMs);
          if (found === null) {
            rest();
            break;
          }
          await forEachInTurns(found, turn, ({ key, sealed }) => {
            const name = nameOf.get(key.toString("base64"));
            const vector = decode(box.open(sealed, embeddingAad(cache.id, key)));
            if (name !== undefined && vector !== null) known.set(name, vector);
          });
        }
      } catch {
        rest();
      } finally {
        reading -= 1;
      }
      return known;
    },
    keep(cache, name, vector) {
      if (isResting()) return;
      const box = boxOf(cache);
      const key = box.lookup(name);
      const sealed = box.seal(encode(vector), embeddingAad(cache.id, key));
      if (sealed.length > cache.mostBytes || waitingBytes + sealed.length > mostWaitingBytes) return;
      waitingBytes += sealed.length;
      const own = waiting.get(cache.id) ?? { cache, vectors: [] };
      waiting.set(cache.id, own);
      own.vectors.push({ key, sealed });
      writeSoon();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await writing;
      await write();
    },
  };
}

const version = 1;
const headBytes = 8;

/** A version, whether its text is unfamiliar, its tokens, the length of its space's id, that id, and the vector. */
function encode({ json, promptTokens, space, unfamiliar }: KnownVector): Buffer {
  const id = Buffer.from(space);
  const head = Buffer.alloc(headBytes);
  head[0] = version;
  head[1] = unfamiliar === true ? 1 : 0;
  head.writeUInt32LE(Math.min(promptTokens, 0xffff_ffff), 2);
  head.writeUInt16LE(id.length, 6);
  return Buffer.concat([head, id, packVector(json)]);
}

/** Null where it is not what this version writes. */
function decode(bytes: Buffer | null): KnownVector | null {
  if (bytes === null || bytes.length <= headBytes || bytes[0] !== version) return null;
  const from = headBytes + bytes.readUInt16LE(6);
  try {
    return {
      json: unpackVector(bytes.subarray(from)),
      promptTokens: bytes.readUInt32LE(2),
      space: bytes.toString("utf8", headBytes, from),
      ...(bytes[1] === 1 && { unfamiliar: true }),
    };
  } catch {
    return null;
  }
}
