import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProviderPreferences } from "#contract/routing.ts";
import type { CatalogModel, CatalogProvider } from "./catalog.ts";
import { readPrices } from "../ledger/price.ts";
import { isNamed } from "./exclusion.ts";
import { guardrailDefaults } from "../guardrails/settings.ts";
import { route } from "./route.ts";
import type { Candidate, CandidateHealth, RouteRequest } from "./routing.ts";

interface Made {
  slug?: string;
  name?: string;
  model?: string;
  type?: "embedding" | "chat";
  prompt?: string | null;
  completion?: string;
  dimensions?: number | null;
  range?: CatalogModel["dimensionsRange"];
  contextLength?: number | null;
  most?: number | null;
  quantization?: string;
  parameters?: readonly string[] | null;
  distillable?: boolean | null;
  dataCollection?: "allow" | "deny";
  zdr?: boolean;
  unreadable?: boolean;
  health?: Partial<CandidateHealth>;
  byok?: Candidate["byok"];
}

const percentiles = (p50: number) => ({ p50, p75: p50, p90: p50, p99: p50 });

function make(made: Made): Candidate {
  const { slug = "a", type = "chat", prompt = "0.000001", completion = "0" } = made;
  const provider: Partial<CatalogProvider> = {
    slug,
    name: made.name ?? slug.toUpperCase(),
    dataCollection: made.dataCollection ?? "allow",
    zdr: made.zdr ?? false,
    unreadable: made.unreadable ?? false,
  };
  const model: Partial<CatalogModel> = {
    id: made.model ?? "acme/one",
    type,
    prices: readPrices(prompt === null ? null : { prompt, completion }),
    dimensions: made.dimensions === undefined ? null : made.dimensions,
    dimensionsRange: made.range ?? null,
    contextLength: made.contextLength ?? null,
    maxCompletionTokens: made.most ?? null,
    quantization: made.quantization ?? "unknown",
    supportedParameters: made.parameters ?? null,
    distillable: made.distillable ?? null,
  };
  return {
    provider: provider as CatalogProvider,
    model: model as CatalogModel,
    byok: made.byok ?? null,
    health: { state: "up", errorRate: null, latency: null, throughput: null, ...made.health },
  };
}

const plain = { type: "chat", guardrails: [], defaultSort: null, parameters: [], dimensions: null } as const;
const ask = (preferences: ProviderPreferences = {}, more: Partial<RouteRequest> = {}): RouteRequest => ({
  ...plain,
  preferences,
  promptTokens: 1_000,
  completionTokens: 0,
  ...more,
});

const slugs = (candidates: readonly Candidate[]) => candidates.map(({ provider }) => provider.slug);
const middle = () => 0.5;
const run = (made: Made[], request: RouteRequest, random: () => number = middle) => {
  const { candidates, passedOver } = route(made.map(make), request, random);
  return {
    order: slugs(candidates),
    over: Object.fromEntries(passedOver.map(({ provider, code }) => [provider, code])),
  };
};

/** The same numbers in any order on every machine: Park and Miller's minimal standard. */
const makeRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

