import { lazy, Suspense, useEffect, useState } from "react";
import { forgetUnsaved, readUnsaved, type UnsavedKind } from "./unsaved.ts";

const UnsavedApiKey = lazy(async () => ({ default: (await import("./UnsavedQuestion.tsx")).UnsavedApiKey }));

/** After a reload that cut the reveal of an API key short: the key lives, its text is gone. Said once. */
export function UnsavedNotice() {
  const [hash, forget] = useUnsaved("api-key");
  return (
    hash !== null && (
      <Suspense>
        <UnsavedApiKey hash={hash} onDone={forget} />
      </Suspense>
    )
  );
}

/** The hash of a key of this kind whose dialog a reload cut short, read once, and how to forget it. */
export function useUnsaved(kind: UnsavedKind): [string | null, () => void] {
  const [hash, setHash] = useState(() => readUnsaved(sessionStorage, kind));
  useEffect(() => forgetUnsaved(sessionStorage, kind), [kind]);
  return [hash, () => setHash(null)];
}
