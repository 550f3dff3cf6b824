import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import { VectorSpaceId } from "#contract/embeddings.ts";
import type { CatalogModel, CatalogProvider } from "../../domain/routing/catalog.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { answeredId, otherSpace, spaceOf } from "./vector-space.ts";
import type { EmbeddingsRequest } from "./request.ts";

interface Vendor {
  readonly kind: ProviderKind;
  readonly preset: ProviderPreset;
  readonly baseUrl?: string | null;
  readonly upstreamId?: string;
  readonly id?: string;
  readonly slug?: string;
  readonly apiKey?: string;
  readonly dimensions?: number | null;
  readonly inputType?: string | null;
  readonly queryPrefix?: string | null;
  readonly documentPrefix?: string | null;
  readonly revision?: string | null;
}

function candidateOf({ kind, preset, ...rest }: Vendor): Candidate {
  const { baseUrl = "https://api.example.com/v1", upstreamId = "embed", id = "acme/embed", dimensions = 4 } = rest;
  const { slug = "acme", apiKey = "sk-one" } = rest;
  const provider = { kind, preset, baseUrl, slug, apiKey, options: {} } as unknown as CatalogProvider;
  const { inputType = null, queryPrefix = null, documentPrefix = null, revision = null } = rest;
  const settings = { inputType, queryPrefix, documentPrefix, revision };
  const model = { id, upstreamId, dimensions, ...settings } as unknown as CatalogModel;
  return { provider, model, byok: null, health: { state: "up", errorRate: null, latency: null, throughput: null } };
}

type Members = Pick<EmbeddingsRequest, "dimensions" | "inputType" | "truncate" | "extra">;

const plain: Members = { dimensions: null, inputType: null, truncate: false, extra: {} };
const idOf = (candidate: Candidate, members: Partial<Members> = {}, answered: { model?: string } = {}) => {
  const space = spaceOf(candidate, { ...plain, ...members });
  return answeredId(space, space.length ?? 4, answered.model ?? null);
};

const openai: Vendor = { kind: "openai-compatible", preset: "openai" };
const voyage: Vendor = { kind: "openai-compatible", preset: "voyage" };
const vllm: Vendor = { kind: "openai-compatible", preset: "vllm" };
const cohere: Vendor = { kind: "cohere", preset: "cohere" };
const gemini: Vendor = { kind: "gemini", preset: "gemini" };
const builtIn: Vendor = { kind: "builtin", preset: "gatehouse", baseUrl: null };
const vendors: readonly Vendor[] = [
  openai,
  voyage,
  vllm,
  cohere,
  gemini,
  { ...openai, preset: "jina" },
  { ...openai, preset: "custom" },
];

