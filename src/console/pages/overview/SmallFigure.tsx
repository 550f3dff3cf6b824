import type { ReactNode } from "react";

interface SmallFigureProps {
  label: string;
  /** beside the figure, in small type */
  note?: string | undefined;
  children: ReactNode;
}

/** A figure of the second rank. */
export function SmallFigure({ label, note, children }: SmallFigureProps) {
  return (
    <div className="grid content-start gap-0.5">
      <h2 className="text-12 font-normal text-fg-3">{label}</h2>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-16 font-semibold tabular-nums">{children}</span>
        {note !== undefined && <span className="text-12 whitespace-nowrap text-fg-2">{note}</span>}
      </p>
    </div>
  );
}
