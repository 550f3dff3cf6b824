export interface ComboOption {
  value: string;
  label: string;
  /** Steps back behind the label, and is searched too. */
  detail?: string | undefined;
  /** Options of one group are listed together under its name. */
  group?: string | undefined;
  /** Searched but not shown. */
  keywords?: string | undefined;
  /** Cannot be chosen now, and why. */
  disabledReason?: string | undefined;
}

/** Gives the options that fit what is typed; the signal is aborted when more is typed. */
export type LoadOptions = (query: string, signal: AbortSignal) => Promise<readonly ComboOption[]>;

/** Every word of the query has to occur somewhere in the option; order is kept. */
export function filterOptions(options: readonly ComboOption[], query: string): readonly ComboOption[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const text = `${option.label} ${option.detail ?? ""} ${option.keywords ?? ""} ${option.value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface OptionGroup {
  name: string | undefined;
  options: ComboOption[];
}

/** The options in groups, each at the place of its first member. */
export function groupOptions(options: readonly ComboOption[]): OptionGroup[] {
  const groups: OptionGroup[] = [];
  for (const option of options) {
    const group = groups.find((one) => one.name === option.group);
    if (group) group.options.push(option);
    else groups.push({ name: option.group, options: [option] });
  }
  return groups;
}

/** Where the arrow keys lead in a list of `count`; -1 is nowhere. Ends join. */
export function nextIndex(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return from + 1 >= count ? 0 : from + 1;
  if (key === "ArrowUp") return from <= 0 ? count - 1 : from - 1;
  if (key === "PageDown") return Math.min(from + 8, count - 1);
  if (key === "PageUp") return Math.max(from - 8, 0);
  return undefined;
}

/** What the arrows are on: a place, and the option there, unless the list was still empty. */
export interface Pointed {
  index: number;
  value?: string | undefined;
}

/** Where that is in a list that may be another by now; -1 is nowhere. */
export function pointedAt(options: readonly ComboOption[], { index, value }: Pointed): number {
  if (value !== undefined) return options.findIndex((option) => option.value === value);
  return index < options.length ? index : -1;
}
