import { suggestedFilters, type CallFilterSuggestion, type SuggestedFilter } from "#contract/call-list.ts";
import { reasonWords, refusalReasons } from "../../shell/refused-messages.ts";
import { callIdOf, isCallId, isRequestId } from "../../shell/request-lookup.ts";
import type { ComboOption } from "../../ui/listbox.ts";
import { statuses } from "./filter-words.ts";
import type { FilterName } from "./search.ts";

type Field = Exclude<FilterName, "since" | "until">;

/** What calls can be found by, under the words that people type. */
const fields: readonly (readonly [Field, string, string])[] = [
  ["key", "Key", "name or end of the key"],
  ["model", "Model", "a part of its id is enough"],
  ["provider", "Provider", "name or slug"],
  ["status", "Status", "answered, failed, refused, 429"],
  ["reason", "Reason", "why calls failed or were refused"],
  ["session", "Session", "the session's id"],
  ["preset", "Preset", "the preset's slug"],
  ["user", "User", "as the caller named it"],
  ["app", "App", "the app's title"],
  ["batch", "Batch", "the batch's id"],
];
const titles = new Map(fields.map(([field, title]) => [field, title]));

/** Errors that calls fail with, and reasons that limits refuse for. */
const reasons = [
  ...refusalReasons,
  "rate_limit_exceeded",
  "not_found",
  "invalid_request",
  "context_length_exceeded",
  "content_policy_violation",
  "permission_denied",
  "provider_unavailable",
  "provider_overloaded",
  "timeout",
  "server",
];

/** What is typed: "model: talk" is "talk" among the models. */
export interface Typed {
  field: Field | undefined;
  text: string;
}

export function readTyped(typed: string): Typed {
  const [, name, rest = ""] = /^\s*(\w+):(.*)$/s.exec(typed) ?? [];
  const field = fields.find(([one]) => one === name?.toLowerCase())?.[0];
  return field === undefined ? { field, text: typed.trim() } : { field, text: rest.trim() };
}

/** What the field holds once a filter was chosen that needs a value. */
export const typedOf = (field: string) => `${field}: `;

/** What an option does: sets a filter, asks for its value, or opens a call. */
export type Choice =
  | { kind: "filter"; name: FilterName; value: string }
  | { kind: "field"; name: string }
  | { kind: "id"; id: string };

export function readChoice(value: string): Choice {
  const at = value.indexOf("=");
  const [name, rest] = [value.slice(0, at), value.slice(at + 1)];
  if (name === "id") return { kind: "id", id: rest };
  return name === "field" ? { kind: "field", name: rest } : { kind: "filter", name: name as FilterName, value: rest };
}

/** The gateway knows values of these; null: none of what is typed. */
export function suggestedField({ field, text }: Typed): SuggestedFilter | "any" | null {
  if (field === undefined) return text === "" || isId(text) ? null : "any";
  return suggestedFilters.find((one) => one === field) ?? null;
}

const isId = (text: string) => isCallId(text) || isRequestId(text);

/** The options for what is typed: an id leads to its call, nothing typed lists what can be asked for. */
export function filterOptions(
  typed: Typed,
  found: readonly CallFilterSuggestion[],
  workspaceName: (id: string) => string | undefined,
): ComboOption[] {
  const { field, text } = typed;
  if (field === undefined && isId(text)) return [goTo(text)];
  const suggested = found.map(({ field: of, value, label, detail, workspace_id: id }): ComboOption => {
    const where = id === null ? undefined : workspaceName(id);
    return {
      value: `${of}=${value}`,
      label,
      detail: [detail, where, of === "provider" && label !== value ? value : null].filter(Boolean).join(", "),
      group: titles.get(of),
    };
  });
  const named = [...among("status", statusOptions, typed), ...among("reason", reasonOptions, typed)];
  const asked = field === undefined ? fieldOptions(text) : [];
  const exact = exactOption(typed, found);
  // without a text the list begins with what can be asked for
  return text === "" && field === undefined ? [...asked, ...named] : [...suggested, ...named, ...exact, ...asked];
}

function goTo(id: string): ComboOption {
  const isRequest = isRequestId(id);
  return {
    value: `id=${isRequest ? id : callIdOf(id)}`,
    label: isRequest ? "Open the call of this request" : "Open this call",
    detail: id,
  };
}

const statusOptions: readonly (readonly [string, string])[] = [
  ["failed", "Failed, refused ones included"],
  ["refused", "Refused before a model was called"],
  ["succeeded", "Answered"],
  ...statuses,
];
const reasonOptions: readonly (readonly [string, string])[] = reasons.map((reason) => [reason, reasonWords(reason)]);

const firstStatuses = 3;

function among(
  name: "status" | "reason",
  options: readonly (readonly [string, string])[],
  { field, text }: Typed,
): ComboOption[] {
  if (field !== undefined && field !== name) return [];
  const words = text.toLowerCase();
  const fitting = options.filter(([value, label]) => `${value} ${label}`.toLowerCase().includes(words));
  const shown =
    text === "" && field === undefined ? (name === "status" ? fitting.slice(0, firstStatuses) : []) : fitting;
  return shown.map(([value, label]) => ({ value: `${name}=${value}`, label, group: titles.get(name) }));
}

function fieldOptions(text: string): ComboOption[] {
  const words = text.toLowerCase();
  return fields
    .filter(([field]) => field.startsWith(words))
    .map(([field, label, detail]) => ({ value: `field=${field}`, label, detail, group: "Find by" }));
}

/** Ids that no suggestion has can be asked for as they are: calls may be older than what is looked through. */
const taken: readonly Field[] = ["model", "session", "preset", "user", "app", "batch"];

function exactOption({ field, text }: Typed, found: readonly CallFilterSuggestion[]): ComboOption[] {
  if (field === undefined || text === "" || !taken.includes(field)) return [];
  if (found.some(({ value }) => value === text)) return [];
  return [{ value: `${field}=${text}`, label: text, detail: "exactly as typed", group: titles.get(field) }];
}
