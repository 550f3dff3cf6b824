import { Skeleton } from "../../ui/Skeleton.tsx";

export const plotHeight = 80;
export const histogramBox = "grid gap-2 px-8 pt-1 pb-3 max-md:px-4";

/** The histogram while it is fetched and read. */
export function HistogramSkeleton() {
  return (
    <div className={histogramBox}>
      <Skeleton width={320} />
      <Skeleton height={plotHeight + 20} className="mt-5" />
    </div>
  );
}
