import type { Ref } from "react";
import type { Shown } from "./playground.ts";

/** A point's text or image, on a card next to it. It is also announced, for those who do not see the map. */
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
          {shown.caption !== undefined && (
            <span aria-hidden="true" className="line-clamp-1 wrap-anywhere">
              {shown.caption}
            </span>
          )}
          <span className={shown.caption === undefined ? "line-clamp-3 wrap-anywhere" : "sr-only"}>
            {shown.text.slice(0, 240)}
          </span>
        </>
      )}
    </div>
  );
}
