import type { GuardrailRecord } from "#contract/guardrails.ts";
import type { GuardrailsSearch } from "./search.ts";

type Searched = Pick<
  GuardrailRecord,
  "name" | "description" | "allowed_models" | "ignored_models" | "allowed_providers" | "ignored_providers"
>;

/** Those that have what was typed in their name or description, or name such a model or provider. */
export function shownGuardrails<Guardrail extends Searched>(
  all: readonly Guardrail[],
  { q = "" }: GuardrailsSearch,
): readonly Guardrail[] {
  const wanted = q.trim().toLowerCase();
  return all.filter((one) =>
    [
      one.name,
      one.description ?? "",
      ...(one.allowed_models ?? []),
      ...(one.ignored_models ?? []),
      ...(one.allowed_providers ?? []),
      ...(one.ignored_providers ?? []),
    ].some((text) => text.toLowerCase().includes(wanted)),
  );
}
