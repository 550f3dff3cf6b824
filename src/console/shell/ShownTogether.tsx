import { useState, type ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import { useSkeleton } from "../ui/use-skeleton.ts";
import { useSlow } from "../ui/use-slow.ts";

interface ShownTogetherProps {
  /** it is known how high each part is that has another one below it */
  ready: boolean;
  skeleton: ReactNode;
  children: ReactNode;
}

/**
 * Parts below each other, each with a read of its own, shown at once when none of them will push the next one down any
 * more. They are rendered before, so that they read at the same time. One that gets no answer holds the others up for
 * some seconds only.
 */
export function ShownTogether({ ready, skeleton, children }: ShownTogetherProps) {
  const [shown, setShown] = useState(ready);
  const waiting = useSkeleton(!shown);
  const slow = useSlow(!shown);
  // for good: another range, asked for later, hides nothing
  if (!shown && (ready || slow)) setShown(true);
  return (
    <div aria-busy={!shown || undefined}>
      {!shown && (
        <div aria-hidden="true" className={cx(!waiting && "invisible")}>
          {skeleton}
        </div>
      )}
      <div hidden={!shown}>{children}</div>
    </div>
  );
}
