import { formatCount } from "../../format.ts";
import type { PairMedian } from "../../vectors/protocol.ts";
import {
  cosineText,
  scaleColor,
  shareOf,
  zeroIsUnrelated,
  type SimilarityScale,
} from "../../vectors/similarity-scale.ts";

const steps = 27;
const width = steps * 4;

interface SequenceScaleProps {
  scale: SimilarityScale;
  median: PairMedian | null;
  /** the least similar pair */
  least: number;
}

/** The scale of similarities as bars, with its two ends, 0, and what two rows drawn at random come to. */
export function SequenceScale({ scale, median, least }: SequenceScaleProps) {
  const at = (score: number) => Math.round(shareOf(scale, score) * (width - 4)) + 1;
  const zero = scale.from < 0 && scale.to > 0;
  const unrelated = scale.from <= 0 && zeroIsUnrelated(median);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 text-12 text-fg-2 tabular-nums">
      <span className="inline-flex items-center gap-1.5">
        {scale.stretched && "Stretched to the pairs shown:"} {least < scale.from && "≤ "}
        {cosineText(scale.from)}
        <span className="sr-only">to</span>
        <svg width={width} height="18" aria-hidden="true">
          {Array.from({ length: steps }, (_, index) => (
            <rect
              key={index}
              x={index * 4}
              y="3"
              width="2.5"
              height="12"
              style={{ fill: scaleColor(index / (steps - 1)) }}
            />
          ))}
          {zero && <path d={`M${at(0)} 0v18`} strokeWidth="1.5" strokeDasharray="2 2" className="stroke-fg-1" />}
          {median && <path d={`M${at(median.median)} 0v18`} strokeWidth="2" className="stroke-fg-1" />}
        </svg>
        {cosineText(scale.to)}
      </span>
      {(zero || unrelated) && (
        <span className="inline-flex items-center gap-1.5">
          {zero && <Tick dashed />} {unrelated ? "0 = unrelated for this model" : "0"}
        </span>
      )}
      {median && (
        <span className="inline-flex items-center gap-1.5">
          <Tick /> {medianText(median)}
        </span>
      )}
      <span className="inline-flex items-center gap-1.5">
        <svg width="12" height="12" aria-hidden="true" className="stroke-fg-3">
          <path d="M0 6L6 0M0 12L12 0M6 12L12 6" />
        </svg>
        same row
      </span>
    </span>
  );
}

/** What a median is the median of: pairs of related rows are among them, so it is no more than a hint at "unrelated". */
export function medianText({ median, pairs, every }: PairMedian): string {
  if (pairs === 1) return `${cosineText(median)}, the only pair`;
  return `${cosineText(median)} median of ${every ? "all " : ""}${formatCount(pairs)} ${every ? "" : "random "}pairs`;
}

function Tick({ dashed = false }: { dashed?: boolean }) {
  return (
    <svg width="2" height="12" aria-hidden="true" className="stroke-fg-1">
      <path d="M1 0v12" strokeWidth="2" strokeDasharray={dashed ? "2 2" : undefined} />
    </svg>
  );
}
