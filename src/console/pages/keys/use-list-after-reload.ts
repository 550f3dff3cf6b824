import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { readUnsaved, type UnsavedKind } from "./unsaved.ts";

/** A reload during the reveal leads back to the list, which says what became of the key. */
export function useListAfterReload(kind: UnsavedKind, list: string): void {
  const navigate = useNavigate();
  const [to] = useState(() => (readUnsaved(sessionStorage, kind) === null ? null : list));
  useEffect(() => {
    if (to !== null) void navigate({ to, replace: true });
  }, [to, navigate]);
}
