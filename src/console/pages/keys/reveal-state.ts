export interface RevealState {
  /** each of these three takes the key, and lets the dialog close without asking */
  copied: boolean;
  downloaded: boolean;
  ticked: boolean;
  /** the question at the panel's foot is open */
  asking: boolean;
  closed: boolean;
}

export type RevealEvent =
  | { type: "copied" | "downloaded" | "go-back" | "closed" }
  | { type: "ticked"; on: boolean }
  /** Esc, X, Done and Back: one gate for all of them */
  | { type: "leave" };

export const revealStart: RevealState = {
  copied: false,
  downloaded: false,
  ticked: false,
  asking: false,
  closed: false,
};

export function isTaken(state: RevealState): boolean {
  return state.copied || state.downloaded || state.ticked;
}

/**
 * The gate of the reveal dialog. Leaving closes it if the key was taken and asks otherwise; leaving while it asks is
 * Go back, so that no number of Escs closes it.
 */
export function reveal(state: RevealState, event: RevealEvent): RevealState {
  if (state.closed) return state;
  switch (event.type) {
    case "copied":
      return { ...state, copied: true };
    case "downloaded":
      return { ...state, downloaded: true };
    case "ticked":
      return { ...state, ticked: event.on };
    case "go-back":
      return { ...state, asking: false };
    case "closed":
      return { ...state, asking: false, closed: true };
    case "leave":
      if (isTaken(state)) return { ...state, closed: true };
      return { ...state, asking: !state.asking };
  }
}
