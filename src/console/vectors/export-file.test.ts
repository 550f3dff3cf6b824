import { describe, expect, it } from "vitest";
import { csvFile, jsonLines, npyFile } from "./export-file.ts";
import { makeTable, viewOf } from "./vectors.ts";

const table = makeTable(3, 4);
table.data.set([0.1, -2, 3e-8, 4, 9, 9, 9, 9, 5, 6, 7, 8]);
table.present.set([1, 0, 1]);
const rows = [
  { text: '=1+1, "quoted"', group: "a", role: "document" },
  { text: "failed", group: "", role: "document" },
  { text: "last", group: "b", role: "query" },
];

describe("exported files", () => {
  it("are JSON lines of the rows that have a vector, number for number", async () => {
    // What a row is known by in the page stays there.
    const shown = rows.map((row, number) => ({ ...row, number, source: 7 }));
    const lines = (await jsonLines(viewOf(table), shown).text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { ...rows[0], embedding: [0.1, -2, 3e-8, 4] },
      { ...rows[2], embedding: [5, 6, 7, 8] },
    ]);
  });

  it("hold vectors of length 1 where they are cut to the dimensions in use", async () => {
    const lines = (await jsonLines(viewOf(table, 3), rows).text()).trim().split("\n");
    const [, last] = lines.map((line) => (JSON.parse(line) as { embedding: number[] }).embedding);
    // 5, 6 and 7 by the root of 110
    expect(last).toEqual([0.4767313, 0.57207757, 0.66742384].map((value) => expect.closeTo(value, 6) as number));
    const bytes = Buffer.from(await npyFile(viewOf(table, 3)).arrayBuffer());
    expect(bytes.readFloatLE(bytes.length - 12)).toBeCloseTo(0.4767313, 6);
    expect(bytes.length % 64).toBe(24);
  });

  it("are CSV that no spreadsheet runs, with or without the numbers", async () => {
    const text = await csvFile(viewOf(table), rows, true).text();
    expect(text.split("\r\n")).toEqual([
      "row,text,group,role,v0,v1,v2,v3",
      `1,"'=1+1, ""quoted""",a,document,0.1,-2,3e-8,4`,
      "3,last,b,query,5,6,7,8",
      "",
    ]);
    expect(await csvFile(viewOf(table), rows, false).text()).not.toContain("v0");
  });

  it("are .npy as NEP 1 has it: magic, a header that ends at a multiple of 64, then float32", async () => {
    const bytes = Buffer.from(await npyFile(viewOf(table)).arrayBuffer());
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("\u0093NUMPY\u0001\u0000");
    const end = 10 + bytes.readUInt16LE(8);
    expect(end % 64).toBe(0);
    expect(bytes.subarray(10, end).toString()).toMatch(/'descr': '<f4', .*'shape': \(2, 4\), \} *\n$/);
    expect(Array.from({ length: 8 }, (_, i) => bytes.readFloatLE(end + i * 4))).toEqual([
      ...table.data.subarray(0, 4),
      ...table.data.subarray(8, 12),
    ]);
    expect(bytes.length).toBe(end + 32);
  });
});
