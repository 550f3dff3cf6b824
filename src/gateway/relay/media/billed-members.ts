import { invalid } from "../../domain/refusal.ts";
import { isObject } from "../../providers/answer.ts";
import { isTooDeep } from "../../read-json.ts";
import { asksForSearch, asksForTier } from "../chat/settings.ts";

/** What vendors bill by, of one operation's members that are passed on. Names count in any spelling, at any depth. */
export interface BilledMembers {
  /** the request's own members, and vendors' names for each: refused, since the call is reserved by the own one */
  readonly own: Readonly<Record<string, string>>;
  /** why a member is not supported, and vendors' names for it */
  readonly unserved: Readonly<Record<string, string>>;
  /** what some vendors bill on top of the model's price: refused with 402 where a limit counts the call */
  readonly unpriced: string;
}

const everywhere = "models fallbacks preset plugins extra_body provider_options tools tool_config";
const steps = `
  steps num_steps n_steps step_count number_of_steps inference_steps num_inference_steps sampling_steps sample_steps
  sampler_steps diffusion_steps ddim_steps prior_num_inference_steps refine_steps refiner_steps`;
const enhancing = `
  enhance enhancement enhance_prompt prompt_enhancement prompt_enhancer prompt_enhance prompt_upsampling prompt_extend
  expand_prompt prompt_optimizer magic_prompt magic_prompt_option upscale upscaling upscaler super_resolution
  enable_hr hr_scale remove_background background_removal face_restore loras lora lora_weights image_loras
  controlnet controlnets control_image control_images ip_adapter ip_adapters thinking thinking_level acceleration`;
const several = `
  samples num_samples n_samples batch_size batch_count batch n_iter quantity count num_outputs n_outputs output_count
  num_generations num_results number_results num_variations variations sample_count candidate_count num_candidates`;
const sources = "url urls file_url file_urls file_id audio_url audio_urls source_url cloud_storage_url media_url";

/**
 * The one table of members that vendors bill by, which docs/billed-members.md shows. Collected in November 2026
 * from what is known of the APIs of Together, DeepInfra, Fireworks, fal, Replicate, Stability, Runware, Black Forest Labs, Ideogram, Recraft,
 * BytePlus, Alibaba, Google, OpenAI, xAI, MiniMax, Kling, Runway, Luma, ElevenLabs, Deepgram, AssemblyAI, Groq, Mistral,
 * Hume, Cohere, Jina and Voyage.
 */
export const billedMembers = {
  images: {
    own: {
      n: `${several} n num_images n_images number_of_images image_count images_count num_images_per_prompt max_images`,
      size: `
        size width height image_size image_width image_height image_resolution output_size output_resolution
        sample_image_size target_size target_resolution dimensions megapixels output_megapixels upscale_factor
        scale_factor`,
      resolution: "resolution",
      aspect_ratio: "aspect_ratio ratio",
      quality: "image_quality output_quality_tier",
      input_references: `
        input_references image images image_url image_urls input_image input_images reference_image reference_images
        init_image init_images seed_image source_image image_prompt image_prompts`,
      prompt: "prompt prompts text_prompt text_prompts",
      stream: "stream",
    },
    unserved: {},
    unpriced: `${everywhere} ${steps} ${enhancing} cached_content rendering_speed speed mode hd`,
  },
  videos: {
    own: {
      duration: `
        duration seconds n_seconds num_seconds video_length length duration_seconds duration_ms video_duration
        video_seconds num_frames n_frames frame_count total_frames`,
      size: "size width height video_size video_width video_height output_size dimensions",
      resolution: "resolution video_resolution output_resolution target_resolution",
      aspect_ratio: "aspect_ratio ratio",
      frame_images: `
        frame_images image image_url input_image input_reference last_frame first_frame first_frame_image
        last_frame_image first_frame_url last_frame_url start_image end_image image_tail keyframes prompt_image
        tail_image_url start_image_url end_image_url`,
      input_references: "input_references images image_urls reference_images reference_image_urls subject_reference",
      prompt: "prompt prompts text_prompt text_prompts",
    },
    unserved: {
      "a job makes one video": `${several} n n_variants num_videos n_videos number_of_videos video_count`,
      "videos are made from text and images": "video videos video_url video_urls input_video source_video audio_url",
      "the gateway itself notifies the callback_url": "webhook webhook_url webhooks callback",
      "each job starts from scratch": "previous_job_id extend extend_from remix_id remix_video_id parent_id",
      "the cost of upscaling is unknown": "upscale_factor creativity",
    },
    unpriced: `
      ${everywhere} ${steps} ${enhancing} quality mode speed motion_mode fps frames_per_second frame_rate interpolation
      frame_interpolation interpolate camera_control effects effect template_id template lip_sync voice voices
      voice_list multi_shot multi_shots loop cached_content audio with_audio enable_audio add_audio sound with_sound
      audio_enabled sound_effects`,
  },
  speech: {
    own: { input: "input text texts inputs script ssml segments dialogue messages" },
    unserved: { "a call has one recording": `${several} n` },
    unpriced: `${everywhere} enhance enhancement quality hd voice_cloning clone_voice cached_content`,
  },
  transcriptions: {
    own: { file: `file files audio audios input_audio ${sources}`, prompt: "initial_prompt" },
    unserved: { "an answer comes whole": "webhook webhook_id webhook_url callback callback_url async" },
    unpriced: `
      ${everywhere} multichannel multi_channel use_multi_channel channels num_channels channel_count dual_channel
      diarize diarization diarization_config diarisation enable_diarization speaker_labels enable_speaker_diarization
      summarize summarization summary auto_chapters chapters sentiment sentiment_analysis topics topic_detection
      iab_categories intents intent detect_entities entity_detection entity_redaction redact redact_pii
      content_safety keyterms keyterm keyterms_prompt word_boost custom_vocabulary translate translation
      target_language translation_config enhance enhanced paralinguistics tag_audio_events_model custom_prompt`,
  },
  embeddings: { own: {}, unserved: {}, unpriced: "models fallbacks extra_body provider_options" },
  rerank: { own: {}, unserved: {}, unpriced: "models fallbacks extra_body provider_options" },
} as const satisfies Record<string, BilledMembers>;

