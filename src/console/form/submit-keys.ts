import { useListener } from "../ui/use-listener.ts";

/**
 * Ctrl or ⌘ with Enter sends a form from anywhere in its panel; with Enter or S, where the form is the page, from
 * anywhere on it.
 */
export function useSubmitKeys(form: "panel" | "page", send: () => void): void {
  useListener(document, "keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.isComposing) return;
    if (event.key !== "Enter" && !(form === "page" && event.key.toLowerCase() === "s")) return;
    const target = event.target instanceof Element ? event.target : null;
    const inDialog = target?.closest("[role=dialog], [role=alertdialog]") != null;
    if (form === "page" ? inDialog : !target?.closest("[role=dialog] form")) return;
    event.preventDefault();
    send();
  });
}
