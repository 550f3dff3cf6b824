import { storedText } from "../stored-text.ts";

/** How a model was asked: what steers its answer, by the public API's names, and nothing of what it was asked. */
export type CallParameters = Readonly<Record<string, ParameterValue>>;
export type ParameterValue = string | number | boolean | readonly string[];

const longestText = 200;
const mostTexts = 16;

/** The parameters as the ledger keeps them. */
export function storedParameters(parameters: CallParameters): CallParameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, stored(value)]));
}

function stored(value: ParameterValue): ParameterValue {
  if (typeof value === "string") return storedText(value, longestText);
  if (typeof value !== "object") return value;
  return value.slice(0, mostTexts).map((text) => storedText(text, longestText));
}
