import { expect, it } from "vitest";
import { failureWithin } from "../failure.ts";

it.each(["constructor", "__proto__", "toString"])("the code %s of a failure is one that says nothing", (code) => {
  const unknown = failureWithin({ code: "surprise", message: "no" });
  expect(failureWithin({ code, message: "no" })).toEqual({ ...unknown, code });
});
