import { isObject, objectsOf, type JsonObject } from "../answer.ts";
import type { ProviderPreset } from "#contract/providers.ts";
import type { ThinkingRow } from "../provider.ts";
import { effortOf, nearestEffort, type Reasoning } from "../reasoning.ts";

const words = (list: string) => list.trim().split(/\s+/);

const upToHigh = words("low medium high");
const upToXhigh = words("low medium high xhigh");
const upToMax = words("low medium high xhigh max");
const lowHighMax = words("low high max");
const nothing: readonly string[] = [];

const sampling = words("temperature top_p presence_penalty frequency_penalty logit_bias logprobs top_logprobs");

/**
 * As of 28 November 2026: https://developers.openai.com/api/docs/guides/reasoning, …/guides/latest-model and
 * …/api/docs/models. Since GPT-5.4 chat completions refuse functions together with thinking, and since GPT-5.5 models
 * think unasked: openai/openai-openapi#541, BerriAI/litellm#34569.
 */
const openai: readonly ThinkingRow[] = [
  { models: /^gpt-5[\d.]*-chat/, efforts: ["medium"], refuses: sampling },
  { models: /^gpt-5[\d.]*-pro/, efforts: words("medium high xhigh"), refuses: sampling },
  { models: /^gpt-5-codex|^gpt-5\.1-codex(?!-max)/, efforts: upToHigh, refuses: sampling },
  { models: /^gpt-5\.\d+-codex/, efforts: upToXhigh, refuses: sampling },
  { models: /^(o\d|codex-mini)/, efforts: upToHigh, refuses: sampling },
  { models: /^gpt-5(?!\.)/, efforts: ["minimal", ...upToHigh], refuses: sampling },
  { models: /^gpt-5\.1/, efforts: ["none", ...upToHigh], refuses: sampling, refusesIf: "asked to think" },
  { models: /^gpt-5\.[2-4](?!\d)/, efforts: ["none", ...upToXhigh], refuses: sampling, refusesIf: "asked to think" },
  { models: /^gpt-5\.5/, efforts: ["none", ...upToXhigh], refuses: sampling, refusesIf: "thinking", tools: "none" },
  {
    models: /^gpt-5\.|^gpt-6-(sol|luna)|^gpt-6\.\d+-(terra|luna)/,
    efforts: ["none", ...upToMax],
    refuses: sampling,
    refusesIf: "thinking",
    tools: "none",
  },
  { models: /^gpt-[6-9]/, efforts: upToMax, refuses: sampling },
  { models: /^(gpt-[34]|chatgpt-)/, efforts: nothing },
];

/**
 * As of 28 November 2026: https://docs.x.ai/docs/guides/reasoning and …/docs/models. Models that think refuse penalties
 * and stop sequences; grok-4 and grok-4.20 take no effort.
 */
const unstoppable = words("presence_penalty frequency_penalty stop");
const xai: readonly ThinkingRow[] = [
  { models: /non-reasoning/, efforts: nothing },
  { models: /^grok-3-mini/, efforts: ["low", "high"], refuses: unstoppable },
  { models: /^grok-[23](?!\d)/, efforts: nothing },
  { models: /^grok-4\.3/, efforts: ["none", ...upToHigh], refuses: unstoppable, refusesIf: "thinking" },
  { models: /^grok-4\.20-multi-agent/, efforts: upToXhigh, refuses: unstoppable },
  { models: /^grok-4(?!\.)|^grok-4[.-](1|20)(?!\d)|^grok-code/, efforts: nothing, refuses: unstoppable },
  { models: /^grok-4\.[45]/, efforts: upToHigh, refuses: unstoppable },
  { models: /^grok-/, efforts: upToXhigh, refuses: unstoppable },
];

/** As of 28 November 2026: https://api-docs.deepseek.com/guides/thinking_mode. It ignores sampling while it thinks. */
const deepseek: readonly ThinkingRow[] = [{ models: /^deepseek/, efforts: lowHighMax, toggle: true }];

/** As of 28 November 2026: https://docs.mistral.ai/capabilities/reasoning/adjustable and …/native */
const mistral: readonly ThinkingRow[] = [
  { models: /^(codestral|ministral|voxtral|mistral-code|mistral-large-(latest|2)|pixtral|open-)/, efforts: nothing },
  { models: /^mistral-large-4/, efforts: upToHigh },
  { models: /^(zai-)?glm-(5$|5-3|latest)/, efforts: lowHighMax },
  {
    models: /^(mistral-(small|medium)|magistral|(zai-)?glm-5-2|labs-leanstral|mistral-vibe)/,
    efforts: ["none", "high"],
  },
];

