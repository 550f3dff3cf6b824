import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { showSection } from "./SectionNav.tsx";
import { sections } from "./sections.ts";

/** A link may lead to one part of the form: `#rules`. */
export function useSectionOfAddress(): void {
  const { hash } = useLocation();
  useEffect(() => {
    const id = sections.find((one) => one.id === hash)?.id;
    if (id) showSection(id);
  }, [hash]);
}
