import type { Output } from "#contract/endpoint.ts";
import { sampleSessions } from "#contract/forwarding.ts";
import { keepsPosition, percentOf, rateThatKeepsPosition } from "#contract/sampling.ts";
import { ApiError } from "../../api/errors.ts";
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "./draft.ts";
import { dryRun } from "./dry-run.ts";
import { SamplingSlider, type SamplingSliderProps } from "./SamplingSlider.tsx";
import { keptText } from "./session-strip.ts";
import { SessionStrip } from "./SessionStrip.tsx";
import { useDebouncedCall } from "./use-debounced-call.ts";

type Sample = Output<typeof sampleSessions>["data"];

interface SamplingScaleProps extends SamplingSliderProps {
  draft: Draft;
  workspaceId: string | undefined;
  /** where the session of a call falls that was traced to here */
  traced: number | undefined;
}

/** The sessions of the last day, those that the rate keeps lit, over the slider that sets the rate. */
export function SamplingScale({ draft, workspaceId, traced, ...slider }: SamplingScaleProps) {
  const { rate, onChange } = slider;
  // which sessions there are does not depend on the rate: moving it asks for nothing
  const { body, missing } = dryRun({ ...draft, sampling_rate: 1 }, workspaceId);
  const { sampling_rate: _, ...filters } = body;
  const { data, error } = useDebouncedCall(sampleSessions, missing === null ? { body: filters } : null);
  const sample = error === null ? data?.data : undefined;
  return (
    <div>
      <SessionStrip sessions={sample?.sessions ?? []} rate={rate} marked={traced} />
      <SamplingSlider {...slider} />
      <div className="grid min-h-20 content-start gap-1 pt-3 text-12 text-fg-3 max-md:min-h-26">
        {error !== null ? (
          <p>
            {error instanceof ApiError && error.status === 400
              ? "Correct the rules to see the sessions."
              : "The sessions did not load. You can still save."}
          </p>
        ) : (
          sample && <Explained sample={sample} rate={rate} ofKeys={draft.api_key_hashes !== null} />
        )}
        {traced !== undefined && <Traced position={traced} rate={rate} onChange={onChange} />}
      </div>
    </div>
  );
}

/** What the strip shows, in words. */
function Explained({ sample, rate, ofKeys }: { sample: Sample; rate: number; ofKeys: boolean }) {
  const { sessions, examined, more_calls: moreCalls, more_sessions: moreSessions } = sample;
  if (examined === 0) {
    return (
      <p>
        {ofKeys ? "These keys made no calls" : "There were no calls"} in the last 24 h. Each session will be a bar here.
      </p>
    );
  }
  const looked = `${examined.toLocaleString("en-US")} ${examined === 1 ? "call" : "calls"}`;
  if (sessions.length === 0) return <p>{`None of the ${moreCalls ? "latest " : ""}${looked} passes the rules.`}</p>;
  const cut = [
    ...(moreSessions ? [`the latest ${sessions.length} sessions`] : []),
    ...(moreCalls ? [`the latest ${looked}`] : []),
  ];
  return (
    <>
      <p className="text-fg-2">{keptText(sessions, rate)}</p>
      <p>
        Each bar is a session of the last 24 h that passes the keys and rules, the higher the more calls it has. A rate
        keeps the bars to its left; a lower rate keeps fewer of the same.
        {cut.length > 0 && ` Shown are only ${cut.join(" of ")}.`}
      </p>
    </>
  );
}

/** The smallest edit that lets the traced call's session through, where the rate does not. */
function Traced({ position, rate, onChange }: { position: number; rate: number; onChange: (rate: number) => void }) {
  const least = rateThatKeepsPosition(position);
  const words = `A rate of at least ${percentOf(least)} keeps this session`;
  if (keepsPosition(position, rate)) return <p className="text-fg-2">{`The dot is the traced call. ${words}.`}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fg-2">
      <p>The dot is the traced call: not kept.</p>
      <Button size="sm" onClick={() => onChange(least)}>
        {words}
      </Button>
    </div>
  );
}
