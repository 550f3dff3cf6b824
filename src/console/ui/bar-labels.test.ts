import { expect, it } from "vitest";
import { barLabel } from "./bar-labels.ts";

it("reads out a bar with what was refused in it", () => {
  const usd = (value: number) => `$${value}`;
  expect(barLabel({ label: "Wed", value: 2 }, usd, undefined)).toBe("Wed: $2");
  expect(barLabel({ label: "Wed", value: 2, refused: 1 }, usd, undefined)).toBe("Wed: $2, 1 call refused");
  expect(barLabel({ label: "Wed", value: 2, more: [1], refused: 1_066 }, usd, ["Credits", "BYOK"])).toBe(
    "Wed: Credits $2, BYOK $1, 1,066 calls refused",
  );
});