describe("the id of a vector space", () => {
  // Indexes store ids: a change of one here makes every index of that model refuse to be searched.
  it("stays what earlier versions gave", () => {
    expect(idOf(candidateOf(openai))).toMatchInlineSnapshot(`"vs_29a23a78800d04492ff4-4"`);
    expect(idOf(candidateOf(voyage), { inputType: "query" })).toMatchInlineSnapshot(`"vs_264cd7fdf6906db53ec4-4"`);
    expect(idOf(candidateOf(cohere), { truncate: true })).toMatchInlineSnapshot(`"vs_6cf3ea4c1a2d85885703-4"`);
    expect(idOf(candidateOf(gemini), { inputType: "document" })).toMatchInlineSnapshot(`"vs_23160962014083bf4771-4"`);
    expect(idOf(candidateOf(vllm), {}, { model: "another" })).toMatchInlineSnapshot(
      `"vs_29a23a78800d04492ff4-4-ae448ac8"`,
    );
    expect(idOf(candidateOf({ ...builtIn, upstreamId: "lexical", dimensions: 512 }))).toMatchInlineSnapshot(
      `"vs_0dbf3096b3dfe87aa846-512"`,
    );
  });

  it("is one that calls may require", () => {
    for (const vendor of [...vendors, builtIn]) {
      expect(VectorSpaceId.safeParse(idOf(candidateOf(vendor))).success).toBe(true);
      expect(VectorSpaceId.safeParse(idOf(candidateOf(vendor), {}, { model: "x" })).success).toBe(true);
    }
  });

  it("depends on the address, the model, the length and the name in the answer", () => {
    const ids = [
      idOf(candidateOf(openai)),
      idOf(candidateOf({ ...openai, baseUrl: "https://eu.example.com/v1" })),
      idOf(candidateOf({ ...openai, upstreamId: "embed-2" })),
      idOf(candidateOf({ ...openai, dimensions: 8 })),
      idOf(candidateOf(openai), { dimensions: 2 }),
      idOf(candidateOf(openai), {}, { model: "embed-0613" }),
      idOf(candidateOf(cohere)),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("does not depend on what a provider is called here, its key, or how its address is written", () => {
    const same = [
      { ...openai, slug: "other", id: "other/name", apiKey: "sk-two" },
      { ...openai, baseUrl: "https://API.example.com/v1/" },
      { ...openai, baseUrl: "https://api.example.com:443/v1" },
    ];
    for (const vendor of same) expect(idOf(candidateOf(vendor))).toBe(idOf(candidateOf(openai)));
  });

  it("is the same for the model's own length, asked for or not, and for the name that was asked for", () => {
    expect(idOf(candidateOf(openai), { dimensions: 4 })).toBe(idOf(candidateOf(openai)));
    expect(idOf(candidateOf(openai), {}, { model: "embed" })).toBe(idOf(candidateOf(openai)));
  });

  it("goes by what a vendor is sent: two words for one input type are one space, an unsent one is none", () => {
    const typed = (vendor: Vendor, inputType: string | null) => idOf(candidateOf(vendor), { inputType });
    expect(typed(cohere, "passage")).toBe(typed(cohere, "search_document"));
    expect(typed(cohere, null)).toBe(typed(cohere, "document"));
    expect(typed(openai, "query")).toBe(typed(openai, null));
    expect(typed(vllm, "query")).not.toBe(typed(vllm, null));
    expect(typed({ ...builtIn, upstreamId: "semantic-en" }, "query")).toBe(
      typed({ ...builtIn, upstreamId: "semantic-en" }, null),
    );
    const local = { ...builtIn, upstreamId: "local", id: "local/e5" };
    expect(typed(local, "query")).not.toBe(typed(local, "document"));
    expect(typed(local, "query")).not.toBe(typed({ ...local, id: "local/bge" }, "query"));
  });

  it("depends on what is set for the model: input type, prefixes and revision", () => {
    const made = (settings: Partial<Vendor>, inputType: string | null) =>
      idOf(candidateOf({ ...vllm, ...settings }), { inputType });
    expect(made({ inputType: "document" }, null)).toBe(made({}, "document"));
    expect(made({ inputType: "document" }, "query")).toBe(made({}, "query"));
    expect(made({ queryPrefix: "query: " }, "query")).not.toBe(made({}, "query"));
    expect(made({ queryPrefix: "query: " }, "query")).not.toBe(made({ queryPrefix: "query:" }, "query"));
    expect(made({ queryPrefix: "query: " }, "document")).toBe(made({}, "document"));
    expect(made({ revision: "5617a9f" }, null)).not.toBe(made({}, null));
  });

  it("has no limit on preprocessings, though not all are remembered", () => {
    const candidate = candidateOf(vllm);
    const ids = Array.from({ length: 200 }, (_, index) => idOf(candidate, { extra: { task: index } }));
    expect(new Set(ids).size).toBe(200);
    expect(idOf(candidate, { extra: { task: 0 } })).toBe(ids[0]);
    const long = { extra: { instruction: "a".repeat(5_000) } };
    expect(idOf(candidate, long)).toBe(idOf(candidate, { extra: { ...long.extra } }));
    expect(idOf(candidate, long)).not.toBe(ids[0]);
  });
});

describe("two preprocessings", () => {
  const set: fc.Arbitrary<Partial<Vendor>> = fc.record({
    inputType: fc.constantFrom(null, "query", "document"),
    queryPrefix: fc.constantFrom(null, "q: ", "query: "),
    documentPrefix: fc.constantFrom(null, "q: ", "passage: "),
  });

  const some: fc.Arbitrary<Members> = fc.record({
    dimensions: fc.constantFrom(null, 2, 4),
    inputType: fc.constantFrom(null, "query", "document", "passage", "search_query", "clustering"),
    truncate: fc.boolean(),
    extra: fc.dictionary(
      fc.constantFrom("task", "normalized", "instruction", "input_type", "user", "truncation"),
      fc.oneof(fc.boolean(), fc.integer({ min: 0, max: 3 }), fc.constantFrom("", "a", "query")),
      { maxKeys: 3 },
    ),
  });

  /** What the vendor is sent for one text; members in any order are one request. */
  function sent(candidate: Candidate, { dimensions, truncate, extra, ...asked }: Members): string {
    const { provider, model } = candidate;
    const inputType = asked.inputType ?? model.inputType ?? "";
    const prefixes: Record<string, string | null> = { query: model.queryPrefix, document: model.documentPrefix };
    const prefix = prefixes[/query/.exec(inputType)?.[0] ?? inputType.replace("passage", "document")] ?? "";
    const call = {
      model: model.upstreamId,
      items: [{ type: "text" as const, text: `${prefix}a` }],
      dimensions: dimensions ?? model.dimensions ?? 0,
      truncate,
      extra,
      ...(inputType === "" || prefix !== "" ? {} : { inputType }),
    };
    const request = adapters[provider.kind]?.embeddings?.toRequest(toUpstream(provider), call, "float");
    const body = JSON.parse(request?.body ?? "{}") as Record<string, unknown>;
    return JSON.stringify([truncate, Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  }

  it("never share an id, and one preprocessing never has two", () => {
    fc.assert(
      fc.property(fc.constantFrom(...vendors), fc.tuple(set, some), fc.tuple(set, some), (vendor, a, b) => {
        const [candidate, one] = [candidateOf({ ...vendor, ...a[0] }), a[1]];
        const [again, other] = [candidateOf({ ...vendor, ...b[0] }), b[1]];
        const isSame = sent(candidate, one) === sent(again, other);
        expect(idOf(candidate, one) === idOf(again, other)).toBe(isSame);
        // Another provider of the same model is never mistaken for this one.
        const elsewhere = candidateOf({ ...vendor, baseUrl: "https://elsewhere.example.com/v1" });
        expect(idOf(elsewhere, one)).not.toBe(idOf(candidate, other));
      }),
      { numRuns: 500 },
    );
  });

  it("pass the check of a required id exactly where theirs is that id", () => {
    fc.assert(
      fc.property(fc.constantFrom(...vendors), some, some, (vendor, one, other) => {
        const candidate = candidateOf(vendor);
        const requiredSpace = idOf(candidate, one);
        const why = otherSpace(candidate, { ...other, requiredSpace } as unknown as EmbeddingsRequest);
        expect(why === null).toBe(idOf(candidate, other) === requiredSpace);
      }),
      { numRuns: 500 },
    );
  });
});
