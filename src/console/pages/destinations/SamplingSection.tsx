import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { everyDestination } from "../../api/destinations.ts";
import { formatBytes } from "../../format.ts";
import { useDebounced } from "../../form/use-debounced.ts";
import { Field } from "../../ui/Field.tsx";
import { Chips } from "../../ui/Segmented.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { at, type Editing } from "./editor.ts";
import {
  expected,
  isFraction,
  oneIn,
  overlapText,
  percentText,
  rangeText,
  readRate,
  roughEvents,
  samplingPresets,
  seldom,
} from "./sampling.ts";

export interface Traffic {
  /** calls a day that pass keys and rules, by the last week; null with less than a day of history, undefined while it is not known */
  passing: number | null | undefined;
  /** how many calls a session has; null where it is not known */
  perSession: number | null;
  /** the mean size of the last calls as they would be sent, and of how many; null where none could be measured */
  size: { mean_bytes: number; calls: number } | null;
  failed: boolean;
}

// The last section, with the only slider of the console: the form is there before it.
const SamplingScale = lazy(async () => ({ default: (await import("./SamplingScale.tsx")).SamplingScale }));

const presets = samplingPresets.map((rate) => ({ value: String(rate), label: `${percentText(rate)}%` }));

interface SamplingSectionProps {
  editing: Editing;
  workspaceId: string | undefined;
  traffic: Traffic;
  /** where the session of a call falls that was traced to here */
  traced: number | undefined;
}

/** How many of them: one number, by slider, by an exact percentage or by a preset. */
export function SamplingSection({ editing, workspaceId, traffic, traced }: SamplingSectionProps) {
  const { draft, base, change, touch } = editing;
  const rate = draft.sampling_rate ?? base?.sampling_rate ?? 1;
  const set = (next: number | null) => change({ sampling_rate: next });
  const estimate = estimateText(rate, traffic);
  const { data: others = [] } = useQuery({
    ...everyDestination(workspaceId ?? ""),
    enabled: workspaceId !== undefined,
  });
  const overlap = overlapText(
    rate,
    others.filter(({ id, enabled }) => enabled && id !== base?.id),
  );
  const spokenEstimate = useDebounced(estimate.spoken, 500);
  return (
    <>
      <Suspense fallback={<div className="h-52.5 max-md:h-60.5" />}>
        <SamplingScale
          draft={draft}
          workspaceId={workspaceId}
          traced={traced}
          rate={rate}
          onChange={set}
          valueText={`${percentText(rate)} percent, ${about(rate)}${spokenEstimate}`}
        />
      </Suspense>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div {...at("sampling_rate")} className="min-w-60">
          <ExactRate rate={draft.sampling_rate} onChange={set} onBlur={() => touch("sampling_rate")} />
        </div>
        <Chips
          label="Sampling presets"
          choices={presets}
          value={String(draft.sampling_rate)}
          onChange={(value) => set(Number(value))}
          className="ml-auto pt-[22px] max-md:ml-0 max-md:pt-0"
        />
      </div>
      <p>
        <span className="text-fg-2">
          <b className="font-semibold text-fg-1">{estimate.bold}</b>
          {estimate.rest}
        </span>
        <br />
        <span className="text-12 text-fg-3">
          Chosen by session, so a trace is never cut in half.{overlap === null ? "" : ` ${overlap}`}
        </span>
      </p>
    </>
  );
}

function about(rate: number): string {
  const words = oneIn(rate);
  return words.startsWith("about") || rate === 1 ? words : `about ${words}`;
}

/** What is typed stays as it is typed until the field is left, and a rate between two stops stays as it is stored. */
function ExactRate({
  rate,
  onChange,
  onBlur,
}: {
  rate: number | null;
  onChange: (rate: number | null) => void;
  onBlur: () => void;
}) {
  const [typed, setTyped] = useState<{ text: string; rate: number | null } | null>(null);
  const text = typed !== null && typed.rate === rate ? typed.text : rate === null ? "" : percentText(rate);
  const read = readRate(text);
  return (
    <Field
      label="Exactly, in percent"
      error={"problem" in read ? read.problem : undefined}
      hint={
        "rate" in read
          ? `${isFraction(text) ? `Read as a fraction: ${text.trim()} is ` : ""}${percentText(read.rate)}%: ${oneIn(read.rate)}`
          : undefined
      }
    >
      {(control) => (
        <TextInput
          {...control}
          figures
          suffix="%"
          inputMode="decimal"
          className="w-32"
          value={text}
          onChange={(event) => {
            const next = readRate(event.target.value);
            const nextRate = "rate" in next ? next.rate : null;
            setTyped({ text: event.target.value, rate: nextRate });
            onChange(nextRate);
          }}
          onBlur={() => {
            onBlur();
            if ("rate" in read) setTyped(null);
          }}
        />
      )}
    </Field>
  );
}

function estimateText(
  rate: number,
  { passing, perSession, size, failed }: Traffic,
): { bold: string; rest: string; spoken: string } {
  if (failed) return { bold: "", rest: "The estimate did not load. You can still save.", spoken: "" };
  if (passing === undefined) return { bold: "", rest: "Estimating.", spoken: "" };
  if (passing === null)
    return { bold: "", rest: "Not enough traffic to estimate: this needs a day of calls.", spoken: "" };
  if (passing === 0)
    return {
      bold: "",
      rest: "Not enough traffic to estimate: no call in the last 7 days passes the keys and rules.",
      spoken: "",
    };
  const estimate = expected(passing, rate, perSession ?? 1);
  const { perDay } = estimate;
  if (perDay < 1)
    return { bold: `≈ ${seldom(perDay)}`, rest: ": you may see nothing for a while.", spoken: `, ${seldom(perDay)}` };
  const spread = rate === 1 ? "" : ` (typically ${rangeText(estimate)})`;
  const bytes =
    size === null
      ? ""
      : ` · ≈ ${formatBytes(Number((size.mean_bytes * perDay).toPrecision(2)))} a day, based on the last ${size.calls === 1 ? "call" : `${size.calls} calls`}`;
  return {
    bold: `≈ ${roughEvents(perDay)} a day`,
    rest: spread + bytes,
    spoken: `, roughly ${roughEvents(perDay)} a day`,
  };
}
