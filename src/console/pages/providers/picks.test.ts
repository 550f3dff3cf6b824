import { describe, expect, it } from "vitest";
import { ProviderModel } from "#contract/providers.ts";
import { pickedModel, pickProblem, proposePick } from "./picks.ts";

const acme = { slug: "acme", kind: "openai-compatible" } as const;

it.each([
  ["text-embedding-3-small", "acme/text-embedding-3-small", "embedding"],
  ["BAAI/bge-m3", "BAAI/bge-m3", "embedding"],
  ["intfloat/multilingual-e5-large", "intfloat/multilingual-e5-large", "embedding"],
  ["nomic-embed-text:latest", "acme/nomic-embed-text:latest", "embedding"],
  ["models/gemini-embedding-001", "acme/gemini-embedding-001", "embedding"],
  ["accounts/fireworks/models/llama-v3", "acme/llama-v3", "chat"],
  ["gpt-4.1", "acme/gpt-4.1", "chat"],
  ["some model (beta)", "acme/some-model-beta-", "chat"],
  ["voyage-3.5", "acme/voyage-3.5", "embedding"],
  ["gpt-4o-mini-tts", "acme/gpt-4o-mini-tts", "speech"],
  ["eleven_multilingual_v2", "acme/eleven_multilingual_v2", "speech"],
  ["hexgrad/Kokoro-82M", "hexgrad/Kokoro-82M", "speech"],
  ["whisper-large-v3-turbo", "acme/whisper-large-v3-turbo", "transcription"],
  ["gpt-4o-transcribe", "acme/gpt-4o-transcribe", "transcription"],
  ["gpt-image-1-mini", "acme/gpt-image-1-mini", "image"],
  ["black-forest-labs/FLUX.1-schnell", "black-forest-labs/FLUX.1-schnell", "image"],
  ["models/gemini-2.5-flash-image", "acme/gemini-2.5-flash-image", "image"],
])("the proposal for a vendor's name %s is %s, %s", (upstream, id, type) => {
  const pick = proposePick(upstream, acme);
  expect(pick).toMatchObject({ upstream_id: upstream, id, type });
  expect(ProviderModel.safeParse(pickedModel(pick)).success).toBe(true);
});

it("the proposal for a vendor's name is never an embedding where the vendor has none", () =>
  expect(proposePick("embed-x", { slug: "anthropic", kind: "anthropic" }).type).toBe("chat"));

describe("a pick", () => {
  const pick = proposePick("embed-small", acme);

  it("without a price is unpriced, not free", () => {
    expect(pickedModel(pick).pricing).toBeNull();
    expect(pickedModel({ ...pick, price: "0.02" }).pricing).toEqual({ prompt: "0.00000002" });
    expect(pickedModel({ ...pick, price: "0" }).pricing).toEqual({ prompt: "0" });
  });

  it("needs an id of its own", () => {
    expect(pickProblem(pick, new Set(), [pick])).toBeNull();
    expect(pickProblem(pick, new Set([pick.id]), [pick])).toMatch(/listed already/);
    expect(pickProblem(pick, new Set(), [pick, { ...pick }])).toMatch(/Two of them/);
    expect(pickProblem({ ...pick, id: "no-author" }, new Set(), [])).toMatch(/author\/slug/);
    expect(pickProblem({ ...pick, price: "cheap" }, new Set(), [])).toMatch(/price/);
  });
});