export type BilledOperation = keyof typeof billedMembers;

type Members = Readonly<Record<string, unknown>>;

const spelled = (name: string) => name.toLowerCase().replaceAll(/[-_\s]/g, "");
/** A form has no objects: `config[n]` and `config.n` are a member of one. */
const segments = (name: string) => name.split(/[.[\]/]+/).filter((each) => each !== "");
const names = (words: string) => words.trim().split(/\s+/);
const byName = (rows: Readonly<Record<string, string>>) =>
  new Map(Object.entries(rows).flatMap(([row, words]) => names(words).map((name) => [spelled(name), row] as const)));

const tables = Object.fromEntries(
  Object.entries(billedMembers).map(([operation, { own, unserved, unpriced }]) => [
    operation,
    { own: byName(own), unserved: byName(unserved), unpriced: new Set(names(unpriced).map(spelled)) },
  ]),
) as unknown as Record<BilledOperation, Table>;

interface Table {
  readonly own: ReadonlyMap<string, string>;
  readonly unserved: ReadonlyMap<string, string>;
  readonly unpriced: ReadonlySet<string>;
}

/**
 * Refuses members that would ask for more than is reserved.
 * @param extra the caller's own members, without those of the request
 * @param options the same for one provider alone, by its slug
 * @throws Refusal invalid_request, naming the member and what to send instead
 */
export function refuseBilled(
  operation: BilledOperation,
  extra: Members,
  options: Readonly<Record<string, Members>> | null | undefined = null,
): void {
  refuseIn(operation, withJsonRead(operation, extra), []);
  const { own } = billedMembers[operation];
  for (const [slug, members] of Object.entries(options ?? {})) {
    const path = ["provider", "options", slug];
    const replaced = ["model", ...Object.keys(own)].find((name) => name in members);
    if (replaced !== undefined) throw invalid([...path, replaced].join("."), "must be sent as a member of the request");
    refuseIn(operation, withJsonRead(operation, members, path), path);
  }
}

function refuseIn(operation: BilledOperation, value: unknown, path: readonly string[]): void {
  const { own, unserved } = tables[operation];
  for (const [name, each] of entriesOf(value)) {
    const at = [...path, name];
    const isName = !Array.isArray(value) && each !== null && each !== undefined;
    const member = isName ? found(own, name) : undefined;
    if (member !== undefined) throw invalid(at.join("."), `must be sent as ${member}, by which the call is reserved`);
    const reason = isName ? found(unserved, name) : undefined;
    if (reason !== undefined) throw invalid(at.join("."), `is not supported: ${reason}`);
    refuseIn(operation, each, at);
  }
}

const found = (table: ReadonlyMap<string, string>, name: string) =>
  segments(name)
    .map((each) => table.get(spelled(each)))
    .find((each) => each !== undefined);

/** The member that a vendor may bill at a price unknown here; null: there is none. */
export function unpricedMember(operation: BilledOperation, extra: Members): string | null {
  return unpricedIn(operation, withJsonRead(operation, extra), []);
}

function unpricedIn(operation: BilledOperation, extra: unknown, path: readonly string[]): string | null {
  for (const [name, each] of entriesOf(extra)) {
    const at = [...path, name];
    const isName = !Array.isArray(extra);
    if (isName && isAsked(each) && isUnpriced(operation, name, each)) return at.join(".");
    const within = unpricedIn(operation, each, at);
    if (within !== null) return within;
  }
  return null;
}

const isUnpriced = (operation: BilledOperation, path: string, value: unknown) =>
  segments(path).some(
    (name) => tables[operation].unpriced.has(spelled(name)) || asksForSearch(name, value) || asksForTier(name, value),
  );

/** Characters of JSON in the fields of a form. */
const mostJson = 100_000;

/**
 * The members with what the texts of a form say in JSON, as some vendors take their settings there.
 * @throws Refusal invalid_request
 */
function withJsonRead(operation: BilledOperation, members: Members, path: readonly string[] = []): Members {
  if (operation !== "transcriptions") return members;
  let room = mostJson;
  const read = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => read(name, each));
    if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
    room -= value.length;
    const at = [...path, name].join(".");
    if (room < 0) throw invalid(at, `must have at most ${mostJson} characters of JSON, with all other members`);
    let json: unknown;
    try {
      json = JSON.parse(value);
    } catch {
      return value;
    }
    if (isTooDeep(json)) throw invalid(at, "is nested too deep");
    return json;
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, read(name, value)]));
}

const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) || Array.isArray(value) ? Object.entries(value) : [];

/** A form has texts alone. One of what is counted is what the price is for. */
function isAsked(value: unknown): boolean {
  if (typeof value === "string") return !/^(|0|1|false|none|off|no|null|default|standard|auto)$/i.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== 1;
}
