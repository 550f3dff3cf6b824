import type { KeyRecord } from "#contract/keys.ts";

/** Clocks of two processes behind one address may differ by this much. */
const slackMs = 5_000;

/**
 * The key that a creation without an answer may have made: same name, same workspace, created since it was sent,
 * and not there before. Null where there is none.
 */
export function findUnknownOutcome(
  keys: readonly KeyRecord[],
  sent: { name: string; workspaceId: string; at: Date; known: ReadonlySet<string> },
): KeyRecord | null {
  const since = sent.at.getTime() - slackMs;
  return (
    keys.find(
      (key) =>
        key.name === sent.name &&
        key.workspace_id === sent.workspaceId &&
        new Date(key.created_at).getTime() >= since &&
        !sent.known.has(key.hash),
    ) ?? null
  );
}
