import { RE2JS } from "re2js";
import type { ContentFilterMatch, FilterAction } from "#contract/content-filter-match.ts";
import { type BuiltinFilter, builtinLabels, type ContentFilter } from "#contract/guardrails.ts";
import { findInjections } from "./injection.ts";
import { type PersonalData, personalData } from "./personal-data.ts";
import type { Span } from "./span.ts";
import { type Visible, visibleOf } from "./visible.ts";

/** The content filters of all guardrails that apply to a call. */
export interface ContentFilters {
  readonly patterns: readonly ContentFilter[];
  readonly builtins: readonly BuiltinFilter[];
}

/** Why a request is refused. */
export type Blocked =
  | { readonly by: "filter"; readonly label: string }
  | { readonly by: "injection"; readonly patterns: readonly string[] };

/** Compiled filters, at work on the texts of one request. */
export interface TextFilter {
  /**
   * @param said `isUser`: a user says it, as opposed to the system, a tool or the model; `isSigned`: a provider has signed
   * it, which redacting would undo
   * @returns the text with everything redacted that has to be; the same where that is nothing
   */
  read(text: string, said: { readonly isUser: boolean; readonly isSigned: boolean }): string;
  /** the first refusal; null: none so far */
  readonly blocked: Blocked | null;
  /** what was found so far */
  matches(): ContentFilterMatch[];
}

/** A filter, ready to be run. */
interface Ready {
  readonly label: string;
  readonly action: FilterAction;
  readonly userOnly: boolean;
  readonly isInjection: boolean;
  find(text: string): Iterable<Found>;
}

interface Found extends Span {
  readonly pattern?: string;
}

/** For a pattern without a label. */
export const defaultLabel = "REDACTED";

const severity: Readonly<Record<FilterAction, number>> = { block: 2, redact: 1, flag: 0 };

/** @returns a maker of what reads one request */
export function compileFilters({ patterns, builtins }: ContentFilters): () => TextFilter {
  const ready = [...strictest(builtins).flatMap(builtin), ...strictestPatterns(patterns).map(custom)];
  const ordered = ready.toSorted((a, b) => severity[b.action] - severity[a.action]);
  return () => new OneRequest(ordered);
}

/** Of several guardrails' filters for the same, the strictest counts, over as many messages as any of them reads. */
function strictest(filters: readonly BuiltinFilter[]): BuiltinFilter[] {
  return [...Map.groupBy(filters, ({ slug }) => slug).values()].flatMap((same) => {
    const [first] = same.toSorted((a, b) => severity[b.action] - severity[a.action]);
    const isWide = same.some(({ scan_scope: scope }) => scope !== "user_only");
    return first === undefined ? [] : [{ ...first, scan_scope: isWide ? "all_messages" : "user_only" }];
  });
}

function strictestPatterns(filters: readonly ContentFilter[]): ContentFilter[] {
  return [...Map.groupBy(filters, ({ pattern }) => pattern).values()].flatMap((same) =>
    same.toSorted((a, b) => severity[b.action] - severity[a.action]).slice(0, 1),
  );
}

function builtin({ slug, action, scan_scope: scope }: BuiltinFilter): Ready[] {
  const label = builtinLabels[slug];
  if (slug === "regex-prompt-injection") {
    return [{ label, action, userOnly: scope === "user_only", isInjection: true, find: findInjections }];
  }
  if (!(slug in personalData)) return [];
  return [{ label, action, userOnly: false, isInjection: false, find: personalData[slug as PersonalData] }];
}

function custom({ pattern, label, action }: ContentFilter): Ready {
  const compiled = RE2JS.compile(pattern);
  return {
    label: label || defaultLabel,
    action,
    userOnly: false,
    isInjection: false,
    *find(text) {
      // Its fastest engine says whether there is anything, but not where.
      if (!compiled.test(text)) return;
      const matcher = compiled.matcher(text);
      while (matcher.find()) if (matcher.end() > matcher.start()) yield { from: matcher.start(), to: matcher.end() };
    },
  };
}

class OneRequest implements TextFilter {
  blocked: Blocked | null = null;
  private readonly counts: number[];
  private readonly filters: readonly Ready[];

  /** @param filters the strictest first */
  constructor(filters: readonly Ready[]) {
    this.filters = filters;
    this.counts = filters.map(() => 0);
  }

  read(text: string, { isUser, isSigned }: Parameters<TextFilter["read"]>[1]): string {
    const redacted: (Span & { readonly label: string })[] = [];
    const attempts = new Set<string>();
    const visible = visibleOf(text);
    for (const [index, filter] of this.filters.entries()) {
      const { label, action, userOnly, isInjection } = filter;
      if ((userOnly && !isUser) || (isSigned && action === "redact")) continue;
      for (const { from, to, pattern } of found(filter, text, visible)) {
        this.counts[index] = (this.counts[index] ?? 0) + 1;
        if (action === "redact") redacted.push({ from, to, label });
        if (action !== "block") continue;
        if (!isInjection) {
          this.blocked = { by: "filter", label };
          return text;
        }
        attempts.add(pattern ?? "");
      }
    }
    if (attempts.size > 0) this.blocked = { by: "injection", patterns: [...attempts] };
    return this.blocked === null ? withMarks(text, redacted) : text;
  }

  matches(): ContentFilterMatch[] {
    return this.filters.flatMap(({ label, action }, index) => {
      const count = this.counts[index] ?? 0;
      return count === 0 ? [] : [{ label, action, count }];
    });
  }
}

/** What a filter finds in a text as it is written, and what else in it as it is read. */
function* found({ find, isInjection }: Ready, text: string, visible: Visible | null): Generator<Found, void, void> {
  if (visible === null || isInjection) return yield* find(text);
  const known = new Map<number, number>();
  for (const one of find(text)) {
    known.set(one.from, one.to);
    yield one;
  }
  for (const { pattern, ...part } of find(visible.text)) {
    const { from, to } = visible.written(part);
    if ((known.get(from) ?? 0) < to) yield { from, to, ...(pattern === undefined ? {} : { pattern }) };
  }
}

/** Parts that overlap become one mark, that of the first. */
function withMarks(text: string, parts: readonly (Span & { readonly label: string })[]): string {
  if (parts.length === 0) return text;
  const pieces: string[] = [];
  let covered = 0;
  for (const { from, to, label } of parts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= covered) pieces.push(text.slice(covered, from), `[${label}]`);
    covered = Math.max(covered, to);
  }
  return pieces.join("") + text.slice(covered);
}
