import type { ReactNode } from "react";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Mark } from "../../ui/Mark.tsx";

/** A page for one decision, outside the console's frame. */
export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto max-w-160 pt-[8vh] pb-16">
      <div className="flex items-center gap-2.5 px-8 pb-6 text-[15px]/5 font-semibold tracking-snug max-md:px-4">
        <Mark size={18} />
        Gatehouse
      </div>
      <PageHeader title={title} />
      <div className="grid gap-4 px-8 pt-4 max-md:px-4">{children}</div>
    </main>
  );
}
