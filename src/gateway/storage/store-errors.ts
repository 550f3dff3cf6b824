import { statfsSync } from "node:fs";

/** The store cannot be opened, for a reason outside the program; the message is for the person who starts it. */
export class StoreUnusable extends Error {
  override readonly name = "StoreUnusable";
}

/** What the person who set DATABASE_URL has to know; the password is not repeated. */
export function unreachable(url: string, cause: unknown): StoreUnusable {
  return new StoreUnusable(`DATABASE_URL leads to ${addressOf(url)}, which cannot be used: ${reasonOf(cause)}`, {
    cause,
  });
}

/** What the person who set GATEHOUSE_DATA_DIR has to know. */
export function unusableFolder(folder: string, cause: unknown): StoreUnusable {
  const help = isDiskFull(cause) ? freeSpace : "Set GATEHOUSE_DATA_DIR to a folder that this user may write to.";
  return new StoreUnusable(`The data folder ${folder} cannot be used: ${reasonOf(cause)}. ${help}`, { cause });
}

/**
 * The embedded engine says of a full disk, like of damaged files, only that it gave up.
 * @param free bytes that are left on the folder's disk; null: not known
 */
export function unreadableStore(folder: string, cause: unknown, free = freeBytes(folder)): StoreUnusable {
  if (free !== null && free < leastFree) {
    const left = `${Math.floor(free / 1_024).toLocaleString("en-US")} kB are left on its disk`;
    return new StoreUnusable(`The store in ${folder} cannot be opened: ${left}. ${freeSpace}`, { cause });
  }
  const help = isDiskFull(cause)
    ? freeSpace
    : "Restore a backup of the folder, or set GATEHOUSE_DATA_DIR to another one to start with an empty store.";
  return new StoreUnusable(`The store in ${folder} cannot be read (${reasonOf(cause)}). ${help}`, { cause });
}

/** Space without which the engine may not start: a segment of its log, twice. */
const leastFree = 33_554_432;

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const freeSpace = "Its disk is full: free some space, then start again.";

function isDiskFull(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    /ENOSPC|no space left|database or disk is full/i.test(`${cause.message} ${String(cause.cause)}`)
  );
}

function addressOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "no address";
  return `${parsed.hostname || "localhost"}:${parsed.port || 5432}${parsed.pathname}`;
}

function reasonOf(cause: unknown): string {
  // Node reports a name with several addresses as an empty message with the reasons inside.
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  const message = cause instanceof Error ? cause.message : String(cause);
  // The engine gives up on files that it cannot make sense of, and speaks of its own build.
  return /^Aborted\b|-sASSERTIONS|^unreachable$/.test(message) ? "its files are damaged or incomplete" : message;
}
