import type { ModelType } from "#contract/model-type.ts";
import { ModelId, type ProviderKind, type ProviderModel } from "#contract/providers.ts";
import { perToken, readPrice } from "../../token-price.ts";

/** A model chosen from a vendor's list, as it is going to be added. */
export interface Pick {
  upstream_id: string;
  id: string;
  type: ModelType;
  /** USD for a million input tokens, as typed; empty: unpriced */
  price: string;
}

/** What names of embedding models have in common, among the vendors that the gateway knows. A guess, shown as a choice. */
const embeddingName = /embed|(^|[/_-])(bge|e5|gte|minilm|mpnet|nomic|voyage|jina-(clip|colbert))([/_.:-]|\d|$)/i;

/** The same of rerank models: bge-reranker-v2-m3, rerank-2.5, jina-reranker-m0. */
const rerankName = /rerank/i;

/** And of models that speak: tts-1, gpt-4o-mini-tts, kokoro, eleven_multilingual_v2, playai-tts. */
const speechName = /(^|[/_-])(tts|kokoro|eleven_|orpheus)|-tts([-.:]|$)/i;

/** And of models that write down what they hear: whisper-1, gpt-4o-transcribe, voxtral-mini-transcribe, scribe_v1. */
const transcriptionName = /whisper|transcribe|(^|[/_-])scribe_/i;

/** And of models that make images: gpt-image-1, dall-e-3, FLUX.1-schnell, imagen-4.0, grok-imagine-image, gemini-2.5-flash-image. */
const imageName =
  /(^|[/_-])(gpt-image|dall-e|flux|imagen|stable-diffusion|sdxl|seedream|qwen-image)|[-.]image([-.]|$)/i;

/** And of models that make videos: sora-2, veo-3.1-generate-preview, grok-imagine-video, kling-v2.1, hailuo-02. */
const videoName = /(^|[/_-])(sora|veo|kling|hailuo|seedance)[-.]|[-.](text|image)?-?(to-)?video([-.]|$)/i;

function proposeType(upstream: string, kind: ProviderKind): ModelType {
  if (kind === "anthropic") return "chat";
  if (rerankName.test(upstream)) return kind === "gemini" ? "chat" : "rerank";
  if (kind === "openai-compatible" && speechName.test(upstream)) return "speech";
  if (kind === "openai-compatible" && transcriptionName.test(upstream)) return "transcription";
  if (kind !== "cohere" && videoName.test(upstream)) return "video";
  if (kind !== "cohere" && imageName.test(upstream)) return "image";
  return embeddingName.test(upstream) ? "embedding" : "chat";
}

/** The proposal for a name of the vendor's: `author/slug`, and its likely type. */
export function proposePick(
  upstream: string,
  provider: { slug: string; kind: ProviderKind; baseUrl?: string | null },
): Pick {
  return {
    upstream_id: upstream,
    id: proposeId(upstream, provider.slug),
    type: proposeType(upstream, provider.kind),
    price: isOwnMachine(provider.baseUrl ?? "") ? "0" : "",
  };
}

/** A server on one's own machine or in one's own network charges nothing for a call. */
function isOwnMachine(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? "";
  return (
    /^(localhost$|127\.[\d.]+$|10\.[\d.]+$|192\.168\.[\d.]+$|172\.(1[6-9]|2\d|3[01])\.[\d.]+$|\[::1\]$|\[f[cd])/.test(
      host,
    ) || /\.(local|localhost|internal|lan)$/.test(host)
  );
}

/** Names with a slash keep their own author; `models/` and deeper paths, as some vendors have them, are no authors. */
function proposeId(upstream: string, slug: string): string {
  const parts = upstream.replace(/^models\//, "").split("/");
  const name = (part: string) => part.replace(/[^\w.:-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const last = name(parts.at(-1) ?? "") || "model";
  const author = parts.length === 2 ? name(parts[0] ?? "").replaceAll(":", "-") : "";
  return `${author || slug}/${last}`;
}

/** What is wrong with a pick, in words, or null. */
export function pickProblem(pick: Pick, listed: ReadonlySet<string>, picks: readonly Pick[]): string | null {
  if (!ModelId.safeParse(pick.id).success) return "The id must be author/slug, such as acme/embed-small";
  if (listed.has(pick.id)) return "The id is listed already";
  if (picks.some((other) => other !== pick && other.id === pick.id)) return "Two of them have this id";
  const read = pick.price.trim() === "" ? null : readPrice(pick.price, 12);
  return read && "problem" in read ? read.problem : null;
}

export function pickedModel({ id, upstream_id, type, price }: Pick): ProviderModel {
  const read = price.trim() === "" ? null : readPrice(price, 12);
  const pricing = read && "price" in read ? { prompt: perToken(read.price) } : null;
  return { id, upstream_id, type, pricing };
}
