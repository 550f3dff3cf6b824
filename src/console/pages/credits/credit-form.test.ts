import { describe, expect, it } from "vitest";
import { creditBody, creditProblem } from "./credit-form.ts";

describe("an entry of credits", () => {
  it("takes away by a negative amount, and has no empty note", () => {
    expect(creditBody({ kind: "add", amount: "1,000", note: " invoice 7 " })).toEqual({
      amount_usd: 1_000,
      note: "invoice 7",
    });
    expect(creditBody({ kind: "take", amount: "2.5", note: " " })).toEqual({ amount_usd: -2.5, note: null });
  });

  it("needs an amount above zero, whichever way it goes", () => {
    expect(creditProblem("5")).toBeUndefined();
    expect(creditProblem("0")).toMatch(/more than 0/);
    expect(creditProblem("-5")).toMatch(/negative/);
    expect(creditProblem("")).toMatch(/Enter an amount/);
  });
});
