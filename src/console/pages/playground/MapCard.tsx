import type { Ref } from "react";
import type { Shown } from "./playground.ts";

/** What a point is: its text, or its picture, on a slip beside it. It is said too, for those who do not see the map. */
export function MapCard({ ref, shown }: { ref: Ref<HTMLDivElement>; shown: Shown | undefined }) {
  return (
    <div
      ref={ref}
      hidden
      aria-live="polite"
      className="pointer-events-none absolute top-0 left-0 max-w-75 rounded-2 bg-ink px-2.5 py-1 text-12 text-on-ink"
    >
      {shown && (
        <>
          <span className="sr-only">Row {shown.number}: </span>
          {shown.image !== undefined && (
            <img src={shown.image} alt="" className="my-1 max-h-24 max-w-full rounded-1 object-contain" />
          )}
          <span className="line-clamp-3 break-words">{shown.text.slice(0, 240)}</span>
        </>
      )}
    </div>
  );
}
