import { formatDayTime } from "../../format.ts";
import { reasonWords } from "../../shell/refused-messages.ts";
import type { CallsSearch, FilterName } from "./search.ts";

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

/** One part of the sentence that the filters are. */
export interface FilterWord {
  name: FilterName;
  /** what leads to the value: "to model" */
  lead: string;
  value: string;
}

/** The filters in use as parts of a sentence that begins with "Calls", in one order. */
export function filterWords(search: CallsSearch, names: FilterNames): FilterWord[] {
  const { key, model, provider, status, reason, session, preset, batch, user, app, since, until } = search;
  const words: [FilterName, string, string | undefined][] = [
    ["key", "of key", key && (names.key ?? `${key.slice(0, 12)}…`)],
    ["model", "to model", model],
    ["provider", "at", names.provider ?? provider],
    ["status", isNamed(status) ? "that" : "with status", status && statusWord(status)],
    ["reason", "because of", reason && reasonWords(reason)],
    ["session", "in session", session],
    ["preset", "with preset", preset],
    ["batch", "of batch", batch],
    ["user", "for user", user],
    ["app", "from app", app],
    ["since", "since", since && instant(since)],
    ["until", "before", until && instant(until)],
  ];
  return words.flatMap(([name, lead, value]) => (value === undefined || value === "" ? [] : [{ name, lead, value }]));
}

const named: Readonly<Record<string, string>> = {
  succeeded: "were answered",
  failed: "failed",
  refused: "were refused",
};

const isNamed = (status: string | undefined) => status !== undefined && named[status] !== undefined;

function statusWord(status: string): string {
  return named[status] ?? statuses.find(([value]) => value === status)?.[1] ?? status;
}

function instant(iso: string): string {
  const at = new Date(iso);
  return `${formatDayTime(at, "UTC", { seconds: at.getTime() % 60_000 !== 0 })} UTC`;
}
