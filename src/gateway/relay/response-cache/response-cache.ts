import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Deps } from "../../domain/context.ts";
import { cachedAnswerAad } from "../../domain/secrets/aad.ts";
import { deleteAnswer, evictAnswers, readAnswer, writeAnswer } from "../../domain/workspaces/cached-answers.ts";
import { createSlots } from "../../slots.ts";
import type { Headers } from "../sent.ts";
import { within } from "../within.ts";

/** What is known of an answer besides its bytes. */
export interface AnswerFacts {
  /** of the call that it was given to */
  readonly id: string;
  readonly model: string;
  /** its slug */
  readonly provider: string;
  /** the model at the provider, as it was set up then */
  readonly source: string;
  /** what the call cost, whoever paid: nano-dollars */
  readonly cost: bigint;
  readonly finishReason: string | null;
  /** vectors that it holds; 0 for a conversation */
  readonly inputs: number;
  /** the answer's choices, where they are short enough to be kept with a call; null for vectors */
  readonly output: KeptBody["output"];
  readonly headers: Headers;
}

export interface CachedAnswer extends AnswerFacts {
  readonly storedAt: Date;
  readonly ttlSeconds: number;
  /** with a usage of zero */
  readonly bytes: Buffer;
}

/** Whole answers, for equal calls of the same key. Shared by the processes on one store. One per process. */
export interface ResponseCache {
  readonly isOn: boolean;
  /**
   * Never fails: where the store is slow or away, there is none.
   * @param name of all that the answer was made of
   */
  find(workspaceId: string, name: string): Promise<CachedAnswer | null>;
  /** So that the answer that is there is not given again. Never fails either. */
  forget(workspaceId: string, name: string): Promise<void>;
  /**
   * Stores an answer soon, or not at all where the store is slow or away.
   * @param size of its bytes @param answer which equal calls wait for until then
   */
  keep(workspaceId: string, name: string, size: number, answer: Promise<CachedAnswer>): void;
  close(): Promise<void>;
}

const mostReading = 16;
/** After a failure, calls do not ask the store for so long. */
const restMs = 5_000;
/** Of an entry, compressed and sealed. */
const mostEntryBytes = 1_048_576;
/** What waits to be written; what comes beyond it is not stored. */
const mostWaitingBytes = 16 * 1_048_576;
/** Entries of a workspace between two looks at its bounds. */
const evictEvery = 32;
const mostCounted = 10_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * @param mostBytes of a workspace; 0: the cache is off
 * @param mostReadMs a call that had to wait longer for its turn, or then for the store, asks the provider
 */
