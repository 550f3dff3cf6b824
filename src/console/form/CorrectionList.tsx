import { LinkButton } from "../ui/LinkText.tsx";

export interface Correction {
  field: string;
  label: string;
  message: string;
}

/** Shown above a form with more than three errors: each error links to its field. */
export function CorrectionList({
  corrections,
  goTo,
}: {
  corrections: readonly Correction[];
  goTo: (field: string) => void;
}) {
  if (corrections.length <= 3) return null;
  return (
    <section aria-label="What to correct" className="border-l-[3px] border-bad-fg py-1 pl-3">
      <p className="text-13 font-semibold">{corrections.length} fields need a correction</p>
      <ul className="grid gap-0.5 pt-1 text-12">
        {corrections.map(({ field, label, message }) => (
          <li key={field}>
            <LinkButton onClick={() => goTo(field)}>{label}</LinkButton>: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
