import { describe, expect, it } from "vitest";
import { hostOf, operatorsOf, wrongHeaderName, wrongHeaderValue, wrongRule, wrongText } from "./destination-check.ts";
import { configMembers, type ConfigMember } from "./destination-kinds.ts";

const url = configMembers("webhook")["url"] as ConfigMember;
const host = configMembers("clickhouse")["host"] as ConfigMember;

describe("a config member", () => {
  it.each([
    [url, "https://hook.example.com/x", null],
    [url, "hook.example.com", /http or https URL/],
    [url, "ftp://hook.example.com", /http or https URL/],
    [url, "https://user:password@hook.example.com", /no user and no password/],
    [url, "", /at least one character/],
    [url, `https://hook.example.com/${"x".repeat(4_096)}`, /at most 4096/],
    [url, "https://hook.example.com\nx", /single line/],
    [host, "clickhouse.example.com:8443", null],
    [configMembers("clickhouse")["username"] as ConfigMember, "jörg", null],
    [configMembers("clickhouse")["username"] as ConfigMember, "Łukasz", /one line of Latin characters/],
    [configMembers("snowflake")["token"] as ConfigMember, "a\u0001", /it is sent in a header/],
    [configMembers("grafana")["apiKey"] as ConfigMember, "Łukasz", null],
    [host, "user@clickhouse.example.com", /no user and no password/],
  ])("%#: %o %s", (member, text, wrong) => {
    if (wrong === null) expect(wrongText(member, text)).toBeNull();
    else expect(wrongText(member, text)).toMatch(wrong);
  });
});

it("binds a secret to scheme, host and port", () => {
  expect(hostOf("https://API.example.com/v1")).toBe(hostOf("https://api.example.com/v2"));
  expect(hostOf("http://api.example.com")).not.toBe(hostOf("https://api.example.com"));
  expect(hostOf("https://api.example.com:8443")).not.toBe(hostOf("https://api.example.com"));
  expect(hostOf("eu")).toBe("eu");
});

it("takes no header that the client owns, and no value of two lines", () => {
  expect(["X-Team", "Host", "Content-Length", "a b"].map((name) => wrongHeaderName(name) === null)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(wrongHeaderValue("blue")).toBeNull();
  expect(wrongHeaderValue("a\nb")).toMatch(/one line/);
  expect(wrongHeaderValue(5)).toMatch(/one line/);
});

it("takes the operators that a field's form offers, and no others", () => {
  for (const field of ["model", "total_cost"] as const) {
    const refused = (["regex", "gt", "equals", "exists"] as const).filter(
      (operator) => wrongRule({ field, operator, value: 1 }) !== null,
    );
    expect(refused).toEqual([operatorsOf(field).includes("gt") ? "regex" : "gt"]);
  }
  expect(wrongRule({ field: "total_cost", operator: "gt", value: "much" })).toEqual({
    member: "value",
    message: "must be a number",
  });
  expect(wrongRule({ field: "model", operator: "equals" })?.member).toBe("value");
});
