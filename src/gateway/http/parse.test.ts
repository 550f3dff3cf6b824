import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "#contract/endpoint.ts";
import { shapeAnswer, writeLongList } from "./parse.ts";

const listParcels = endpoint({
  name: "listParcels",
  method: "GET",
  path: "/parcels",
  tag: "System",
  summary: "List parcels",
  auth: "management",
  returns: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })), total_count: z.int() }),
  errors: [500],
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `parcel-${at}`,
    name: `Parcel ${at} “é”`,
    secret: "not in the contract",
  }));

describe("a long list", () => {
  it("is the same JSON as one that is written in one go, without what the contract does not have", async () => {
    const whole = { data: rows(2_500), total_count: 2_500, secret: "not in the contract" };
    const shaped = shapeAnswer(listParcels, whole);
    const written = await writeLongList(listParcels, whole, "somebody");
    expect(written).not.toBeNull();
    expect(Buffer.concat(written ?? []).toString()).toBe(JSON.stringify(shaped));
    expect(JSON.stringify(shaped)).not.toContain("not in the contract");
  });

  const depotRecord = z.object({
    id: z.string(),
    tags: z.array(z.string()),
    parcels: z.array(z.object({ id: z.string(), name: z.string() })).check(z.minLength(1)),
  });
  const about = { path: "/depots", tag: "System", auth: "management", errors: [500] } as const;
  const depotWith = (parcels: number) => ({
    id: `depot-${parcels}`,
    tags: ["a"],
    parcels: rows(parcels),
    secret: "not in the contract",
  });

  it("of records that hold long lists themselves is written in turns, each list too", async () => {
    const returns = z.object({ data: z.array(depotRecord).check(z.minLength(1)) });
    const listDepots = endpoint({ ...about, name: "listDepots", method: "GET", summary: "List depots", returns });
    for (const sizes of [[2_500, 3, 101, 100, 1, 5_000], [3, 2_500], [2_500]]) {
      const answer = { data: sizes.map(depotWith) };
      const written = await writeLongList(listDepots, answer, "somebody");
      expect(Buffer.concat(written ?? []).toString()).toBe(JSON.stringify(shapeAnswer(listDepots, answer)));
    }
  });

  it("in one record is written in turns too", async () => {
    const depot = depotWith(2_500);
    const returns = z.object({ data: depotRecord });
    const getDepot = endpoint({ ...about, name: "getDepot", method: "GET", summary: "Get a depot", returns });
    const written = await writeLongList(getDepot, { data: depot }, "somebody");
    expect(Buffer.concat(written ?? []).toString()).toBe(JSON.stringify(shapeAnswer(getDepot, { data: depot })));
    expect(await writeLongList(getDepot, { data: { ...depot, parcels: rows(10) } }, "somebody")).toBeNull();
  });

  it("is told from what is written in one go", async () => {
    expect(await writeLongList(listParcels, { data: rows(100) }, "somebody")).toBeNull();
    expect(await writeLongList(listParcels, { data: {} }, "somebody")).toBeNull();
    expect(await writeLongList(listParcels, null, "somebody")).toBeNull();
  });

  it("with a row that does not fit the contract is a defect", async () => {
    const data = [...rows(2_000), { id: 5 }];
    await expect(writeLongList(listParcels, { data, total_count: 1 }, "somebody")).rejects.toThrow(
      "the answer of listParcels does not fit the contract",
    );
  });
});
