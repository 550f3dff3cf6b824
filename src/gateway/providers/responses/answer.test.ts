import { expect, it } from "vitest";
import { failureIn } from "./answer.ts";

it.each(["constructor", "__proto__", "toString"])("the code %s of a failure is one that says nothing", (code) => {
  const unknown = failureIn({ code: "surprise", message: "no" });
  expect(failureIn({ code, message: "no" })).toEqual({ ...unknown, code });
});
