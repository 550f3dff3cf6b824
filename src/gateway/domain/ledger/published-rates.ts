/** A share of a model's price, in hundredths of it: 200 is twice the price. */
export interface Rate {
  readonly prompt: number;
  readonly completion: number;
}

/** What a vendor charges for a call whose prompt is longer, for the whole of it. */
export interface LongPromptRate extends Rate {
  /** tokens; a longer prompt is charged at this rate */
  readonly above: number;
}

/**
 * What vendors publish beyond one price a model: how dear it becomes with a long prompt, or in another tier. A price
 * that an operator gives is the base price, as prices have no form for more yet.
 */
export interface PublishedRates {
  /** the longest prompt last */
  readonly longPrompts: readonly LongPromptRate[];
  /** hundredths of the price in the vendor's fast tier */
  readonly fastTier: number;
  /** what the vendor may charge by a setting of the operator's account with it, unless a request says otherwise; null: nothing */
  readonly unasked: Unasked | null;
  /** hundredths of the price that sound costs */
  readonly sound: Rate;
  /** what it does that has no bound and no price; null: nothing */
  readonly unbounded: string | null;
  /** USD for each request, the dearest that the vendor has; null: none */
  readonly request: string | null;
}

interface Unasked {
  /** the member of a request that overrides the setting */
  readonly member: "service_tier" | "inference_geo";
  /** hundredths of the price */
  readonly rate: number;
}

const byProject = (rate: number) => ({ fastTier: rate, unasked: { member: "service_tier", rate } }) as const;
const byWorkspace = { fastTier: 600, unasked: { member: "inference_geo", rate: 110 } } as const;

const heard = (prompt: number): Rate => ({ prompt, completion: 100 });

interface Row extends Partial<Omit<PublishedRates, "longPrompts">> {
  /** of the vendor's name of the model, without its author */
  readonly models: RegExp;
  readonly longPrompts?: readonly (readonly [above: number, prompt: number, completion: number])[];
}

/** The dearest tier that any vendor of this table has: OpenAI's priority for gpt-5.5. */
const dearestTier = 250;

/**
 * Of several rows that fit, the first one counts. Read on 2026-11-28; the same models cost the same elsewhere, as on
 * Azure, Bedrock, Vertex AI and OpenRouter.
 */
