import { X } from "lucide-react";
import { IconButton } from "../../ui/IconButton.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { change, type Run } from "./playground.ts";
import { RowFace } from "./RowFace.tsx";
import { groupsOf } from "./rows.ts";
import { useAnswer } from "./use-answer.ts";
import type { Playground } from "./use-playground.ts";
import { useStore } from "../../api/store.ts";
import { WhySimilar } from "./WhySimilar.tsx";

interface PinnedPairProps {
  playground: Playground;
  run: Run;
  pair: readonly [number, number];
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinal = (count: number) => `${count}${endings[ordinals.select(count)] ?? "th"}`;

/** Two rows side by side at the bottom of every view: how similar they are, and why. */
export function PinnedPair({ playground, run, pair }: PinnedPairProps) {
  const { store, worker } = playground;
  const { used } = useStore(store);
  const facts = useAnswer(worker, "pair", { run: run.id, used, a: pair[0], b: pair[1] }).data;
  const groups = groupsOf(run.shown);
  const number = (side: 0 | 1) => run.shown[pair[side]]?.number;
  return (
    <section
      aria-label="Pinned pair"
      className="sticky bottom-0 z-1 mt-auto max-h-[60%] shrink-0 overflow-y-auto border-t border-line-2 bg-bg-1 py-3 pr-14 pl-(--pane-x)"
    >
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
        <span className="w-24 text-[28px] leading-8 tracking-tight tabular-nums @max-[560px]/results:w-auto">
          {facts === null ? "–" : facts?.score.toFixed(2)}
        </span>
        <div className="min-w-0 grow basis-60">
          {([0, 1] as const).map((side) => (
            <button
              key={side}
              type="button"
              onClick={() => change(store, { selected: pair[side] })}
              className="flex w-full items-center gap-2.5 rounded-1 py-0.5 text-left -outline-offset-2 hover:bg-bg-3"
            >
              <GroupShape place={groups.indexOf(run.shown[pair[side]]?.group ?? "")} />
              <span className="w-7 shrink-0 text-right text-12 text-fg-3 tabular-nums">{number(side)}</span>
              <RowFace shown={run.shown[pair[side]]} most={200} side="size-10" className="min-w-0 truncate" />
            </button>
          ))}
        </div>
        <div className="max-w-80 text-right text-12 text-fg-2 @max-[560px]/results:text-left">
          <p>
            {pair[0] === pair[1]
              ? "Pinned: a row with itself"
              : facts === null
                ? "Pinned. One of them has no vector"
                : facts &&
                  `Pinned. ${number(1)} is the ${facts.rank === 1 ? "" : `${ordinal(facts.rank)} `}nearest of ${facts.of}`}
          </p>
        </div>
        <IconButton
          label="Unpin the pair"
          className="absolute top-2.5 right-4"
          onClick={() => change(store, { pinned: null })}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      </div>
      {facts && (
        <WhySimilar key={`${run.id} ${pair.join(" ")}`} playground={playground} run={run} pair={pair} used={used} />
      )}
    </section>
  );
}
