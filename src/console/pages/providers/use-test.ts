import { useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { type ProviderTest, testProvider } from "#contract/providers.ts";
import { useAction } from "../../api/action.ts";
import { ApiError } from "../../api/errors.ts";
import { fieldIn, placeIssues, type FieldOfMember } from "../../form/problems.ts";

export interface TestRun {
  result: ProviderTest | undefined;
  error: unknown;
  isPending: boolean;
  run: () => void;
}

/** Asks the vendor for its model list with what is stored; nothing is asked until `run`. */
export function useTest(slug: string): TestRun {
  const test = useAction(testProvider);
  return {
    result: test.data?.data,
    error: test.error,
    isPending: test.isPending,
    run: () => test.mutate({ params: { slug } }),
  };
}

interface TypedTest<V extends FieldValues, Question> {
  form: UseFormReturn<V>;
  /** what must be right before anything is asked */
  fields: readonly FieldPath<V>[];
  labels: Readonly<Record<string, string>>;
  fieldOf: FieldOfMember;
  question: Question;
  ask: (question: Question) => Promise<{ data: ProviderTest }>;
}

interface Asked {
  /** the question as text: an answer is shown only while the form still asks the same */
  of: string;
  result?: ProviderTest;
  error?: unknown;
}

/** Asks with what is typed and not saved. The question holds a secret, so neither it nor the answer enters a cache. */
export function useTypedTest<V extends FieldValues, Question>(test: TypedTest<V, Question>): TestRun {
  const { form, question } = test;
  const of = JSON.stringify([question]);
  const [last, setLast] = useState<Asked | null>(null);
  const current = last?.of === of ? last : null;
  const settle = (asked: Asked | null) => setLast((latest) => (latest?.of === of ? asked : latest));

  async function run() {
    // what a test found wrong is judged again while it is typed, not when the pointer is on its way to Test
    for (const field of test.fields) form.setValue(field, form.getValues(field), { shouldTouch: true });
    if (!(await form.trigger([...test.fields], { shouldFocus: true }))) return;
    setLast({ of });
    try {
      settle({ of, result: (await test.ask(question)).data });
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : [];
      const placed = Object.entries(placeIssues(issues, fieldIn(test.fieldOf, test.labels)).placed);
      for (const [field, message] of placed) form.setError(field as FieldPath<V>, { type: "server", message });
      settle(placed.length > 0 ? null : { of, error });
    }
  }

  return {
    result: current?.result,
    error: current?.error,
    isPending: current !== null && current.result === undefined && current.error === undefined,
    run: () => void run(),
  };
}
