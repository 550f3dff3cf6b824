import * as Slider from "@radix-ui/react-slider";
import { RateDecades } from "./RateDecades.tsx";
import { nearestStop, samplingStops } from "./sampling.ts";

const last = samplingStops.length - 1;

/** Bars from one stop to the one before another, the decades taller. */
function bars(from: number, to: number): string {
  let path = "";
  for (let stop = from; stop < to; stop += 1) path += stop % 10 === 0 ? `M${stop} 4v16` : `M${stop} 8v8`;
  return path;
}

export interface SamplingSliderProps {
  rate: number;
  onChange: (rate: number) => void;
  /** the rate in words */
  valueText: string;
}

/**
 * A slider over the 41 stops, not over the rate: an arrow is one stop, a page key ten of them, ×10 or ÷10. A rate between
 * two stops keeps its value until the slider is moved; the thumb is at the nearer one.
 */
export function SamplingSlider({ rate, onChange, valueText }: SamplingSliderProps) {
  const stop = nearestStop(rate);
  return (
    <div className="pt-1">
      <Slider.Root
        min={0}
        max={last}
        step={1}
        value={[stop]}
        onValueChange={([next]) => onChange(samplingStops[next ?? stop] ?? rate)}
        className="relative flex h-9 touch-none items-center select-none"
      >
        <Slider.Track className="relative h-full grow">
          <svg
            viewBox={`0 0 ${last} 24`}
            preserveAspectRatio="none"
            fill="none"
            strokeWidth="2"
            aria-hidden="true"
            className="absolute inset-y-1.5 left-3 h-6 w-[calc(100%-24px)] overflow-visible"
          >
            <path
              d={bars(0, stop + 1)}
              vectorEffect="non-scaling-stroke"
              className="stroke-accent forced-colors:stroke-[CanvasText]"
            />
            <path
              d={bars(stop + 1, last + 1)}
              vectorEffect="non-scaling-stroke"
              className="stroke-line-2 forced-colors:stroke-[GrayText]"
            />
          </svg>
        </Slider.Track>
        <Slider.Thumb
          aria-label="Sampling rate"
          aria-valuetext={valueText}
          className="grid h-7 w-6 place-items-center rounded-1 outline-offset-1"
        >
          <span
            aria-hidden="true"
            className="grid h-7 w-2 place-items-center rounded-1 bg-ink forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none"
          >
            <span className="h-3.5 w-[1.5px] bg-on-ink" />
          </span>
        </Slider.Thumb>
      </Slider.Root>
      <RateDecades stop={stop} />
    </div>
  );
}
