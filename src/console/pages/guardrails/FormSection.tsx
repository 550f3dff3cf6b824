import { useId, type ReactNode } from "react";

interface FormSectionProps {
  title: string;
  /** one sentence of what it is for */
  about?: ReactNode;
  children: ReactNode;
}

/** A part of a long form under a title of its own. */
export function FormSection({ title, about, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-4 border-t border-line pt-5">
      <div>
        <h3 id={id} className="text-15">
          {title}
        </h3>
        {about !== undefined && <p className="pt-0.5 text-12 text-fg-3">{about}</p>}
      </div>
      {children}
    </section>
  );
}
