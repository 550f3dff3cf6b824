import { expect, it } from "vitest";
import { qualityOf, qualityQuestions, qualitySentence } from "./quality.ts";

const row = (role: "query" | "document", group = "", ref = "") => ({
  text: "",
  role,
  group,
  ref,
  number: 1,
  source: 1,
});
const ranks = (right: number, of: number) => Int32Array.from({ length: of }, (_, at) => (at < right ? 1 : 4));
const asked = (count: number) => Int32Array.from({ length: count }, (_, at) => at);
const large = { run: 1, name: "acme/embed-large", price: 0.12 };
const small = { run: 2, name: "acme/embed-small", price: 0.02 };

it("counts first places, the first ten, and how early the right one comes", () => {
  const { first, ten, reciprocal } = qualityOf(Int32Array.of(1, 1, 2, 20));
  expect(first.value).toBe(0.5);
  expect(ten.value).toBe(0.75);
  expect(reciprocal.value).toBeCloseTo((1 + 1 + 1 / 2 + 1 / 20) / 4);
  expect(first.from).toBeGreaterThan(0);
  expect(first.to).toBeLessThan(1);
});

it("asks queries for documents of their label or id, and rows for their nearest", () => {
  const shown = [row("query", "d2"), row("document", "a", "d1"), row("document", "a", "d2"), row("document")];
  const { label, search } = qualityQuestions(shown);
  expect(search).toMatchObject({ asked: [0], among: [1, 2, 3], labels: [0, 1, 1, -1], ids: [-1, -1, 0, -1] });
  expect(label).toMatchObject({ asked: [1, 2], among: [1, 2, 3] });
  expect(qualityQuestions([row("document"), row("query")])).toEqual({ label: null, search: null });
});

it("says which model is good enough for less, and whether the sample can tell", () => {
  const found = (a: number, b: number, of: number, all = of) => ({
    asked: asked(of),
    of: all,
    ranks: [ranks(a, of), ranks(b, of)],
  });
  expect(qualitySentence([large, small], found(93, 91, 100), "search")).toBe(
    "acme/embed-small finds 91% at a sixth of the price, acme/embed-large finds 93%, a difference within the sample’s error (right document first, 100 queries)",
  );
  expect(qualitySentence([large, small], found(95, 80, 100, 900), "label")).toBe(
    "acme/embed-small finds 80% at a sixth of the price, acme/embed-large finds 95% (nearest row with the same label, a sample of 100 rows)",
  );
  // a model that finds half as much is no answer, whatever it costs
  expect(qualitySentence([large, small], found(90, 40, 100), "search")).toMatch(
    /^acme\/embed-large finds 90%, acme\/embed-small finds 40% \(/,
  );
  expect(qualitySentence([large, { ...small, price: null }], found(90, 88, 100), "search")).not.toMatch("price");
  expect(qualitySentence([large], found(9, 9, 10), "search")).toBeNull();
});