describe("who is passed over, and why", () => {
  it("a guardrail's before the caller's own reasons, with the guardrail", () => {
    const settings = { ...guardrailDefaults, ignored_providers: ["B"], enable_free_model_training: false };
    const guardrails = [{ id: "g", name: "Strict", scope: "key" as const, settings }];
    const made: Made[] = [{ slug: "a" }, { slug: "b" }, { slug: "c", prompt: "0" }, { slug: "d" }];
    const { candidates, passedOver } = route(made.map(make), ask({ ignore: ["b", "d"] }, { guardrails }), middle);
    expect(slugs(candidates)).toEqual(["a"]);
    expect(passedOver.map(({ provider, code, guardrail }) => `${provider} ${code} ${guardrail}`)).toEqual([
      "b ignored_providers g",
      "c data_policy:training g",
      "d ignored_providers undefined",
    ]);
  });

  it.each<[string, Made, ProviderPreferences, string]>([
    ["only", {}, { only: ["a"] }, "allowed_providers"],
    ["ignore", {}, { ignore: ["B"] }, "ignored_providers"],
    ["data_collection", { dataCollection: "allow" }, { data_collection: "deny" }, "data_policy:training"],
    ["zdr", { zdr: false }, { zdr: true }, "data_policy:zdr"],
    ["enforce_distillable_text", { distillable: null }, { enforce_distillable_text: true }, "distillable_text"],
    ["quantizations", { quantization: "int4" }, { quantizations: ["fp16", "bf16"] }, "quantization"],
    ["max_price.prompt", { prompt: "0.000002" }, { max_price: { prompt: "1.5" } }, "max_price"],
    ["max_price.prompt as a number", { prompt: "0.000002" }, { max_price: { prompt: 1.5 } }, "max_price"],
    ["max_price.completion", { completion: "0.00001" }, { max_price: { completion: 9.99 } }, "max_price"],
    ["max_price of an unpriced one", { prompt: null }, { max_price: { prompt: 100 } }, "max_price"],
    ["require_parameters", { parameters: ["tools"] }, { require_parameters: true }, "require_parameters"],
  ])("%s", (_, made, preferences, code) => {
    const kept: Made = {
      dataCollection: "deny",
      zdr: true,
      distillable: true,
      quantization: "fp16",
      parameters: ["seed"],
    };
    const request = ask(preferences, { parameters: ["seed"] });
    expect(run([kept, { slug: "b", ...made }], request)).toEqual({ order: ["a"], over: { b: code } });
  });

  const model: Made = { type: "embedding", dimensions: 1_536 };
  const ranged: Made = { ...model, range: { minimum: 256, maximum: 1_536 } };
  const dimensions = (dimensions: number) => ask({}, { type: "embedding", dimensions });
  const seed = ask({ require_parameters: true }, { parameters: ["seed"] });
  it.each<[string, Made, RouteRequest, code?: string]>([
    ["a price that is exactly the highest", { prompt: "0.0000015" }, ask({ max_price: { prompt: "1.5" } })],
    ["one above it", { prompt: "0.000001500000000001" }, ask({ max_price: { prompt: "1.5" } }), "max_price"],
    ["parameters that a model's row does not state", { parameters: null }, seed],
    [
      "the same where its dialect knows better",
      { parameters: null },
      { ...seed, takes: () => false },
      "require_parameters",
    ],
    ["a prompt as long as the context", { contextLength: 1_000 }, ask()],
    ["a longer one", { contextLength: 999 }, ask(), "context_length"],
    ["fewer dimensions", model, dimensions(512)],
    ["more dimensions", model, dimensions(1_537), "dimensions"],
    ["as many dimensions", model, dimensions(1_536)],
    ["dimensions that are not known", { ...model, dimensions: null }, dimensions(1_537)],
    ["dimensions within the range", ranged, dimensions(512)],
    ["dimensions below it", ranged, dimensions(128), "dimensions"],
    ["what a dialect cannot carry", {}, ask({}, { unfit: () => "it takes no images" }), "capability"],
    ["a broken key", { unreadable: true }, ask(), "credentials"],
  ])("%s", (_, made, request, code) => {
    const expected = code === undefined ? { order: ["a"], over: {} } : { order: [], over: { a: code } };
    expect(run([made], request)).toEqual(expected);
  });
});

