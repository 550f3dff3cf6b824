import { expect, it } from "vitest";
import { formatUsd, formatUsdShort } from "../../format.ts";
import { leftForList } from "./limit-left.ts";

it.each([
  [4.999999992, "$4.99"],
  [5, "$5.00"],
  [4.35, "$4.35"],
  [0.99999, "$0.9999"],
  [0.29, "$0.29"],
  [0.0001, "$0.0001"],
  [0.000000992, "$0.000000992"],
  [0, "$0.00"],
  [-1, "-$1.00"],
])("%s left is listed as %s", (left, text) => {
  const { usd, exact } = leftForList(left);
  expect(exact ? formatUsd(usd, { exact }) : formatUsdShort(usd)).toBe(text);
});