export function createResponseCache(
  { store, secrets, now }: Pick<Deps, "store" | "secrets" | "now">,
  mostBytes: number,
  mostReadMs: number,
): ResponseCache {
  const box = secrets.derive("response cache");
  /** what is being written, by its workspace and key: the next call finds it here */
  const waiting = new Map<string, Promise<CachedAnswer>>();
  /** what is being read: equal calls at the same time share it */
  const asked = new Map<string, Promise<CachedAnswer | null>>();
  const written = new Map<string, number>();
  const reads = createSlots({ most: mostReading, waitMs: mostReadMs });
  let waitingBytes = 0;
  let writing = Promise.resolve();
  let restsUntilMs = 0;

  const isResting = () => performance.now() < restsUntilMs;
  const rest = () => void (restsUntilMs = performance.now() + restMs);
  const keyOf = (workspaceId: string, name: string) => box.lookup(`${workspaceId} ${name}`);
  const expiryOf = ({ storedAt, ttlSeconds }: CachedAnswer) => new Date(storedAt.getTime() + ttlSeconds * 1_000);

  async function read(workspaceId: string, key: Buffer): Promise<CachedAnswer | null> {
    const sealed = await within(readAnswer(store.pool, workspaceId, key, now()), performance.now() + mostReadMs);
    if (sealed === null) rest();
    const packed = sealed ? box.open(sealed, cachedAnswerAad(workspaceId, key)) : null;
    return packed === null ? null : decode(await inflate(packed));
  }

  function readOnce(workspaceId: string, key: Buffer): Promise<CachedAnswer | null> {
    const id = entryId(workspaceId, key);
    const known = asked.get(id);
    if (known !== undefined) return known;
    const found = readInTurn(workspaceId, key).finally(() => {
      if (asked.get(id) === found) asked.delete(id);
    });
    asked.set(id, found);
    return found;
  }

  async function readInTurn(workspaceId: string, key: Buffer): Promise<CachedAnswer | null> {
    if (isResting()) return null;
    const slot = await reads.take(workspaceId);
    try {
      return slot === null || isResting() ? null : await read(workspaceId, key);
    } catch {
      rest();
      return null;
    } finally {
      slot?.();
    }
  }

  async function write(workspaceId: string, key: Buffer, answer: CachedAnswer): Promise<void> {
    if (isResting()) return;
    const sealed = box.seal(await deflate(encode(answer), { level: 1 }), cachedAnswerAad(workspaceId, key));
    if (sealed.length > Math.min(mostEntryBytes, mostBytes)) return;
    await writeAnswer(store.pool, workspaceId, { key, sealed, expiresAt: expiryOf(answer) }, now());
    const count = (written.get(workspaceId) ?? 0) + 1;
    if (written.size >= mostCounted) written.clear();
    written.set(workspaceId, count);
    if (count % evictEvery === 0) await evictAnswers(store.pool, workspaceId, mostBytes);
  }

  return {
    isOn: mostBytes > 0,
    async find(workspaceId, name) {
      const key = keyOf(workspaceId, name);
      const soon = waiting.get(entryId(workspaceId, key));
      const found = await (soon === undefined ? readOnce(workspaceId, key) : soon.catch(() => null));
      return found !== null && expiryOf(found) > now() ? found : null;
    },
    async forget(workspaceId, name) {
      const key = keyOf(workspaceId, name);
      const id = entryId(workspaceId, key);
      waiting.delete(id);
      asked.delete(id);
      if (isResting()) return;
      // After what is being written.
      writing = writing.then(() => deleteAnswer(store.pool, workspaceId, key)).catch(rest);
      await within(writing, performance.now() + mostReadMs);
    },
    keep(workspaceId, name, size, answer) {
      if (isResting() || waitingBytes + size > mostWaitingBytes) return;
      const key = keyOf(workspaceId, name);
      const id = entryId(workspaceId, key);
      waiting.set(id, answer);
      waitingBytes += size;
      writing = Promise.all([answer, writing])
        .then(([made]) => write(workspaceId, key, made).catch(rest))
        .catch(() => {})
        .finally(() => {
          waitingBytes -= size;
          if (waiting.get(id) === answer) waiting.delete(id);
        });
    },
    close: () => writing,
  };
}

const entryId = (workspaceId: string, key: Buffer) => `${workspaceId} ${key.toString("base64")}`;

const headBytes = 4;

interface Stored extends Omit<AnswerFacts, "cost"> {
  readonly cost: string;
  readonly storedAt: string;
  readonly ttlSeconds: number;
}

/** What is known of it as JSON, after its length, and then the answer. */
function encode({ bytes, cost, ...facts }: CachedAnswer): Buffer {
  const head = Buffer.from(JSON.stringify({ ...facts, cost: String(cost) }));
  const length = Buffer.alloc(headBytes);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, bytes]);
}

function decode(packed: Buffer): CachedAnswer {
  const from = headBytes + packed.readUInt32LE();
  const head = JSON.parse(packed.toString("utf8", headBytes, from)) as Stored;
  return { ...head, cost: BigInt(head.cost), storedAt: new Date(head.storedAt), bytes: packed.subarray(from) };
}