describe("the order", () => {
  const up: Made = { slug: "a" };
  const down: Made = { slug: "a", health: { state: "down" } };
  const [b, c]: [Made, Made] = [{ slug: "b" }, { slug: "c" }];
  const probe: Made = { ...b, health: { state: "probe" } };
  const wanted = { parameters: ["tools", "response_format"], completionTokens: 4_000 };
  const fitting: Made[] = [
    { slug: "plain", prompt: "0", parameters: [] },
    { slug: "short", prompt: "0", most: 100 },
    { slug: "fit", prompt: "0.001" },
  ];
  const measured = (slug: string, prompt: string, latency: number, throughput: number, errorRate: number): Made => ({
    slug,
    prompt,
    health: { latency: percentiles(latency), throughput: percentiles(throughput), errorRate },
  });
  const sorted: Made[] = [
    measured("a", "0.000003", 0.1, 10, 0.2),
    measured("b", "0.000001", 0.3, 90, 0.1),
    measured("c", "0.000002", 0.2, 50, 0),
    { slug: "d", prompt: null },
  ];
  const slow: Made[] = [
    { slug: "a", health: { latency: { p50: 1, p75: 2, p90: 3, p99: 9 }, throughput: percentiles(10) } },
    { slug: "b", health: { latency: percentiles(2), throughput: percentiles(50) } },
  ];
  const byLatency = { defaultSort: "latency" } as const;

  it.each<[string, Made[], RouteRequest, string]>([
    ["is the caller's, then the rest", [up, b, c], ask({ order: ["C", "a"] }), "c a b"],
    [
      "puts what is held back last, what probes in its place",
      [down, probe, c],
      ask({ order: ["a", "b", "c"] }),
      "b c a",
    ],
    [
      "begins with those that take all, and answer at length",
      fitting,
      ask({ sort: "price" }, wanted),
      "fit short plain",
    ],
    ["but for the caller's order", fitting, ask({ order: ["plain"] }, wanted), "plain fit short"],
    ["is by price", sorted, ask({ sort: "price" }), "b c a d"],
    ["is by latency", sorted, ask({ sort: { by: "latency" } }), "a c b d"],
    ["is by throughput", sorted, ask({ sort: "throughput" }), "b c a d"],
    ["is by dependability", sorted, ask({ sort: "exacto" }), "c d b a"],
    ["is by the workspace's sort", sorted, ask({}, byLatency), "a c b d"],
    ["is by the caller's sort before that", sorted, ask({ sort: "price" }, byLatency), "b c a d"],
    ["keeps who is all too slow", slow, ask({ order: ["a", "b"], preferred_max_latency: 0.5 }), "a b"],
    ["puts one beyond the latency last", slow, ask({ order: ["b", "a"], preferred_max_latency: 1 }), "a b"],
    ["by its percentile", slow, ask({ order: ["a", "b"], preferred_max_latency: { p99: 5 } }), "b a"],
    ["puts one below the throughput last", slow, ask({ order: ["a", "b"], preferred_min_throughput: 20 }), "b a"],
  ])("%s", (_, made, request, order) => expect(run(made, request).order.join(" ")).toBe(order));

  it("walks the caller's order and nothing else without fallbacks, whatever its health", () => {
    const request = ask({ order: ["a", "c"], allow_fallbacks: false });
    expect(run([down, b, c], request)).toEqual({ order: ["a", "c"], over: { b: "fallbacks_disabled" } });
  });

  it("stops at the first without fallbacks and without an order", () =>
    expect(run([up, b], ask({ sort: "price", allow_fallbacks: false })).order).toHaveLength(1));

  it("keeps the caller's models apart, unless the sort is over all of them", () => {
    const made: Made[] = [
      { slug: "a", model: "acme/first", prompt: "0.000009" },
      { slug: "b", model: "acme/second", prompt: "0.000001" },
      { slug: "c", model: "acme/first", prompt: "0.000005" },
    ];
    expect(run(made, ask({ sort: "price" })).order).toEqual(["c", "a", "b"]);
    expect(run(made, ask({ sort: { by: "price", partition: "none" } })).order).toEqual(["b", "c", "a"]);
  });

  it("begins with a workspace's own keys, even before the caller's order, and ends with its fallback keys", () => {
    const made: Made[] = [
      { slug: "a" },
      { slug: "b", byok: { id: "2", isFallback: true, sortOrder: 1 } },
      { slug: "c", byok: { id: "1", isFallback: false, sortOrder: 0 } },
    ];
    expect(run(made, ask({ order: ["a", "b"] })).order).toEqual(["c", "a", "b"]);
  });

  it("lets no own key change which model is tried first, nor a fallback key bring its model back after others", () => {
    const own = (id: string, isFallback: boolean) => ({ byok: { id, isFallback, sortOrder: 0 } });
    const [first, second] = [{ model: "acme/first" }, { model: "acme/second" }];
    const made: Made[] = [
      { slug: "a", ...first },
      { slug: "b", ...first, ...own("1", true) },
      { slug: "c", ...second },
      { slug: "d", ...second, ...own("2", false) },
    ];
    expect(run(made, ask()).order).toEqual(["a", "b", "d", "c"]);
    expect(run(made, ask({ order: ["a", "c"] })).order).toEqual(["a", "d", "b", "c"]);
    expect(run(made, ask({ sort: { by: "price", partition: "none" } })).order).toEqual(["d", "a", "c", "b"]);
  });

  it("tries a workspace's own keys at one provider in the order given to them, whatever is drawn", () => {
    const own = (slug: string, id: string, sortOrder: number) => ({ slug, byok: { id, isFallback: false, sortOrder } });
    const keys = [own("a", "third", 7), own("a", "first", 0), own("b", "other", 3), own("a", "second", 5)];
    const made: Made[] = [...keys, { slug: "a" }];
    for (const draw of [0, 0.3, 0.6, 0.999]) {
      const { candidates } = route(made.map(make), ask(), () => draw);
      const ids = candidates.map(({ byok }) => byok?.id ?? "shared");
      expect(ids.filter((id) => id !== "other")).toEqual(["first", "second", "third", "shared"]);
      expect(["first", "other"]).toContain(ids[0]);
      expect(Math.abs(ids.indexOf("first") - ids.indexOf("third"))).toBe(2);
    }
  });

  it("names a provider by slug or name, in any spelling", () => {
    const provider = { slug: "azure-openai", name: "Azure OpenAI" };
    for (const name of ["azure-openai", "Azure OpenAI", "AZURE_OPENAI"]) expect(isNamed(provider, name)).toBe(true);
    expect(isNamed(provider, "openai")).toBe(false);
  });
});

