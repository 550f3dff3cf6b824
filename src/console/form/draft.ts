import * as z from "zod/mini";
import { minuteMs } from "#contract/time.ts";

const lifetimeMs = 30 * minuteMs;
const Stored = z.object({ savedAt: z.number(), values: z.record(z.string(), z.unknown()) });
const slot = (form: string) => `gatehouse.draft.${form}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Keeps a form's non-secret values for this tab, for 30 minutes. The caller leaves secrets out of `values`. */
export function saveDraft(store: Store, form: string, values: Record<string, unknown>, now: Date): void {
  try {
    store.setItem(slot(form), JSON.stringify({ savedAt: now.getTime(), values }));
  } catch {
    // a full or forbidden storage only costs the draft
  }
}

/** The values of a draft that is not too old, or null. It removes broken or stale drafts. */
export function readDraft(store: Store, form: string, now: Date): Record<string, unknown> | null {
  const text = store.getItem(slot(form));
  if (text === null) return null;
  const stored = z.safeParse(Stored, parseJson(text));
  if (stored.success && now.getTime() - stored.data.savedAt < lifetimeMs) return stored.data.values;
  store.removeItem(slot(form));
  return null;
}

export function dropDraft(store: Store, form: string): void {
  store.removeItem(slot(form));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
