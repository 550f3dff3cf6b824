import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../domain/refusal.ts";
import {
  billedMembers,
  type BilledMembers,
  type BilledOperation,
  refuseBilled,
  unpricedMember,
} from "./billed-members.ts";

describe("a member that vendors bill by", () => {
  it.each<[BilledOperation, object, string | null]>([
    ["images", { steps: 50 }, "steps"],
    ["images", { numInferenceSteps: 50 }, "numInferenceSteps"],
    ["images", { parameters: { "num-inference-steps": "50" } }, "parameters.num-inference-steps"],
    ["images", { tools: [{ google_search: {} }] }, "tools"],
    ["images", { serviceTier: "priority" }, "serviceTier"],
    ["images", { cachedContent: "cachedContents/a" }, "cachedContent"],
    ["images", { enable_web_search: true }, "enable_web_search"],
    ["images", { loras: [{ path: "a", scale: 1 }] }, "loras"],
    ["images", { list: [{ enhance_prompt: true }] }, "list.0.enhance_prompt"],
    ["images", { steps: 1, enhance: false, tools: [], serviceTier: "flex", style: "vivid", web_search: null }, null],
    ["videos", { num_inference_steps: 40 }, "num_inference_steps"],
    ["videos", { fps: 60 }, "fps"],
    ["speech", { quality: "hd" }, "quality"],
    ["speech", { instructions: "Speak up", voice_settings: { stability: 1 } }, null],
    ["transcriptions", { use_multi_channel: "true" }, "use_multi_channel"],
    ["transcriptions", { use_multi_channel: "false", diarize: "0", beam_size: 5 }, null],
    ["transcriptions", { diarize: true }, "diarize"],
    [
      "transcriptions",
      { config: '{"transcription_config":{"diarization":"speaker"}}' },
      "config.transcription_config.diarization",
    ],
    ["transcriptions", { "transcription_config[diarization]": "speaker" }, "transcription_config[diarization]"],
    ["transcriptions", { "word_boost[]": ["a"] }, "word_boost[]"],
    ["transcriptions", { config: '{"language":"en"}', "chunking_strategy[type]": "auto", note: "{diarize}" }, null],
    ["embeddings", { service_tier: "priority" }, "service_tier"],
    ["rerank", { service_tier: "priority" }, "service_tier"],
    ["rerank", { rank_fields: ["text"], max_tokens_per_doc: 500 }, null],
  ])("of %s in %j is %s", (operation, members, path) => expect(unpricedMember(operation, { ...members })).toBe(path));

  it.each<[BilledOperation, object, string, RegExp]>([
    ["images", { samples: 4 }, "samples", /must be sent as n/],
    ["images", { batchSize: 4 }, "batchSize", /must be sent as n/],
    ["images", { parameters: { n: 4 } }, "parameters.n", /must be sent as n/],
    ["images", { options: { max_images: 4 } }, "options.max_images", /must be sent as n/],
    ["images", { megapixels: "4" }, "megapixels", /must be sent as size/],
    ["videos", { parameters: { durationSeconds: 60 } }, "parameters.durationSeconds", /must be sent as duration/],
    ["videos", { batch_size: 2 }, "batch_size", /a job makes one video/],
    ["videos", { webhook: "https://example.com" }, "webhook", /send|notifies the callback_url/],
    ["speech", { text: "and more" }, "text", /must be sent as input/],
    ["speech", { num_generations: 3 }, "num_generations", /a call has one recording/],
    ["transcriptions", { cloud_storage_url: "https://example.com/a.mp3" }, "cloud_storage_url", /must be sent as file/],
    ["images", { "parameters.sampleCount": 4 }, "parameters.sampleCount", /must be sent as n/],
    ["transcriptions", { "source[url]": "https://example.com/a.mp3" }, "source[url]", /must be sent as file/],
    ["transcriptions", { extra: '{"webhook": true}' }, "extra.webhook", /an answer comes whole/],
    ["transcriptions", { webhook: "true" }, "webhook", /an answer comes whole/],
  ])("of %s in %j is refused as '%s'", (operation, members, path, message) => {
    for (const [options, at] of [
      [null, path],
      [{ acme: members as Record<string, unknown> }, `provider.options.acme.${path}`],
    ] as const) {
      const refuse = () =>
        refuseBilled(operation, options === null ? (members as Record<string, unknown>) : {}, options);
      expect(refuse).toThrow(Refusal);
      expect(refuse).toThrow(message);
      expect(refuse).toThrow(at);
    }
  });
});

it.each([
  [60_000, /characters of JSON/],
  [20_000, /too deep/],
])("JSON in a form of %i levels is not read", (levels, message) => {
  const nested = "[".repeat(levels) + "]".repeat(levels);
  expect(() => refuseBilled("transcriptions", { nested })).toThrow(message);
});

const listed = (words: string) =>
  words
    .trim()
    .split(/\s+/)
    .map((name) => `\`${name}\``)
    .join(", ");

it("docs/billed-members.md has every one of them", () => {
  const page = readFileSync("docs/billed-members.md", "utf8");
  const rows = Object.entries(billedMembers as Record<string, BilledMembers>).map(
    ([operation, { own, unserved, unpriced }]) => [
      `## ${operation}`,
      ...Object.entries(own).map(([member, words]) => `| \`${member}\` | ${listed(words)} |`),
      ...Object.entries(unserved).map(([reason, words]) => `| not supported: ${reason} | ${listed(words)} |`),
      `| 402 at a limit | ${listed(unpriced)} |`,
    ],
  );
  const lines = page.split("\n");
  expect(rows.flat().filter((row) => !lines.includes(row))).toEqual([]);
});
