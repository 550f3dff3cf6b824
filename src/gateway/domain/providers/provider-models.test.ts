import { describe, expect, it } from "vitest";
import type { ProviderKind, ProviderModel } from "#contract/providers.ts";
import { modelRows } from "./provider-models.ts";
import { modelDefaults, type ProviderModelRow } from "./record.ts";

const [before, now] = [new Date("2026-11-20T12:00:00Z"), new Date("2026-11-21T12:00:00Z")];
const acme = { slug: "acme", kind: "openai-compatible" as ProviderKind };
const embed: ProviderModel = { id: "acme/embed", upstream_id: "embed-1", type: "embedding" };
const talk: ProviderModel = { id: "acme/talk", upstream_id: "talk-1", type: "chat" };

/** What is stored of a list of models; then of another list in its place. */
const stored = (models: readonly ProviderModel[], provider = acme) => modelRows(provider, models, [], before);
const replaced = (rows: readonly ProviderModelRow[], models: readonly ProviderModel[], provider = acme) =>
  modelRows(provider, models, rows, now);

describe("a provider's list of models", () => {
  it("gives a new model the defaults, its position, and the last part of its id as its name", () => {
    expect(stored([talk, embed])).toEqual([
      { ...modelDefaults, ...talk, name: "talk", provider_slug: "acme", position: 0, created_at: before },
      { ...modelDefaults, ...embed, name: "embed", provider_slug: "acme", position: 1, created_at: before },
    ]);
  });

  it("keeps of a known model what is not sent, and takes what is, null too", () => {
    const rows = stored([
      { ...talk, name: "Talk", pricing: { prompt: "1" }, context_length: 8_000, description: "ours", enabled: false },
    ]);
    const [row] = replaced(rows, [{ ...talk, upstream_id: "talk-2", pricing: null, enabled: true }]);
    expect(row).toEqual({ ...rows[0], upstream_id: "talk-2", pricing: null, enabled: true });
  });

  it("is the whole list, in its order: what is not in it is gone, and what comes back begins anew", () => {
    const rows = stored([{ ...embed, name: "Ours" }, talk]);
    const added = { ...talk, id: "acme/new" };
    const next = replaced(rows, [talk, added]);
    expect(next.map(({ id, position, created_at }) => [id, position, created_at])).toEqual([
      ["acme/talk", 0, before],
      ["acme/new", 1, now],
    ]);
    expect(replaced(next, [embed])).toMatchObject([{ name: "embed", created_at: now }]);
    expect(replaced(rows, [])).toEqual([]);
  });

  it("keeps a range of dimensions until another one, or none, is sent", () => {
    const ranged = stored([{ ...embed, dimensions: 512, dimensions_range: { minimum: 8, maximum: 1_024 } }]);
    const range = (model: Partial<ProviderModel>) =>
      replaced(ranged, [{ ...embed, ...model }]).map((row) => [row.dimensions_minimum, row.dimensions_maximum]);
    expect(range({})).toEqual([[8, 1_024]]);
    expect(range({ dimensions_range: { minimum: 256, maximum: 512 } })).toEqual([[256, 512]]);
    expect(range({ dimensions_range: null })).toEqual([[null, null]]);
  });

  it.each<[string, ProviderModel[], string]>([
    ["a model that is there twice", [talk, embed, talk], "models.2.id is listed twice: acme/talk"],
    [
      "a range that ends before it begins",
      [{ ...embed, dimensions_range: { minimum: 9, maximum: 8 } }],
      "models.0.dimensions_range must have a minimum that is not above its maximum",
    ],
    [
      "dimensions outside of their range",
      [talk, { ...embed, dimensions: 2_048, dimensions_range: { minimum: 8, maximum: 1_024 } }],
      "models.1.dimensions must be within dimensions_range (8 to 1024)",
    ],
  ])("refuses %s, and says where", (_, models, message) => expect(() => stored(models)).toThrow(message));

  it("judges a known model by what it is in the end, not by what was sent of it", () => {
    const rows = stored([{ ...embed, dimensions: 512, dimensions_range: { minimum: 8, maximum: 1_024 } }]);
    expect(() => replaced(rows, [{ ...embed, dimensions: 4_096 }])).toThrow(/within dimensions_range \(8 to 1024\)/);
    expect(() => replaced(rows, [{ ...embed, dimensions: 4_096, dimensions_range: null }])).not.toThrow();
  });

  it("takes no embedding model of Anthropic's", () => {
    const anthropic = { slug: "anthropic", kind: "anthropic" as const };
    const refused = "models.1.type must be chat: Anthropic offers no embeddings";
    expect(() => stored([talk, embed], anthropic)).toThrow(refused);
    expect(stored([talk], anthropic)).toHaveLength(1);
  });

  it("lets a built-in model be named and priced, and be nothing else than it is", () => {
    const builtin = { slug: "gatehouse", kind: "builtin" as const };
    const lexical: ProviderModel = { ...embed, id: "gatehouse/lexical", upstream_id: "lexical", dimensions: 384 };
    const rows = stored([lexical]);
    const change = (model: Partial<ProviderModel>) => replaced(rows, [{ ...lexical, ...model }], builtin);
    expect(change({ name: "Words", pricing: { prompt: "0.1" }, enabled: false })).toMatchObject([
      { name: "Words", pricing: { prompt: "0.1" }, enabled: false },
    ]);
    const fixed = (member: string, value: string | number) =>
      `${member} cannot be changed for a built-in model: it is ${value}`;
    for (const [sent, refused] of [
      [{ id: "gatehouse/other" }, "id must be one of the built-in models: gatehouse/lexical"],
      [{ upstream_id: "x" }, fixed("upstream_id", "lexical")],
      [{ type: "chat" }, fixed("type", "embedding")],
      [{ dimensions: 8 }, fixed("dimensions", 384)],
    ] as [Partial<ProviderModel>, string][])
      expect(() => change(sent)).toThrow(`models.0.${refused}`);
  });
});
