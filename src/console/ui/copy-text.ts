/**
 * Puts text on the clipboard and answers whether it arrived. On plain HTTP there is no `navigator.clipboard`: the text is
 * then offered through the `copy` event of a selection that already exists in the page, so focus never moves and a
 * dialog's focus trap has nothing to object to. Must run inside the user's click.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused by a permission or a policy: the older way may still be open.
    }
  }
  return copyBySelection(text);
}

/** The older way. Works without the clipboard API, within focus traps, and leaves selection and focus as they were. */
export function copyBySelection(text: string): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  const anchor = document.createElement("span");
  anchor.textContent = " ";
  anchor.setAttribute("aria-hidden", "true");
  anchor.style.cssText = "position:fixed;top:0;left:0;opacity:0;white-space:pre;user-select:all";
  // Next to what has focus: inside a modal dialog everything outside of it is inert.
  (document.activeElement?.parentElement ?? document.body).append(anchor);

  let taken = false;
  function fill(event: ClipboardEvent) {
    event.stopImmediatePropagation();
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    taken = event.clipboardData !== null;
  }
  document.addEventListener("copy", fill, true);
  try {
    const range = document.createRange();
    range.selectNodeContents(anchor);
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy") && taken;
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", fill, true);
    selection.removeAllRanges();
    for (const range of before) selection.addRange(range);
    anchor.remove();
  }
}