const rows: readonly Row[] = [
  // https://ai.google.dev/gemini-api/docs/pricing and /priority-inference: 75 to 100 % more
  { models: /^gemini-1\.5|^gemini-(flash|pro)-1\.5/, longPrompts: [[128_000, 200, 200]] },
  // `gemini-pro-latest` names the newest one.
  { models: /^gemini-((\d\.)?\d+-)?pro(?!.*(-image|-tts))/, longPrompts: [[200_000, 200, 150]], fastTier: 200 },
  { models: /^gemini-2\.0-flash/, fastTier: 200, sound: heard(700) },
  { models: /^gemini-2\.5-flash-lite/, fastTier: 200, sound: heard(300) },
  { models: /^gemini-2\.5-flash/, fastTier: 200, sound: heard(334) },
  { models: /^gemini-\d(\.\d)?-flash/, fastTier: 200, sound: heard(200) },
  { models: /^gemini-flash/, fastTier: 200, sound: heard(334) },
  { models: /^gemini-/, fastTier: 200 },
  // https://platform.claude.com/docs/en/about-claude/pricing: since Claude 4.6 a long prompt costs no more, and
  // inference in the US alone, which a workspace may have as its default, a tenth more
  { models: /^claude-(sonnet-4(?![.-]\d(?!\d))|sonnet-4[.-]5|4([.-]5)?-sonnet)/, longPrompts: [[200_000, 200, 150]] },
  { models: /^claude-haiku-5[.-]5/, longPrompts: [[100_000, 500, 500]], ...byWorkspace },
  { models: /^claude-(opus|sonnet)-4[.-][6-9]|^claude-\w+-[5-9]/, ...byWorkspace },
  // https://developers.openai.com/api/docs/pricing and https://openai.com/api-priority-processing: the tier of a
  // request without one is the project's
  { models: /^gpt-5[.-]5/, longPrompts: [[271_999, 200, 150]], ...byProject(250) },
  { models: /^gpt-5[.-]4-(mini|nano)/, ...byProject(200) },
  { models: /^gpt-(5[.-][4-9]|6)/, longPrompts: [[271_999, 200, 150]], ...byProject(200) },
  { models: /^gpt-5-mini/, ...byProject(180) },
  { models: /^gpt-5|^gpt-4\.1-nano/, ...byProject(200) },
  { models: /^gpt-4\.1|^o3(?!-(mini|pro|deep))/, ...byProject(175) },
  { models: /^gpt-audio-mini/, sound: { prompt: 1_667, completion: 834 } },
  { models: /^gpt-4o-mini-audio/, sound: { prompt: 6_667, completion: 3_334 } },
  { models: /^gpt-audio|^gpt-4o-audio/, sound: { prompt: 1_600, completion: 800 } },
  { models: /^gpt-4o(?!.*(-audio|-realtime|-search|-tts|-transcribe))/, ...byProject(170) },
  { models: /^o4-mini/, ...byProject(182) },
  // https://docs.x.ai/developers/pricing and /advanced-api-usage/priority-processing
  { models: /^grok-4(-0709|-latest|$)|^grok-4([.-]1)?-fast/, longPrompts: [[128_000, 200, 200]], fastTier: 200 },
  { models: /^grok-(4\.|[5-9]|build|latest)/, longPrompts: [[199_999, 200, 200]], fastTier: 200 },
  { models: /^grok-/, fastTier: 200 },
  // https://platform.minimax.io/docs/guides/pricing
  { models: /^minimax-m3/, longPrompts: [[512_000, 200, 200]] },
  // https://www.alibabacloud.com/help/en/model-studio/models: of the international region
  {
    models: /^qwen3-max/,
    longPrompts: [
      [32_000, 200, 200],
      [128_000, 250, 250],
    ],
  },
  {
    models: /^qwen3-coder-plus/,
    longPrompts: [
      [32_000, 180, 180],
      [128_000, 300, 300],
      [256_000, 600, 1_200],
    ],
  },
  {
    models: /^qwen3-coder-flash/,
    longPrompts: [
      [32_000, 167, 167],
      [128_000, 267, 267],
      [256_000, 534, 640],
    ],
  },
  {
    models: /^qwen3-vl-plus/,
    longPrompts: [
      [32_000, 150, 150],
      [128_000, 300, 300],
    ],
  },
  {
    // Of the region of China, where a longer prompt costs more of the price.
    models: /^qwen3-vl-flash/,
    longPrompts: [
      [32_000, 200, 200],
      [128_000, 400, 400],
    ],
  },
  { models: /^qwen(3\.\d)?-plus/, longPrompts: [[256_000, 300, 300]] },
  { models: /^qwen(3\.\d)?-flash/, longPrompts: [[256_000, 500, 500]] },
  // https://docs.perplexity.ai/getting-started/pricing: by the size of the search's context, of which this is the largest
  { models: /^sonar(-pro|-reasoning-pro)/, request: "0.014" },
  { models: /^sonar-deep-research/, unbounded: "the searching of deep research" },
  { models: /^sonar/, request: "0.012" },
];

interface Named {
  readonly upstreamId: string;
  readonly id: string;
}

const plain: PublishedRates = {
  longPrompts: [],
  fastTier: dearestTier,
  unasked: null,
  sound: heard(100),
  unbounded: null,
  request: null,
};

/**
 * By the vendor's name of a model (`gpt-5.4`, `google/gemini-2.5-pro`, `us.anthropic.claude-opus-4-7`), or by the id here
 * where that says nothing, as a deployment's name does not.
 */
export function publishedRatesOf({ upstreamId, id }: Named): PublishedRates {
  const row = rowOf(upstreamId) ?? rowOf(id);
  if (row === undefined) return plain;
  const { models: _, longPrompts = [], ...rest } = row;
  return {
    ...plain,
    ...rest,
    longPrompts: longPrompts.map(([above, prompt, completion]) => ({ above, prompt, completion })),
  };
}

function rowOf(model: string): Row | undefined {
  const name = model
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^(?:\w+\.)*(?=claude-|gpt-)/, "");
  return rows.find(({ models }) => models.test(name));
}
