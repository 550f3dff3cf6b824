import { expect, it } from "vitest";
import { tableOf } from "./example-tables.ts";
import { csvFile, jsonLines, npyFile } from "./export-file.ts";
import { viewOf } from "./vectors.ts";

const first = [0.1, -2, 3e-8, 4];
const last = [5, 6, 7, 8];
const table = tableOf([first, [9, 9, 9, 9], last]);
// one between them that has no vector
table.present[1] = 0;
const row = (text: string, group: string, role = "document") => ({ text, group, role });
const rows = [row('=1+1, "quoted"', "a"), row("failed", ""), row("last", "b", "query")];
const lines = async (file: Blob) =>
  (await file.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { embedding: number[] });

it("exported files are JSON lines of the rows that have a vector, number for number", async () => {
  // What a row is known by in the page stays there.
  const shown = rows.map((one, number) => ({ ...one, number, source: 7 }));
  const written = [
    { row: 0, ...rows[0], embedding: first },
    { row: 2, ...rows[2], embedding: last },
  ];
  expect(await lines(jsonLines(viewOf(table), shown))).toEqual(written);
});

it("exported files hold vectors of length 1 where they are cut to the dimensions in use", async () => {
  const [, cut] = await lines(jsonLines(viewOf(table, 3), rows));
  // 5, 6 and 7 by the root of 110
  expect(cut?.embedding.map((value) => value.toFixed(6))).toEqual(["0.476731", "0.572078", "0.667424"]);
  const bytes = Buffer.from(await npyFile(viewOf(table, 3)).arrayBuffer());
  expect(bytes.readFloatLE(bytes.length - 12)).toBeCloseTo(0.4767313, 6);
  expect(bytes.length % 64).toBe(24);
});

it("exported files are CSV that no spreadsheet runs, with or without the numbers", async () => {
  const head = "row,text,group,role,v0,v1,v2,v3";
  const csv = [head, `1,"'=1+1, ""quoted""",a,document,0.1,-2,3e-8,4`, "3,last,b,query,5,6,7,8", ""];
  expect((await csvFile(viewOf(table), rows, true).text()).split("\r\n")).toEqual(csv);
  expect(await csvFile(viewOf(table), rows, false).text()).not.toContain("v0");
});

it("exported files are .npy as NEP 1 has it: magic, a header that ends at a multiple of 64, then float32", async () => {
  const bytes = Buffer.from(await npyFile(viewOf(table)).arrayBuffer());
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\u0093NUMPY\u0001\u0000");
  const end = 10 + bytes.readUInt16LE(8);
  expect(end % 64).toBe(0);
  expect(bytes.subarray(10, end).toString()).toMatch(/'descr': '<f4', .*'shape': \(2, 4\), \} *\n$/);
  const numbers = Array.from({ length: 8 }, (_, i) => bytes.readFloatLE(end + i * 4));
  expect([numbers, bytes.length]).toEqual([[...first, ...last].map(Math.fround), end + 32]);
});
