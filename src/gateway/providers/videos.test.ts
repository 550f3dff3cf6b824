import { describe, expect, it } from "vitest";
import { BadAnswer, type VideosDialect } from "./provider.ts";
import { adapters, toUpstream } from "./registry.ts";

const at = (preset: "openai" | "xai" | "openrouter" | "gemini") => {
  const kind = preset === "gemini" ? "gemini" : "openai-compatible";
  const upstream = toUpstream({ slug: preset, kind, preset, baseUrl: "https://a.b/v1", apiKey: "k", options: {} });
  const dialect = adapters[kind]?.videos as VideosDialect;
  return {
    job: (id: unknown) => dialect.readJob(upstream, JSON.stringify({ id, request_id: id, name: id })),
    path: (job: string) => new URL(dialect.toPoll(upstream, job).url).pathname,
    state: (answer: object) => dialect.readState(upstream, "v", JSON.stringify(answer)),
  };
};
const compatible = ["openai", "xai", "openrouter"] as const;

describe.each(compatible)("a video job at %s", (preset) => {
  const vendor = at(preset);

  it.each(["", ".", "..", "\ud800", 7, "x".repeat(501)])("whose name %j would be another path is none", (id) => {
    expect(() => vendor.job(id)).toThrow(BadAnswer);
  });

  it.each(["%2e%2e", "a/../b", "a?b", "a#b", "..."])("whose name is %j stays one part of the path", (id) => {
    expect(vendor.path(vendor.job(id))).toBe(`/v1/videos/${encodeURIComponent(id)}`);
  });

  it.each(["constructor", "__proto__", "toString"])("in the state %s has not ended", (status) => {
    expect(["pending", "in_progress"]).toContain(vendor.state({ status }).status);
  });
});

it.each(["", "..", "../x", "a/../b", "a//b", "a?b", "a#b", "%2e%2e/x"])("Gemini has no operation %j", (name) => {
  expect(() => at("gemini").job(name)).toThrow(BadAnswer);
});

it("a job has 16 videos at most, however many a vendor lists", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `https://a.b/${index}`);
  expect(at("openrouter").state({ status: "completed", unsigned_urls: many }).urls).toHaveLength(16);
  const generatedSamples = many.map((uri) => ({ video: { uri } }));
  const answer = { done: true, response: { generateVideoResponse: { generatedSamples } } };
  expect(at("gemini").state(answer).urls).toHaveLength(16);
});
