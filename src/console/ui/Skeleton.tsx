import { cx } from "./cx.ts";

export interface SkeletonProps {
  /** Pixels, or any CSS length: the box that the content will have. */
  width?: number | string | undefined;
  height?: number | undefined;
  className?: string | undefined;
}

/** A placeholder for text. It pulses, unless motion is reduced. The region around it is `aria-busy`. */
export function Skeleton({ width = "100%", height = 10, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      style={{ width, height }}
      className={cx(
        "block max-w-full bg-bg-3 rounded-1 anim-breathe forced-colors:border forced-colors:border-[GrayText]",
        className,
      )}
    />
  );
}

/** A two-line cell: a name and the line under it. */
export function SkeletonTwo({ width = 96 }: { width?: number | undefined }) {
  return (
    <span className="grid gap-1.5">
      <Skeleton width={width} />
      <Skeleton width={84} height={7} className="opacity-70" />
    </span>
  );
}
