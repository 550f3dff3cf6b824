import { expect, it } from "vitest";
import { readMessages } from "./messages.ts";

it.each(["constructor", "__proto__", "toString"])("a message of the role %s keeps it", (role) => {
  expect(readMessages({ messages: [{ role, content: "a" }] })).toMatchObject([{ role, content: "a" }]);
});
