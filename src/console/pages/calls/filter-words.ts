import { formatDayTime } from "../../format.ts";
import type { CallsSearch } from "./search.ts";

/** Statuses that a caller can be answered with, beyond "answered" and "failed". */
export const statuses: readonly [string, string][] = [
  ["400", "400 invalid request"],
  ["402", "402 payment required"],
  ["403", "403 forbidden"],
  ["404", "404 not found"],
  ["429", "429 rate limited"],
  ["499", "The caller left"],
  ["500", "500 server"],
  ["502", "502 provider error"],
  ["503", "503 unavailable"],
  ["524", "524 timeout"],
  ["529", "529 overloaded"],
];

/** Names of what the address has ids of; undefined while they are read, or where there is none any more. */
export interface FilterNames {
  key: string | undefined;
  provider: string | undefined;
}

/** One filter in words. */
export interface FilterWord {
  name: keyof CallsSearch;
  /** "Model", or nothing where the value says it all */
  kind: string;
  value: string;
}

/** The filters in use, one word each, in the order of the fields. */
export function filterWords(search: CallsSearch, names: FilterNames): FilterWord[] {
  const { key, model, provider, status, session, preset, batch, since, until } = search;
  const words: [keyof CallsSearch, string, string | undefined][] = [
    ["key", "Key", key && (names.key ?? `${key.slice(0, 12)}…`)],
    ["model", "Model", model],
    ["provider", "Provider", names.provider ?? provider],
    ["status", isNamed(status) ? "" : "Status", status && statusWord(status)],
    ["session", "Session", session],
    ["preset", "Preset", preset],
    ["batch", "Batch", batch],
    ["since", "From", since && instant(since)],
    ["until", "Until", until && instant(until)],
  ];
  return words.flatMap(([name, kind, value]) => (value === undefined || value === "" ? [] : [{ name, kind, value }]));
}

const isNamed = (status: string | undefined) => status === "succeeded" || status === "failed";

function statusWord(status: string): string {
  if (status === "succeeded") return "Answered";
  if (status === "failed") return "Failed";
  return statuses.find(([value]) => value === status)?.[1] ?? status;
}

function instant(iso: string): string {
  const at = new Date(iso);
  return `${formatDayTime(at, "UTC", { seconds: at.getTime() % 60_000 !== 0 })} UTC`;
}
