/** A short word about something that has happened. Never the only place of an error, never with a secret in it. */
export interface Toast {
  message: string;
  /** Steps back behind the message on the same line. */
  detail?: string | undefined;
  tone?: "plain" | "trouble" | undefined;
  action?: { label: string; onSelect: () => void } | undefined;
}

export interface LiveToast extends Toast {
  id: number;
  /** Time on screen while it is not being read: 6 s, 10 s with an action. */
  lastsMs: number;
}

type Listener = () => void;

let nextId = 1;
let live: readonly LiveToast[] = [];
const listeners = new Set<Listener>();

function set(next: readonly LiveToast[]): void {
  live = next;
  for (const listener of listeners) listener();
}

/** Shows a toast from anywhere; at most three at a time, replacing the oldest. Returns a function that dismisses it. */
export function toast(shown: Toast): () => void {
  const id = nextId;
  nextId += 1;
  set([...live, { ...shown, id, lastsMs: shown.action ? 10_000 : 6_000 }].slice(-3));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  if (live.some((one) => one.id === id)) set(live.filter((one) => one.id !== id));
}

/** Dismisses all of them, as on signing out. */
export function clearToasts(): void {
  if (live.length > 0) set([]);
}

export function liveToasts(): readonly LiveToast[] {
  return live;
}

export function subscribeToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