describe("one vector space", () => {
  const made: Made[] = Object.entries({ a: 768, b: 1_024, c: 768 }).map(([slug, dimensions]) => ({
    slug,
    dimensions,
    type: "embedding",
  }));
  const request = (preferences: ProviderPreferences = {}) => ask(preferences, { type: "embedding" });

  it.each([0, 0.5, 0.999])("is that of the first provider, and the others are passed over: draw %d", (draw) => {
    const { order, over } = run(made, request(), () => draw);
    expect(order.toSorted()).toEqual(["a", "c"]);
    expect(over).toEqual({ b: "vector_space" });
  });

  it("is that of the provider that the caller names", () => {
    const two = made.slice(0, 2);
    expect(run(two, request({ order: ["b"] }))).toEqual({ order: ["b"], over: { a: "vector_space" } });
    expect(run(two, request({ only: ["b"] }))).toEqual({ order: ["b"], over: { a: "allowed_providers" } });
  });
});

describe("the draw", () => {
  const free: Made = { slug: "c", prompt: "0" };
  const [cheap, dear]: [Made, Made] = [
    { slug: "a", prompt: "0.000001" },
    { slug: "b", prompt: "0.000002" },
  ];

  it("is by 1/price²: at half the price four times as likely to be first", () => {
    const draws = makeRandom(7);
    let first = 0;
    for (let count = 0; count < 5_000; count += 1) first += Number(run([cheap, dear], ask(), draws).order[0] === "a");
    expect(first / 5_000).toBeGreaterThan(0.78);
    expect(first / 5_000).toBeLessThan(0.82);
  });

  it("takes free ones before all others, unpriced ones after them", () => {
    const draws = makeRandom(11);
    const made = [{ ...cheap, prompt: null }, dear, free];
    for (let count = 0; count < 50; count += 1) expect(run(made, ask(), draws).order).toEqual(["c", "b", "a"]);
  });
});

describe("the draw of calls with an affinity", () => {
  const made: Made[] = [
    { slug: "a", prompt: "0.000001" },
    { slug: "b", prompt: "0.000002" },
    { slug: "c", prompt: "0.000002" },
  ];
  const random = makeRandom(13);
  const orderOf = (affinity: string, some: readonly Made[] = made) =>
    run([...some], ask({}, { affinity }), random).order;

  it("is the same for each of them", () => {
    for (let session = 0; session < 50; session += 1)
      expect(orderOf(`session ${session}`)).toEqual(orderOf(`session ${session}`, made.toReversed()));
  });

  it("is by 1/price² over all of them", () => {
    let first = 0;
    for (let session = 0; session < 5_000; session += 1) first += Number(orderOf(`session ${session}`)[0] === "a");
    // 1 to 1/4 and 1/4
    expect(first / 5_000).toBeGreaterThan(0.64);
    expect(first / 5_000).toBeLessThan(0.69);
  });

  it("keeps the order of the others where one provider is gone, and moves nobody else", () => {
    for (let session = 0; session < 200; session += 1) {
      const before = orderOf(`session ${session}`);
      const after = orderOf(`session ${session}`, made.slice(1));
      expect(after).toEqual(before.filter((slug) => slug !== "a"));
    }
  });

  it("leaves free ones first, and providers that are down last", () => {
    const mixed: Made[] = [
      { slug: "down", prompt: "0", health: { state: "down" } },
      { slug: "dear", prompt: null },
      { slug: "free", prompt: "0" },
    ];
    for (let session = 0; session < 20; session += 1)
      expect(orderOf(`session ${session}`, mixed)).toEqual(["free", "dear", "down"]);
  });
});

