const patienceMs = 60_000;

/**
 * Where the focus belongs after something was made: on what `find` finds, or, while its list has not been read again,
 * on `meanwhile`. From there it goes on by itself once that is shown, unless somebody has moved it by then.
 */
export function focusOnceThere(find: () => HTMLElement | null, meanwhile: HTMLElement | null): HTMLElement | null {
  const there = find();
  if (there) return there;
  const observer = new MutationObserver(() => {
    const found = find();
    if (!found) return;
    observer.disconnect();
    if (document.activeElement === meanwhile || document.activeElement === document.body) found.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), patienceMs);
  return meanwhile;
}
