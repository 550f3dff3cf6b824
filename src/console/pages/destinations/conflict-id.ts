/** Where the comparison with somebody else's change is on the page. */
export const conflictId = "conflict";

/** Brings the comparison into view and moves the focus to it. */
export function showConflict(): void {
  const notice = document.getElementById(conflictId);
  notice?.scrollIntoView({ block: "start" });
  notice?.focus({ preventScroll: true });
}
