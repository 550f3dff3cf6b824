import { markOf, type Mark } from "./category-marks.ts";
import { shapePaths } from "./shapes.ts";

const colours = [
  "text-data-1",
  "text-data-2",
  "text-data-3",
  "text-data-4",
  "text-data-5",
  "text-data-6",
  "text-data-7",
  "text-data-8",
];

/** The shape and color of a group, by its place among the groups; nothing for a row without one. */
export function GroupShape({ place }: { place: number }) {
  if (place < 0) return <span className="inline-block size-2.5 shrink-0" />;
  return <MarkShape mark={markOf(place)} />;
}

export function MarkShape({ mark: { colour, shape } }: { mark: Mark }) {
  return (
    <svg width="10" height="10" viewBox="-5 -5 10 10" aria-hidden="true" className={`shrink-0 ${colours[colour]}`}>
      <path d={shapePaths[shape]} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}
