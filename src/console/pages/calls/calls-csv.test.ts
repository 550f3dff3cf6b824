import { expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { toCsv } from "../../csv.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";

it("a call is a record under the API's names, and no text of it runs as a formula", () => {
  const email = { label: "EMAIL", action: "redact", count: 2 };
  const content_filters = [email, { label: "FALCON", action: "flag", count: 1 }];
  const created_at = "2026-11-22T05:00:00.123Z";
  const call = { id: "gen-1", created_at, key_name: "=HYPERLINK(1)", cost: 0.000002, content_filters };
  const csv = toCsv(callsCsvHeader, [callsCsvRow(call as CallRecord)]);
  const [header = "", line = ""] = csv.slice(1).split("\r\n");
  const cell = (name: string) => line.split(",")[header.split(",").indexOf(name)];
  expect(["created_at", "key_name", "cost"].map(cell)).toEqual([created_at, "'=HYPERLINK(1)", "0.000002"]);
  expect(cell("content_filters")).toBe("EMAIL redact 2; FALCON flag 1");
  expect(new Set(callsCsvHeader).size).toBe(callsCsvHeader.length);
});
