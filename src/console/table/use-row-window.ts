import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { usePreference } from "../preferences.ts";
import { rowWindow, type RowWindow } from "./window-of-rows.ts";

const touch = matchMedia("(width < 720px)");

/** Rows where fingers are; there is no column of checkboxes there. */
export const touchHeight = 48;

function watchTouch(changed: () => void): () => void {
  touch.addEventListener("change", changed);
  return () => touch.removeEventListener("change", changed);
}

/** 40 px, 32 in a compact table, 48 where fingers are. */
export function useRowHeight(): number {
  const density = usePreference("density");
  const narrow = useSyncExternalStore(watchTouch, () => touch.matches);
  if (narrow) return touchHeight;
  return density === "compact" ? 32 : 40;
}

/** The rows to render of `count`, following the scroll and the size of `region`. */
export function useRowWindow(region: HTMLElement | null, count: number, rowHeight: number): RowWindow {
  const measure = useCallback(
    () => rowWindow(count, rowHeight, region?.scrollTop ?? 0, region?.clientHeight ?? 0),
    [region, count, rowHeight],
  );
  const [shown, setShown] = useState(measure);
  useLayoutEffect(() => {
    const update = () => {
      const next = measure();
      setShown((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    update();
    if (!region) return undefined;
    const sizes = new ResizeObserver(update);
    sizes.observe(region);
    region.addEventListener("scroll", update, { passive: true });
    return () => {
      sizes.disconnect();
      region.removeEventListener("scroll", update);
    };
  }, [measure, region]);
  // between a change of the list and its measurement, never past its end
  return { first: Math.min(shown.first, Math.max(0, count - 1)), end: Math.min(shown.end, count) };
}