/** As of 28 November 2026: https://console.groq.com/docs/reasoning */
const groq: readonly ThinkingRow[] = [
  { models: /gpt-oss/, efforts: upToHigh },
  { models: /qwen-?3/, efforts: ["none", "default"] },
  { models: /^(llama|meta-llama|groq\/compound|moonshotai|allam|gemma)/, efforts: nothing },
];

/**
 * As of 28 November 2026: https://platform.kimi.ai/docs/api/models-overview and …/docs/guide/use-thinking-effort. Kimi
 * models have fixed sampling, and answer 400 to any other.
 */
const fixed = words("temperature top_p n presence_penalty frequency_penalty");
const moonshot: readonly ThinkingRow[] = [
  { models: /^kimi-k2\.[56]/, efforts: nothing, toggle: true, refuses: fixed },
  { models: /^kimi-k2/, efforts: nothing, refuses: fixed },
  { models: /^kimi-/, efforts: lowHighMax, refuses: fixed },
  { models: /^moonshot-v1/, efforts: nothing },
];

/** As of 28 November 2026: https://docs.z.ai/guides/capabilities/thinking-mode. Since GLM-5.3 it cannot be turned off. */
const zhipu: readonly ThinkingRow[] = [
  { models: /^glm-(4\.[5-9]|5(?!\.)|5\.[01])/, efforts: nothing, toggle: true },
  { models: /^glm-5\.2/, efforts: upToMax, toggle: true },
  { models: /^glm-[5-9]/, efforts: lowHighMax },
  { models: /^glm-/, efforts: nothing },
];

const byPreset: Readonly<Partial<Record<ProviderPreset, readonly ThinkingRow[]>>> = {
  openai,
  "azure-openai": openai,
  xai,
  deepseek,
  mistral,
  groq,
};

/** Vendors without a preset, or under an address that an operator wrote down. */
const byHost: readonly (readonly [RegExp, readonly ThinkingRow[]])[] = [
  [/^https:\/\/api\.moonshot\.(ai|cn)\//, moonshot],
  [/^https:\/\/(api\.z\.ai|open\.bigmodel\.cn)\//, zhipu],
  [/^https:\/\/api\.openai\.com\//, openai],
  [/^https:\/\/api\.x\.ai\//, xai],
  [/^https:\/\/api\.deepseek\.com\//, deepseek],
  [/^https:\/\/api\.mistral\.ai\//, mistral],
];

/** How a vendor's models think; the first row that fits counts, and a model without a row takes what it is sent. */
export function thinkingRows(preset: ProviderPreset, baseUrl: string): readonly ThinkingRow[] {
  return byPreset[preset] ?? byHost.find(([host]) => host.test(`${baseUrl}/`))?.[1] ?? [];
}

interface Asked {
  readonly wanted: Reasoning | null;
  /** the longest answer in tokens: a budget is a share of it */
  readonly ceiling: number;
  /** what the operator's record of the model lists is sent, even if the table says that the model never takes it */
  readonly supported: readonly string[] | null;
}

/** Members of a chat request as a model takes them: with its own words for how much it thinks, without what it refuses. */
export function asModelTakes(members: JsonObject, row: ThinkingRow | undefined, asked: Asked): JsonObject {
  const isListed = (name: string) => asked.supported?.includes(name) ?? false;
  const { efforts = null, toggle = false, refuses = [], refusesIf } = row ?? {};
  const isUnknown = efforts === null || (efforts.length === 0 && !toggle && isListed("reasoning_effort"));
  const taken: JsonObject = { ...members, ...(isUnknown ? plainEffort(asked) : thoughtOf(row, asked, members)) };
  const effort = taken["reasoning_effort"] ?? undefined;
  if (effort === undefined) delete taken["reasoning_effort"];
  const isThinking = refusesIf === "asked to think" ? (effort ?? "none") !== "none" : effort !== "none";
  const left = refusesIf === undefined ? refuses.filter((name) => !isListed(name)) : isThinking ? refuses : [];
  for (const name of left) delete taken[name];
  return taken;
}

const plainEffort = ({ wanted, ceiling }: Asked): JsonObject =>
  wanted === null ? {} : { reasoning_effort: effortOf(wanted, ceiling) };

function thoughtOf(row: ThinkingRow | undefined, { wanted, ceiling }: Asked, members: JsonObject): JsonObject {
  const { efforts = [], toggle = false, tools } = row ?? {};
  if (wanted === null) {
    const hasFunctions = objectsOf(members["tools"]).some(({ type }) => type === "function");
    return tools === "none" && hasFunctions ? { reasoning_effort: "none" } : {};
  }
  const effort = effortOf(wanted, ceiling);
  const thinking = (type: string) => (toggle && !isObject(members["thinking"]) ? { thinking: { type } } : {});
  if (toggle && effort === "none") return { reasoning_effort: undefined, ...thinking("disabled") };
  return { reasoning_effort: nearestEffort(efforts, effort), ...thinking("enabled") };
}
