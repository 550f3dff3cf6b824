import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { generateKey } from "./domain/keys/format.ts";
import { settings } from "./settings.ts";

describe("readConfig", () => {
  it("has a default for everything that needs one", () => {
    expect(readConfig({})).toEqual(
      expect.objectContaining({
        host: "127.0.0.1",
        port: 8787,
        dataDir: "./.gatehouse",
        databaseUrl: null,
        managementKey: null,
        secretKey: null,
        publicUrl: null,
        basePath: "",
        logLevel: "info",
      }),
    );
  });

  it("takes an empty variable for one that is not set", () => {
    expect(readConfig({ PORT: "", GATEHOUSE_PUBLIC_URL: "" })).toEqual(readConfig({}));
  });

  it.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["PORT", "-1"],
    ["HOST", "not a host"],
    ["GATEHOUSE_PUBLIC_URL", "gatehouse.example.com"],
    ["GATEHOUSE_PUBLIC_URL", "ftp://gatehouse.example.com"],
    ["GATEHOUSE_PUBLIC_URL", "https://gatehouse.example.com/?a=b"],
    ["GATEHOUSE_BASE_PATH", "gatehouse"],
    ["GATEHOUSE_BASE_PATH", "/a b"],
    ["GATEHOUSE_LOG_LEVEL", "loud"],
  ])("refuses %s=%s by its name, saying what was given and what would be right", (variable, given) => {
    const row = Object.values(settings).find((setting) => setting.variable === variable);
    expect(() => readConfig({ [variable]: given })).toThrow(
      new ConfigError([`${variable} must be ${row?.expected}; not ${JSON.stringify(given)}`]),
    );
  });

  it.each([
    ["DATABASE_URL", "mysql://user:hunter2@host/db"],
    ["GATEHOUSE_MANAGEMENT_KEY", "hunter2"],
    ["GATEHOUSE_SECRET_KEY", "hunter2"],
  ])("never repeats the value of %s", (variable, given) => {
    expect(() => readConfig({ [variable]: given })).toThrow(new RegExp(`^${variable} must be (?!.*hunter2)`));
  });

  it("takes as many workers as there are processors, and more than one on PostgreSQL only", () => {
    const database = { DATABASE_URL: "postgres://user:password@host/db" };
    expect(readConfig({ ...database, GATEHOUSE_WORKERS: "auto" }).workers).toBe(availableParallelism());
    expect(readConfig({ ...database, GATEHOUSE_WORKERS: "8" }).workers).toBe(8);
    expect(readConfig({ GATEHOUSE_WORKERS: "1" }).workers).toBe(1);
    for (const workers of ["2", "auto"]) {
      expect(() => readConfig({ GATEHOUSE_WORKERS: workers })).toThrow(
        /^GATEHOUSE_WORKERS needs PostgreSQL, because only one process can use the embedded store: set DATABASE_URL, or leave GATEHOUSE_WORKERS out$/,
      );
    }
    // One mistake, one sentence.
    expect(() => readConfig({ DATABASE_URL: "mysql://host/db", GATEHOUSE_WORKERS: "2" })).toThrow(
      /^DATABASE_URL[^\n]*$/,
    );
    expect(() => readConfig({ ...database, GATEHOUSE_WORKERS: "0" })).toThrow(/^GATEHOUSE_WORKERS must be auto, or/);
  });

  it.each([
    ["cut off", generateKey("management").slice(0, -1)],
    ["not a management key", generateKey("ordinary")],
  ])("refuses a Gatehouse key in GATEHOUSE_MANAGEMENT_KEY that is %s", (_, given) => {
    expect(() => readConfig({ GATEHOUSE_MANAGEMENT_KEY: given })).toThrow(
      `GATEHOUSE_MANAGEMENT_KEY must be ${settings.managementKey.expected}`,
    );
  });

  it("takes a whole management key", () => {
    const given = generateKey("management");
    expect(readConfig({ GATEHOUSE_MANAGEMENT_KEY: given }).managementKey).toBe(given);
  });

  it("names all that is wrong at once", () => {
    expect(() => readConfig({ PORT: "x", HOST: "a b" })).toThrow(/HOST must be.*\nPORT must be/);
  });

  it.each([
    ["https://example.com/gate/", undefined, "/gate"],
    ["https://example.com", "/gate/", "/gate"],
    ["https://example.com/gate", "/gate", "/gate"],
    ["https://example.com", undefined, ""],
    [undefined, "/a/b", "/a/b"],
  ])("takes the base path from %s and %s", (url, path, expected) => {
    expect(readConfig({ GATEHOUSE_PUBLIC_URL: url, GATEHOUSE_BASE_PATH: path }).basePath).toBe(expected);
  });

  it("refuses a public URL and a base path that disagree", () => {
    expect(() => readConfig({ GATEHOUSE_PUBLIC_URL: "https://example.com/a", GATEHOUSE_BASE_PATH: "/b" })).toThrow(
      /GATEHOUSE_PUBLIC_URL ends in \/a but GATEHOUSE_BASE_PATH is "\/b"/,
    );
  });
});
