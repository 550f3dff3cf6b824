import type { Range } from "./ranges.ts";
import { FailingDestinations } from "./FailingDestinations.tsx";
import { KeysNearLimit } from "./KeysNearLimit.tsx";
import { RangeFigures } from "./RangeFigures.tsx";
import { SlowCalls } from "./SlowCalls.tsx";
import { SpendFigures } from "./SpendFigures.tsx";

/** The figures at the top; each is the way to what it counts, and each loads and fails by itself. */
export function Figures({ range, every }: { range: Range; every: number | false }) {
  return (
    <div className="grid gap-x-7 gap-y-5 px-8 pt-5 pb-6 max-md:px-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,1.6fr)]">
      <SpendFigures every={every} />
      <div className="relative grid grid-cols-3 content-start gap-x-5 gap-y-4 border-line max-xl:border-t max-xl:pt-5 max-md:grid-cols-2 xl:border-l xl:pl-7">
        <RangeFigures range={range} every={every} />
        <SlowCalls every={every} />
        <KeysNearLimit every={every} />
        <FailingDestinations every={every} />
      </div>
    </div>
  );
}
