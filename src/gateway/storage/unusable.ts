/** The store cannot be opened, for a reason outside the program; the message is for the person who starts it. */
export class StoreUnusable extends Error {
  override readonly name = "StoreUnusable";
}

/** What the person who set DATABASE_URL has to know; the password is not repeated. */
export function unreachable(url: string, cause: unknown): StoreUnusable {
  return new StoreUnusable(`DATABASE_URL leads to ${placeOf(url)}, which cannot be used: ${reasonOf(cause)}`, {
    cause,
  });
}

/** What the person who set GATEHOUSE_DATA_DIR has to know. */
export function unusableFolder(folder: string, cause: unknown): StoreUnusable {
  const help = "Set GATEHOUSE_DATA_DIR to a folder that this user may write to.";
  return new StoreUnusable(`The data folder ${folder} cannot be used: ${reasonOf(cause)}. ${help}`, { cause });
}

export function unreadableStore(folder: string, cause: unknown): StoreUnusable {
  const help = "Bring back a backup of the folder, or set GATEHOUSE_DATA_DIR to another one to start anew.";
  return new StoreUnusable(`The store in ${folder} cannot be read (${reasonOf(cause)}). ${help}`, { cause });
}

function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "no address";
  return `${parsed.hostname || "localhost"}:${parsed.port || 5432}${parsed.pathname}`;
}

function reasonOf(cause: unknown): string {
  // Node reports a name with several addresses as an empty message with the reasons inside.
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
