import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Deps } from "../../domain/context.ts";
import { answeredItemAad } from "../../domain/secrets/aad.ts";
import { evictItems, readItems, type SealedItem, writeItems } from "../../domain/workspaces/answered-items.ts";
import { readText, type JsonObject } from "../../providers/answer.ts";
import { joinInTurns, type Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { within } from "../within.ts";

/**
 * Items of answers, for callers that send them back by their ids alone, as they may at OpenAI, which stores every answer
 * that it is not asked to forget. Shared by the processes on one store; found by the keys alone that share a spending
 * count.
 */
export interface KeptItems {
  /** Where the store is slow, or this fails, the caller has to send the items whole. */
  keep(spendId: string, items: readonly JsonObject[], turn: Turn): Promise<void>;
  /**
   * The items with these ids, as JSON.
   * @param mostBytes of them all, each as often as its id is given; null is answered where they have more
   */
  find(spendId: string, ids: readonly string[], mostBytes: number): Promise<ReadonlyMap<string, Buffer> | null>;
}

/** Of an item's JSON; a generated image may be longer, and has to be sent back whole. */
const mostItemBytes = 1_048_576;
/** Of the items of one answer. */
const mostAnswerBytes = 4 * mostItemBytes;
/** Answers whose items are being written: while the store is slow, those of others are not kept. */
const mostAtOnce = 16;
/** Entries of a spending count between two looks at its bounds. */
const evictEvery = 64;
const mostCounted = 10_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** @param mostWaitMs how long an answer waits for the store */
export function createKeptItems(
  { store: { pool }, secrets, now }: Pick<Deps, "store" | "secrets" | "now">,
  mostWaitMs: number,
): KeptItems {
  const box = secrets.derive("answered items");
  const written = new Map<string, number>();
  let writing = 0;
  const keyOf = (spendId: string, id: string) => box.lookup(`${spendId} ${id}`);

  async function seal(spendId: string, items: readonly JsonObject[], turn: Turn): Promise<SealedItem[]> {
    const sealed = new Map<string, SealedItem>();
    let room = mostAnswerBytes;
    for (const item of items) {
      const id = readText(item["id"]) ?? "";
      if (id === "") continue;
      const json = await joinInTurns(await writeJsonInTurns(item, turn), turn);
      if (json.length > Math.min(room, mostItemBytes)) continue;
      room -= json.length;
      const key = keyOf(spendId, id);
      sealed.set(id, { key, sealed: box.seal(await deflate(json, { level: 1 }), answeredItemAad(spendId, key)) });
    }
    return [...sealed.values()];
  }

  async function write(spendId: string, items: readonly SealedItem[]): Promise<void> {
    if (items.length === 0 || writing >= mostAtOnce) return;
    writing += 1;
    try {
      await writeItems(pool, spendId, items, now());
    } finally {
      writing -= 1;
    }
    const count = (written.get(spendId) ?? 0) + items.length;
    if (written.size >= mostCounted) written.clear();
    written.set(spendId, count % evictEvery);
    if (count >= evictEvery) await evictItems(pool, spendId);
  }

  return {
    async keep(spendId, items, turn) {
      const endsMs = performance.now() + mostWaitMs;
      await within(write(spendId, await seal(spendId, items, turn)), endsMs);
    },
    async find(spendId, ids, mostBytes) {
      const times = Map.groupBy(ids, (id) => id);
      const named = new Map([...times.keys()].map((id) => [keyOf(spendId, id).toString("base64"), id]));
      const keys = [...named.keys()].map((key) => Buffer.from(key, "base64"));
      const found = new Map<string, Buffer>();
      let room = mostBytes;
      for (const { key, sealed } of await readItems(pool, spendId, keys, now())) {
        const packed = box.open(sealed, answeredItemAad(spendId, key));
        if (packed === null) continue;
        const id = named.get(key.toString("base64")) ?? "";
        // What is packed may be a thousandth of the item: it is known to fit before the next one is unpacked.
        const item = await inflate(packed, { maxOutputLength: mostItemBytes });
        room -= item.length * (times.get(id)?.length ?? 1);
        if (room < 0) return null;
        found.set(id, item);
      }
      return found;
    },
  };
}
