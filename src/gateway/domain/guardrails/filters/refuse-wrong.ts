import { languageBuiltins, type UpdateGuardrailBody } from "#contract/guardrails.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../refusal.ts";

type Filters = Pick<UpdateGuardrailBody, "content_filters" | "content_filter_builtins">;

/** @throws Refusal invalid_request that says which filter is wrong, and what would be right */
export async function refuseWrongFilters({ contentFilters, actor }: Context, body: Filters): Promise<void> {
  const { content_filters: custom, content_filter_builtins: builtins } = body;
  const unserved = (builtins ?? []).findIndex(({ slug }) => languageBuiltins.has(slug));
  if (unserved !== -1) {
    const what = "needs an analysis of language, which this gateway does not have: use a pattern in content_filters";
    throw invalid(`content_filter_builtins.${unserved}.slug`, what);
  }
  const unstored = (custom ?? []).findIndex(({ pattern, label }) => !isStorable(pattern) || !isStorable(label ?? ""));
  if (unstored !== -1) throw invalid(`content_filters.${unstored}`, "must be text without zero characters");
  const patterns = (custom ?? []).map(({ pattern }) => pattern);
  if (patterns.length === 0) return;
  const wrong = await contentFilters.check(patterns, actor.name);
  if (wrong === null) return;
  const details = { code: "invalid_regex_pattern" };
  if (wrong === "too_long") {
    throw invalid("content_filters", "take too long to compile (invalid_regex_pattern): shorten the patterns", details);
  }
  throw invalid(
    `content_filters.${wrong.index}.pattern`,
    `is not accepted (invalid_regex_pattern): ${wrong.problem}`,
    details,
  );
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");
