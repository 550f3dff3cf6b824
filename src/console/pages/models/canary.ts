import { type CanaryRecord, type CanaryRun, driftSentence, formatDistance } from "#contract/canaries.ts";
import { counted, formatClock, formatLongDay, formatRelative } from "../../format.ts";
import type { Bar } from "../../ui/bar.ts";
import type { StatusKind } from "../../ui/Status.tsx";

export const intervals: readonly { hours: number; label: string }[] = [
  { hours: 1, label: "Every hour" },
  { hours: 6, label: "Every 6 hours" },
  { hours: 24, label: "Every day" },
  { hours: 168, label: "Every week" },
];

export function intervalName(hours: number): string {
  return intervals.find((one) => one.hours === hours)?.label ?? `Every ${hours} hours`;
}

export function canaryStatus(canary: CanaryRecord): { kind: StatusKind; word: string } {
  if (canary.running) return { kind: "unknown", word: canary.measures_next ? "Measuring" : "Checking" };
  if (canary.status === "drift") return { kind: "trouble", word: "Drifted" };
  if (canary.failures > 0) return { kind: "warning", word: "Last check failed" };
  if (canary.status === "suspected") return { kind: "warning", word: "Suspected" };
  if (canary.status === "new") return { kind: "unknown", word: "No baseline yet" };
  return onlyMeasured(canary) ? { kind: "unknown", word: "Not checked yet" } : { kind: "running", word: "No drift" };
}

/** Its baseline is there, and no check has been compared with it yet. */
const onlyMeasured = ({ last_run: last, status }: CanaryRecord) => status === "steady" && last?.outcome === "baseline";

/** What is known, in one or two sentences. */
export function canarySentence(canary: CanaryRecord, now: Date): string {
  const { drift, baseline, last_run: last, status } = canary;
  // What was just read may be later than the page's minute.
  const ago = (at: string) => formatRelative(new Date(Math.min(Date.parse(at), now.getTime())), now);
  const failure =
    last?.outcome === "failed" ? `The last check failed, which is not drift: ${ended(last.message ?? "")}` : "";
  const found =
    drift !== null
      ? `${driftSentence({ ...drift, baseline })}. Found ${ago(drift.since)} and confirmed by a second check.`
      : baseline === null
        ? "The baseline is being measured."
        : status === "suspected"
          ? "The last check found different vectors. A second check runs within minutes to confirm."
          : onlyMeasured(canary)
            ? `The baseline was measured ${ago(baseline.at)}: vectors that move by up to ${formatDistance(baseline.threshold)} are noise. The next check compares with it.`
            : `The same texts have the same vectors as ${ago(baseline.at)}, within the noise of ${formatDistance(baseline.threshold)}.`;
  if (baseline === null && failure !== "") return failure;
  return failure === "" ? found : `${found} ${failure}`;
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

export const driftParts = ["Distance within the noise", "Beyond it"] as const;
export const driftTones = [
  "stroke-accent-2 forced-colors:stroke-[GrayText]",
  "stroke-bad-fg forced-colors:stroke-[LinkText]",
];

/** One bar for each run, oldest first: as high as the vectors moved, and red from where it is more than noise. */
export function canaryBars(runs: readonly CanaryRun[]): Bar[] {
  return runs.toReversed().map((run) => {
    const at = new Date(run.at);
    const label = `${formatLongDay(at, "UTC")}, ${formatClock(at, "UTC")} UTC${remark(run)}`;
    // Vectors of two lengths cannot be compared: no distance is greater.
    const distance = run.reason === "length" ? 1 : (run.distance ?? 0);
    const noise = Math.min(distance, run.threshold ?? 0);
    return { label, value: noise, more: [distance - noise], tick: run.outcome === "baseline" ? "Baseline" : undefined };
  });
}

function remark({ outcome, reason }: CanaryRun): string {
  if (outcome === "failed") return ", failed";
  if (outcome === "baseline") return ", a new baseline";
  if (reason === "length") return ", another length, drawn as 1";
  if (reason === "model_name") return ", another model name";
  return outcome === "suspected" ? ", not confirmed yet" : "";
}

/** What the history shows, in one sentence. */
export function historySentence(runs: readonly CanaryRun[]): string {
  const count = (...outcomes: CanaryRun["outcome"][]) =>
    runs.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const checks = count("steady", "suspected", "drift");
  const failed = count("failed");
  const beyond = count("suspected", "drift");
  const said =
    checks === 0 ? "No check yet" : `${counted(checks, "check")}, ${beyond === 0 ? "none" : beyond} beyond the noise`;
  return `${said}${failed === 0 ? "" : `; ${failed} failed`}.`;
}
