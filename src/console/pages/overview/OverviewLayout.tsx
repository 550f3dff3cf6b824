import type { ReactNode } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useSkeleton } from "../../ui/use-skeleton.ts";
import { WaitingAttention } from "./NeedsAttention.tsx";
import { WaitingFigures } from "./SmallFigure.tsx";
import { WaitingSpend } from "./SpendFigures.tsx";

interface OverviewLayoutProps {
  spend: ReactNode;
  /** six figures of the second rank */
  figures: ReactNode;
  usage: ReactNode;
  attention: ReactNode;
}

/** Where the parts of the page are, known or not. */
export function OverviewLayout({ spend, figures, usage, attention }: OverviewLayoutProps) {
  return (
    <>
      <div className="grid gap-x-7 gap-y-5 px-8 pt-5 pb-6 max-md:px-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,1.6fr)]">
        {spend}
        <div className="relative grid grid-cols-3 content-start gap-x-5 gap-y-4 border-line max-xl:border-t max-xl:pt-5 max-md:grid-cols-2 xl:border-l xl:pl-7">
          {figures}
        </div>
      </div>
      <div className="border-t border-line-2">
        <BesideAttention attention={attention}>
          <div className="px-8 py-5 max-md:px-4">{usage}</div>
        </BesideAttention>
      </div>
    </>
  );
}

/** The list of what needs attention is on the right, or below if there is no room. */
export function BesideAttention({ attention, children }: { attention: ReactNode; children: ReactNode }) {
  return (
    <div className="grid xl:grid-cols-[minmax(0,1fr)_420px]">
      <div className="min-w-0 overflow-x-clip">{children}</div>
      <div className="min-w-0 border-line px-8 py-5 max-xl:border-t max-md:px-4 xl:border-l">{attention}</div>
    </div>
  );
}

/** Until it is known whether there are figures at all. */
export function WaitingOverview() {
  if (!useSkeleton(true)) return null;
  return (
    <div aria-hidden="true">
      <WaitingLayout />
    </div>
  );
}

/** The places of all parts. */
export function WaitingLayout() {
  return (
    <OverviewLayout
      spend={<WaitingSpend />}
      figures={<WaitingFigures count={6} />}
      usage={<Skeleton height={350} />}
      attention={<WaitingAttention />}
    />
  );
}
