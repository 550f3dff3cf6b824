import type { FilterOperator } from "./destinations.ts";

/** How an operator reads between its field and its value: `model is gpt-4`. */
export const operatorWords: Readonly<Record<FilterOperator, string>> = {
  equals: "is",
  not_equals: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  regex: "matches",
  exists: "is present",
  not_exists: "is absent",
  gt: "is over",
  gte: "is at least",
  lt: "is under",
  lte: "is at most",
};
