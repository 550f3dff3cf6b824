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

  it("in one record is written in turns too", async () => {
    const depot = { id: "depot", tags: ["a"], parcels: rows(2_500), secret: "not in the contract" };
    const getDepot = endpoint({
      name: "getDepot",
      method: "GET",
      path: "/depot",
      tag: "System",
      summary: "Get a depot",
      auth: "management",
      returns: z.object({
        data: z.object({
          id: z.string(),
          tags: z.array(z.string()),
          parcels: z.array(z.object({ id: z.string(), name: z.string() })).check(z.minLength(1)),
        }),
      }),
      errors: [500],
    });
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
