import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { CorrectionList } from "./CorrectionList.tsx";

interface ErrorSummaryProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  labels: Readonly<Record<string, string | undefined>>;
}

/** The corrections of a form after it was submitted. */
export function ErrorSummary<V extends FieldValues>({ form, labels }: ErrorSummaryProps<V>) {
  const { errors, submitCount } = form.formState;
  if (submitCount === 0) return null;
  const corrections = Object.entries(errors).flatMap(([field, error]) =>
    typeof error?.message === "string" ? [{ field, label: labels[field] ?? field, message: error.message }] : [],
  );
  return <CorrectionList corrections={corrections} goTo={(field) => form.setFocus(field as FieldPath<V>)} />;
}
