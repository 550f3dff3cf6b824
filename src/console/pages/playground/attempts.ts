import type { GenerationRecord } from "#contract/generations.ts";

type Record = Pick<GenerationRecord, "provider_name" | "provider_responses">;
type Attempts = NonNullable<GenerationRecord["provider_responses"]>;

export interface Attempted {
  /** who answered how many calls, the most first */
  answered: { name: string; calls: number }[];
  /** calls that were tried more than once, by their number from 1 */
  retried: { call: number; attempts: Attempts }[];
  /** USD charged for attempts that had no answer */
  unanswered: number;
}

/** Who answered a run's calls, and which of them were not answered at the first try. */
export function attemptsOf(records: readonly Record[]): Attempted {
  const calls = new Map<string, number>();
  for (const { provider_name: name } of records)
    calls.set(name ?? "no provider", (calls.get(name ?? "no provider") ?? 0) + 1);
  const answered = Array.from(calls, ([name, count]) => ({ name, calls: count })).toSorted((a, b) => b.calls - a.calls);
  // attempts have the provider's slug; who answered is named, and answered last
  const names = new Map(
    records.map((record) => [record.provider_responses?.at(-1)?.provider_name, record.provider_name] as const),
  );
  const named = (attempts: Attempts) =>
    attempts.map((attempt) => ({
      ...attempt,
      provider_name: names.get(attempt.provider_name) ?? attempt.provider_name,
    }));
  const retried = records.flatMap(({ provider_responses: attempts }, index) =>
    attempts && attempts.length > 1 ? [{ call: index + 1, attempts: named(attempts) }] : [],
  );
  const unanswered = records
    .flatMap(({ provider_responses: attempts }) => attempts ?? [])
    .reduce((sum, { cost = 0 }) => sum + cost, 0);
  return { answered, retried, unanswered };
}
