import { expect, it } from "vitest";
import { creditBody, creditProblem } from "./credit-form.ts";

it("an entry of credits takes away by a negative amount, has no empty note, and needs an amount above zero", () => {
  expect(creditBody({ kind: "add", amount: "1,000", note: " invoice 7 " })).toEqual({
    amount_usd: 1_000,
    note: "invoice 7",
  });
  expect(creditBody({ kind: "take", amount: "2.5", note: " " })).toEqual({ amount_usd: -2.5, note: null });
  expect(creditProblem("5")).toBeUndefined();
  expect(creditProblem("0")).toMatch(/more than 0/);
  expect(creditProblem("-5")).toMatch(/negative/);
  expect(creditProblem("")).toMatch(/Enter an amount/);
});
