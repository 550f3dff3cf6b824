import { useEffect, useState } from "react";
import { StatusShape } from "../../ui/Status.tsx";
import { tabClass, TabNav } from "../../ui/Tabs.tsx";
import { sections, type SectionId } from "./sections.ts";

interface SectionNavProps {
  edited: ReadonlySet<SectionId>;
  wrong: ReadonlySet<SectionId>;
}

/** The way to each part of the form, with a dot where something is edited and a square where something is wrong. */
export function SectionNav({ edited, wrong }: SectionNavProps) {
  const current = useSectionInView();
  return (
    <TabNav label="Parts of the form" className="sticky top-[calc(48px+var(--h-bar,0px))] z-5 bg-bg-1 px-8 max-md:px-4">
      {sections.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          aria-current={current === id ? "true" : undefined}
          onClick={() => showSection(id)}
          className={tabClass}
        >
          {title}
          {wrong.has(id) ? (
            <>
              <StatusShape kind="trouble" size={8} />
              <span className="sr-only">has a problem</span>
            </>
          ) : (
            edited.has(id) && (
              <>
                <span aria-hidden="true" className="text-accent">
                  •
                </span>
                <span className="sr-only">edited</span>
              </>
            )
          )}
        </button>
      ))}
    </TabNav>
  );
}

/** Scrolls to a section and moves the focus to its heading, so that Tab goes on from there. */
export function showSection(id: SectionId): void {
  const section = document.getElementById(id);
  section?.scrollIntoView({ block: "start" });
  section?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
}

/** The section under the upper part of the window. */
function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>("basics");
  useEffect(() => {
    const seen = new Set<string>();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        const first = sections.find(({ id }) => seen.has(id));
        if (first) setCurrent(first.id);
      },
      { rootMargin: "-96px 0px -55% 0px" },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id);
      if (section) watcher.observe(section);
    }
    return () => watcher.disconnect();
  }, []);
  return current;
}
