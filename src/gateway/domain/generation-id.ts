import { randomFillSync } from "node:crypto";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijkmnopqrstvwxyz";
const randomLength = 18;
const pattern = new RegExp(`^gen-(\\d{13})-[${alphabet}]{${randomLength}}$`);

const pool = Buffer.alloc(4_096);
let used = pool.length;

function nextByte(): number {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++] ?? 0;
}

/**
 * `gen-<unix milliseconds>-<random>`. The instant is part of the id, so that a call can be found by the ledger's
 * primary key (workspace, time, id) without an index on the id.
 */
export function newGenerationId(at: Date): string {
  let id = `gen-${String(at.getTime()).padStart(13, "0")}-`;
  const end = id.length + randomLength;
  while (id.length < end) {
    const byte = nextByte() & 63;
    if (byte < alphabet.length) id += alphabet.charAt(byte);
  }
  return id;
}

const videoJob = /^gen-vid-(.+)$/;

/** The id of the job that makes a video, in the public API's form: that of its generation, marked. */
export const videoJobId = (generationId: string): string => generationId.replace(/^gen-/, "gen-vid-");

/** The generation of a job; null for any other string. */
export function generationOfVideo(jobId: string): string | null {
  const rest = videoJob.exec(jobId)?.[1];
  return rest === undefined ? null : `gen-${rest}`;
}

/** What the ids of batches begin with, by the dialect that a batch was sent in. */
const batchPrefixes = { public: "batch-", messages: "msgbatch_" } as const;
export type BatchForm = keyof typeof batchPrefixes;

export const newBatchId = (form: BatchForm, at: Date): string =>
  newGenerationId(at).replace(/^gen-/, batchPrefixes[form]);

/** The instant in a batch's id; null for any other string. @param form null: of either dialect */
export function instantOfBatch(form: BatchForm | null, id: string): Date | null {
  if (form === null) return instantOfBatch("public", id) ?? instantOfBatch("messages", id);
  const prefix = batchPrefixes[form];
  return id.startsWith(prefix) ? instantOfGeneration(`gen-${id.slice(prefix.length)}`) : null;
}

/** The instant in a generation id; null for any other string. */
export function instantOfGeneration(id: string): Date | null {
  const match = pattern.exec(id);
  return match === null ? null : new Date(Number(match[1]));
}
