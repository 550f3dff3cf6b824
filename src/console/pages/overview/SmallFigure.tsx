import type { ReactNode } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";

interface SmallFigureProps {
  label: string;
  /** under the figure, in small type */
  note?: string | undefined;
  children: ReactNode;
}

/** With and without a note, known or not: the page under it stays where it is. A second line of a note has the gap's room, a third makes its own. */
const cell = "grid min-h-14.5 min-w-0 content-start";

/** A figure of the second rank. */
export function SmallFigure({ label, note, children }: SmallFigureProps) {
  return (
    <div className={cell}>
      <h2 className="truncate text-12 font-normal text-fg-3">{label}</h2>
      <p className="text-16 font-semibold tabular-nums">{children}</p>
      {note !== undefined && <p className="-mb-2 text-12 text-fg-2">{note}</p>}
    </div>
  );
}

/** The places of figures that are not known yet. */
export function WaitingFigures({ count = 1 }: { count?: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div key={index} className={`${cell} gap-2 pt-1`}>
      <Skeleton width={64} />
      <Skeleton width={84} height={18} />
    </div>
  ));
}
