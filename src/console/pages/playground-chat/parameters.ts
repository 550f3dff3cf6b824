import type { ModelRecord } from "#contract/models.ts";
import type { ChatSearch } from "./search.ts";

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

interface Figure {
  readonly name: "temperature" | "max_tokens" | "top_p" | "seed";
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

/** The parameters that are figures, in the order in which they are shown. */
export const figures: readonly Figure[] = [
  { name: "temperature", label: "Temperature", least: 0, most: 2, whole: false },
  { name: "max_tokens", label: "Max tokens", least: 1, most: 10_000_000, whole: true },
  { name: "top_p", label: "Top P", least: 0, most: 1, whole: false },
  { name: "seed", label: "Seed", least: 0, most: 2_147_483_647, whole: true },
];

/** Under which name a model's record says that it takes one. */
const recordName: Readonly<Record<string, string>> = { effort: "reasoning" };

/** @param model undefined: a preset, or a model that is not listed: it may take anything */
export function takes(model: Pick<ModelRecord, "supported_parameters"> | undefined, name: string): boolean {
  const parameters = model?.supported_parameters ?? [];
  if (parameters.length === 0) return true;
  if (name === "max_tokens" && parameters.includes("max_completion_tokens")) return true;
  return parameters.includes(recordName[name] ?? name);
}

/** What is typed for a figure: undefined where it is empty, null where it is none that can be sent. */
export function readFigure({ least, most, whole }: Figure, typed: string): number | undefined | null {
  if (typed.trim() === "") return undefined;
  const value = Number(typed.replace(",", "."));
  return Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value))
    ? value
    : null;
}

/** The members of a request in the form of chat that the settings make; those that the model does not take are left out. */
export function parametersOf(
  search: ChatSearch,
  model: Pick<ModelRecord, "supported_parameters"> | undefined,
): Record<string, unknown> {
  const { effort } = search;
  const set = figures.flatMap((figure) => {
    const value = search[figure.name];
    return value === undefined || readFigure(figure, String(value)) === null || !takes(model, figure.name)
      ? []
      : [[figure.name, value] as const];
  });
  return {
    ...Object.fromEntries(set),
    ...(effort !== undefined && takes(model, "effort") && { reasoning: { effort } }),
  };
}

/** Further members that a person wrote as JSON; a text says what is wrong with it. */
export function readExtra(typed: string): Record<string, unknown> | string {
  if (typed.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(typed);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "Write an object: {…}";
    const own = ["messages", "stream", "model", "models"].find((name) => name in value);
    return own === undefined ? { ...value } : `The page sets ${own} itself`;
  } catch {
    return "This is not JSON";
  }
}
