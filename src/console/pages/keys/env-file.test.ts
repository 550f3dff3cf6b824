import { expect, it } from "vitest";
import { envFileName, envText } from "./env-file.ts";

it("writes the two variables that the snippets read", () =>
  expect(envText("GATEHOUSE_API_KEY", "sk-gh-v1-x", "https://gw.example/api/v1")).toBe(
    "GATEHOUSE_API_KEY=sk-gh-v1-x\nGATEHOUSE_BASE_URL=https://gw.example/api/v1\n",
  ));

it.each([
  ["prod-search", "prod-search.env"],
  ["Prod Search (EU)", "prod-search-eu.env"],
  ["  Ünïcode ", "unicode.env"],
  ["🔑", "gateway.env"],
  ["../../etc/passwd", "etc-passwd.env"],
])("names the file of %j %s", (name, file) => expect(envFileName(name)).toBe(file));
