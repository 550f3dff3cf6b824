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

/** Ctrl or ⌘ with Enter or S saves, from anywhere on the page. */
export function useSaveKeys(save: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.isComposing) return;
      if (event.key !== "Enter" && event.key.toLowerCase() !== "s") return;
      if (event.target instanceof Element && event.target.closest("[role=dialog], [role=alertdialog]")) return;
      event.preventDefault();
      save();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [save]);
}
