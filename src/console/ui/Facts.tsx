import { Fragment, type ReactNode } from "react";
import { cx } from "./cx.ts";

export interface Fact {
  term: string;
  value: ReactNode;
}

/** A list of terms and what they are; in two columns of pairs where there is room. */
export function Facts({
  facts,
  columns = 1,
  className,
}: {
  facts: readonly Fact[];
  columns?: 1 | 2 | undefined;
  className?: string | undefined;
}) {
  return (
    <dl
      className={cx(
        "grid content-start gap-x-5 gap-y-1 text-12",
        columns === 2
          ? "grid-cols-[max-content_1fr_max-content_1fr] max-md:grid-cols-[fit-content(40%)_1fr]"
          : "grid-cols-[max-content_1fr]",
        className,
      )}
    >
      {facts.map((fact) => (
        <Fragment key={fact.term}>
          <dt className="text-fg-3">{fact.term}</dt>
          <dd className="min-w-0 break-words">{fact.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
