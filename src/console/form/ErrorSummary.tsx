import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { LinkButton } from "../ui/LinkText.tsx";

interface ErrorSummaryProps<V extends FieldValues> {
  form: UseFormReturn<V>;
  labels: Readonly<Record<string, string | undefined>>;
}

/** Heads a form with more than three errors: what is wrong, each a way to its field. */
export function ErrorSummary<V extends FieldValues>({ form, labels }: ErrorSummaryProps<V>) {
  const { errors, submitCount } = form.formState;
  const list = Object.entries(errors).flatMap(([field, error]) =>
    typeof error?.message === "string" ? [{ field, message: error.message }] : [],
  );
  if (submitCount === 0 || list.length <= 3) return null;
  return (
    <section aria-label="What to correct" className="border-l-[3px] border-bad-fg py-1 pl-3">
      <h3 className="text-13 font-semibold">{list.length} fields need a correction</h3>
      <ul className="grid gap-0.5 pt-1 text-12">
        {list.map(({ field, message }) => (
          <li key={field}>
            <LinkButton onClick={() => form.setFocus(field as FieldPath<V>)}>{labels[field] ?? field}</LinkButton>:{" "}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
