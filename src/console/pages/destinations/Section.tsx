import type { ReactNode } from "react";
import { sections, type SectionId } from "./sections.ts";

interface SectionProps {
  id: SectionId;
  edited: boolean;
  children: ReactNode;
}

/** One part of the editor, under a hairline. */
export function Section({ id, edited, children }: SectionProps) {
  const { title, aside } = sections.find((one) => one.id === id) ?? sections[0];
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-24 grid-cols-1 gap-3.5 border-t border-line pt-6 pb-6.5 first:border-t-0 first:pt-4"
    >
      <div className="flex items-baseline gap-2.5">
        <h2 id={`${id}-title`} tabIndex={-1} className="text-15">
          {title}
        </h2>
        {edited && <span className="text-12 text-accent">Edited</span>}
        <span className="ml-auto text-12 text-fg-3">{aside}</span>
      </div>
      {children}
    </section>
  );
}
