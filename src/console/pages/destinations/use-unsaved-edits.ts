import { useEffect, useMemo, useState } from "react";
import { now } from "../../api/clock.ts";
import { dropDraft, readDraft, saveDraft } from "../../form/draft.ts";
import { draftOf, newDraft } from "./draft.ts";
import { editsOf, withEdits } from "./unsaved-edits.ts";
import type { Editor } from "./use-editor.ts";

const saveDelayMs = 400;

export interface UnsavedEdits {
  offer: { restore: () => void; drop: () => void } | null;
  forget: () => void;
}

/** Keeps the edits of the editor in the tab, without its secrets, and offers those that a reload cut short. */
export function useUnsavedEdits({ type, base, draft, dirty, setDraft }: Editor): UnsavedEdits {
  // a new destination gets its id while it is saved; its edits stay under the name that they have
  const [form] = useState(() => `destination.${base?.id ?? type}`);
  const [found, setFound] = useState(() => readDraft(sessionStorage, form, now()));
  const edits = useMemo(
    () => JSON.stringify(editsOf(type, draft, base ? draftOf(base) : newDraft(type))),
    [type, draft, base],
  );
  const waits = found !== null && !dirty;
  useEffect(() => {
    if (waits) return undefined;
    if (edits === "{}") {
      dropDraft(sessionStorage, form);
      return undefined;
    }
    const timer = setTimeout(
      () => saveDraft(sessionStorage, form, JSON.parse(edits) as Record<string, unknown>, now()),
      saveDelayMs,
    );
    return () => clearTimeout(timer);
  }, [edits, form, waits]);

  const added = base !== null && form !== `destination.${base.id}` ? base.id : null;
  useEffect(() => {
    // typed while it was being added: its own page offers them
    if (added !== null && edits !== "{}") {
      saveDraft(sessionStorage, `destination.${added}`, JSON.parse(edits) as Record<string, unknown>, now());
    }
  }, [added, edits]);

  const restored = waits ? withEdits(type, draft, found) : null;
  const forget = () => {
    setFound(null);
    dropDraft(sessionStorage, form);
  };
  const changes = restored !== null && JSON.stringify(restored) !== JSON.stringify(draft);
  const restore = () => {
    if (restored) setDraft(restored);
    setFound(null);
  };
  return { offer: changes ? { restore, drop: forget } : null, forget };
}
