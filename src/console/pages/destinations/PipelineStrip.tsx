import type { ReactNode } from "react";
import { percentText } from "./sampling.ts";
import type { SectionId } from "./sections.ts";
import { ShareBars } from "./ShareBars.tsx";

export interface Stages {
  calls: number;
  inAllowlist: number;
  passFilters: number;
  /** the calls of the sessions that are sampled */
  sampled: number;
  /** false: the last two are scaled up from the latest calls */
  exact: boolean;
}

interface PipelineStripProps {
  stages: Stages | null;
  rate: number | null;
  /** what the figures are of, or why there are none */
  note: ReactNode;
  /** what was delivered as the settings were then: no stage of the funnel, and only known of a saved destination */
  delivered: ReactNode;
  onOpen: (section: SectionId) => void;
}

/** How many calls of the last day come through each stage; each opens the section that decides it. */
export function PipelineStrip({ stages, rate, note, delivered, onOpen }: PipelineStripProps) {
  const steps: { section: SectionId; count: number | null; words: string }[] = [
    { section: "connection", count: stages?.calls ?? null, words: "calls" },
    { section: "keys", count: stages?.inAllowlist ?? null, words: "from these keys" },
    { section: "rules", count: stages?.passFilters ?? null, words: "pass the rules" },
    {
      section: "sampling",
      count: stages?.sampled ?? null,
      words: rate === null ? "sampled" : `sampled at ${percentText(rate)}%`,
    },
  ];
  return (
    <div className="px-8 pt-4 pb-4 max-md:px-4">
      <ol aria-label="The pipeline, last 24 h" className="grid grid-cols-4 gap-6 max-lg:gap-3 max-md:grid-cols-2">
        {steps.map(({ section, count, words }, index) => (
          <li key={words} className="min-w-0">
            <button
              type="button"
              onClick={() => onOpen(section)}
              className="grid w-full gap-2 rounded-1 text-left outline-offset-4 hover:[&_span]:underline"
            >
              <ShareBars fraction={stages && count !== null && stages.calls > 0 ? count / stages.calls : 0} />
              <span className="flex flex-wrap items-baseline gap-x-1.5">
                <b className="text-14 font-semibold tabular-nums">
                  {count === null
                    ? "–"
                    : `${stages?.exact === false && index > 1 ? "≈ " : ""}${count.toLocaleString("en-US")}`}
                </b>
                <span className="text-fg-2">{words}</span>
                {index < steps.length - 1 && <span className="sr-only">, then</span>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p className="pt-1.5 text-12 text-fg-3">{note}</p>
      {delivered !== null && <p className="text-12 text-fg-3">{delivered}</p>}
    </div>
  );
}
