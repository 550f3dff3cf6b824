import { expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { toCsv } from "../../csv.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";

it("a call is a record under the API's names, and no text of it runs as a formula", () => {
  const content_filters = [
    { label: "EMAIL", action: "redact", count: 2 },
    { label: "FALCON", action: "flag", count: 1 },
  ];
  const call = {
    id: "gen-1",
    created_at: "2026-11-22T05:00:00.123Z",
    key_name: "=HYPERLINK(1)",
    cost: 0.000002,
    content_filters,
  };
  const [header = "", line = ""] = toCsv(callsCsvHeader, [callsCsvRow(call as CallRecord)])
    .slice(1)
    .split("\r\n");
  const cell = (name: string) => line.split(",")[header.split(",").indexOf(name)];
  expect(cell("created_at")).toBe("2026-11-22T05:00:00.123Z");
  expect(cell("key_name")).toBe("'=HYPERLINK(1)");
  expect(cell("cost")).toBe("0.000002");
  expect(cell("content_filters")).toBe("EMAIL redact 2; FALCON flag 1");
  expect(new Set(callsCsvHeader).size).toBe(callsCsvHeader.length);
});