const aCandidate: fc.Arbitrary<Made> = fc.record({
  slug: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  prompt: fc.constantFrom("0", "0.000001", "0.000002", "0.00000005", null),
  dimensions: fc.constantFrom(null, 768, 1_024),
  dataCollection: fc.constantFrom("allow", "deny"),
  zdr: fc.boolean(),
  quantization: fc.constantFrom("unknown", "fp8", "int4"),
  health: fc.record({ state: fc.constantFrom("up", "probe", "down") }),
});
const someNames = fc.option(fc.subarray(["a", "b", "c", "d", "z"]), { nil: null });
const somePreferences: fc.Arbitrary<ProviderPreferences> = fc.record({
  order: someNames,
  only: someNames,
  ignore: someNames,
  allow_fallbacks: fc.constantFrom(true, false, null),
  data_collection: fc.constantFrom("allow", "deny", null),
  zdr: fc.constantFrom(true, false, null),
  sort: fc.constantFrom("price", "latency", "throughput", "exacto", null),
  quantizations: fc.constantFrom(null, ["fp8"], ["fp8", "unknown"]),
});

describe("for all candidates and preferences", () => {
  const property = (
    check: (routed: ReturnType<typeof route>, preferences: ProviderPreferences, made: Made[], draw: number) => void,
  ) =>
    fc.assert(
      fc.property(
        fc.uniqueArray(aCandidate, { selector: ({ slug }) => slug, maxLength: 6 }),
        somePreferences,
        fc.constantFrom("chat", "embedding"),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (made, preferences, type, draw) => {
          const candidates = made.map((one) => make({ ...one, type }));
          const routed = route(candidates, ask(preferences, { type }), () => draw);
          check(routed, preferences, made, draw);
        },
      ),
      { numRuns: 500 },
    );

  it("everybody is either tried once or passed over once with a reason", () => {
    property(({ candidates, passedOver }, _, made) => {
      const named = [...slugs(candidates), ...passedOver.map(({ provider }) => provider)];
      expect(named.toSorted()).toEqual(made.map(({ slug }) => slug ?? "a").toSorted());
      expect(passedOver.every(({ reason }) => reason !== "")).toBe(true);
    });
  });

  it("nobody is tried whom a preference excludes", () => {
    property(({ candidates }, preferences) => {
      for (const { provider, model } of candidates) {
        expect(preferences.only?.includes(provider.slug) ?? true).toBe(true);
        expect(preferences.ignore?.includes(provider.slug) ?? false).toBe(false);
        expect(preferences.data_collection !== "deny" || provider.dataCollection === "deny").toBe(true);
        expect(preferences.zdr !== true || provider.zdr).toBe(true);
        expect(preferences.quantizations?.some((name) => name === model.quantization) ?? true).toBe(true);
      }
      const walks = preferences.allow_fallbacks !== false || Boolean(preferences.order?.length);
      expect(walks || candidates.length <= 1).toBe(true);
    });
  });

  it("embeddings never leave one vector space, whatever is drawn and whoever is down", () => {
    property((_, preferences, made, draw) => {
      const request = ask(preferences, { type: "embedding" });
      const at = (random: number, state: "up" | "down") => {
        const candidates = made.map((one) => make({ ...one, type: "embedding", health: { state } }));
        return route(candidates, request, () => random).candidates;
      };
      const lengths = [...at(draw, "up"), ...at(0, "up"), ...at(draw, "down")].map(({ model }) => model.dimensions);
      expect(new Set(lengths).size).toBeLessThanOrEqual(1);
    });
  });

  it("with fallbacks nobody who is held back stands before somebody who is not", () => {
    property(({ candidates }, preferences) => {
      if (preferences.allow_fallbacks === false) return;
      const down = candidates.map(({ health }) => health.state === "down");
      expect(down).toEqual(down.toSorted((a, b) => Number(a) - Number(b)));
    });
  });
});
