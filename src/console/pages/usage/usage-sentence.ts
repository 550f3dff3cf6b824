import { dayMs } from "#contract/time.ts";
import type { UsageReport } from "#contract/usage-report.ts";
import { counted, formatUsd } from "../../format.ts";
import { changeWords } from "../../shell/usage-words.ts";
import { stretchWords } from "./periods.ts";

/** Refused calls are deleted after so long. */
const refusedKeptMs = 30 * dayMs;

/** What a period cost, next to the one that it is compared with: every figure is the table's total. */
export function usageSentence(report: UsageReport, refused: number, now: Date): string {
  const { total, previous, since } = report;
  const isOld = now.getTime() - Date.parse(since) > refusedKeptMs + dayMs;
  const kept = isOld ? ", of those in the last 30 days" : "";
  const refusals =
    refused === 0 ? "" : ` ${counted(refused, "call was", "calls were")} refused before a model was called${kept}.`;
  if (total.requests === 0) return `No calls in this period.${refusals}`;
  const failed = total.failures === 0 ? "" : `, ${counted(total.failures, "of them failed", "of them failed")}`;
  const own = total.byok_usage === 0 ? "" : ` and ${formatUsd(total.byok_usage)} on own provider keys`;
  const change = changeWords(total.usage, previous.usage);
  const compared = stretchWords(
    { since: new Date(report.compared_since), until: new Date(report.compared_until) },
    now,
  );
  const against = change === undefined ? "" : ` ${change} on the ${formatUsd(previous.usage)} of ${compared}.`;
  return `${formatUsd(total.usage)}${own} for ${counted(total.requests, "call")}${failed}.${against}${refusals}`;
}
