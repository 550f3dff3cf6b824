import type { DestinationType } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import type { Draft } from "./draft.ts";
import type { Problems } from "./problems.ts";

/** What each section of the editor is given: values, what is wrong with them, and how to change them. */
export interface Editing {
  readonly type: DestinationType;
  /** null for a new destination */
  readonly base: DestinationRecord | null;
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  readonly setMember: (name: string, value: Draft["config"][string]) => void;
  /** what is wrong at a path, once the person has been there or has tried to save */
  readonly problem: (path: string) => string | undefined;
  /** somebody has been in the field */
  readonly touch: (path: string) => void;
  /** everything that is wrong, seen or not */
  readonly problems: Problems;
}

/** Names the element around a control, so that a problem can be gone to. */
export const at = (path: string): { "data-path": string } => ({ "data-path": path });

/** What takes the focus in the element around a path: a field that is wrong, else any field, else a button. */
const controls = ['[aria-invalid="true"]', "input, textarea, select", 'button, [tabindex="0"]'];

/** Moves the focus to the control of a path; false where there is none on the page. */
export function goTo(path: string): boolean {
  const around = document.querySelector(`[data-path="${CSS.escape(path)}"]`);
  for (const selector of controls) {
    const control = around?.querySelector<HTMLElement>(selector);
    if (!control) continue;
    control.focus();
    return true;
  }
  return false;
}
