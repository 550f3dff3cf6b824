import type { Readable } from "node:stream";
import type { ImageFormat, ImageResolution } from "#contract/images.ts";
import type { ProviderKind } from "#contract/providers.ts";
import type { SpeechFormat } from "#contract/speech.ts";
import type { VideoResolution } from "#contract/video-size.ts";
import type { FrameType, VideoStatus } from "#contract/videos.ts";

/** Where a provider is and how to speak to it: made from its row, credentials decrypted, once per change. */
export interface Upstream {
  readonly slug: string;
  readonly kind: ProviderKind;
  /** without a trailing slash: `https://api.openai.com/v1`; empty for the built-in provider */
  readonly baseUrl: string;
  /** the vendor's key in plain text; null where the vendor wants none. Never logged, never in a message. */
  readonly apiKey: string | null;
  /** how the vendor's dialect departs from its kind's plain form; see presets.ts */
  readonly options: UpstreamOptions;
  /** how the vendor's models think; see compatible/thinking.ts */
  readonly thinking?: readonly ThinkingRow[];
}

/** What differs among vendors of one kind. Absent members mean the kind's plain form. */
export interface UpstreamOptions {
  /** header for the key and the prefix of its value; default `authorization`, `Bearer ` */
  readonly keyHeader?: { readonly name: string; readonly prefix: string };
  /** added to every request's query: Azure's `api-version` */
  readonly query?: Readonly<Record<string, string>>;
  /** formats that the vendor's embeddings are known to support; default only `float`, which every vendor has */
  readonly encodingFormats?: readonly EncodingFormat[];
  /** the vendor's name for `dimensions`; null: not supported */
  readonly dimensionsMember?: string | null;
  /** the vendor's name for `input_type` and its values; null: not supported */
  readonly inputType?: { readonly member: string; readonly words?: Readonly<Record<string, string>> } | null;
  /** the vendor's name for `encoding_format`; null: never sent */
  readonly encodingMember?: string | null;
  /** `float` is the vendor's default, but not a value that it accepts */
  readonly floatUnnamed?: boolean;
  /**
   * how text-and-image blocks travel: as the public API has them, as Jina's `{text}` and `{image}` objects, or to
   * Voyage's multimodal operation; null: not at all
   */
  readonly blocks?: "content" | "jina" | "voyage" | null;
  /** the member that forbids (false) or allows (true) the vendor to cut what is too long */
  readonly truncationMember?: string;
  /** members that this vendor refuses, and that are not sent */
  readonly omit?: readonly string[];
  /** the vendor has this very API: it knows its own members, and `reasoning` in the same form */
  readonly publicApi?: boolean;
  /** the members of a chat request that the vendor knows, in its own names, where it refuses all others */
  readonly chatMembers?: readonly string[];
  /** the vendor takes ids of calls in this form alone */
  readonly callIds?: RegExp;
  /** public member → the vendor's name for it, in chat requests */
  readonly rename?: Readonly<Record<string, string>>;
  /** the path contains the model: Azure's dated API, `/openai/deployments/{model}/…` */
  readonly deploymentPaths?: boolean;
  /** the vendor's name for the maximum answer tokens; default `max_tokens` */
  readonly maxTokensMember?: "max_tokens" | "max_completion_tokens";
  /** whether the vendor supports `stream_options.include_usage`; default true */
  readonly streamUsage?: boolean;
  /** where the vendor has Anthropic's messages as well, instead of the end of its base URL that `in` matches */
  readonly messages?: { readonly in: RegExp; readonly path: string };
  /**
   * the vendor has OpenAI's responses as well. `encrypts`: models whose thoughts it gives in encrypted form if it is
   * asked to; it refuses to for models that do not think
   */
  readonly responses?: { readonly keeps: KeptThings; readonly encrypts?: RegExp };
  /** the vendor keeps files that requests name by their ids */
  readonly files?: true;
  /** null: the vendor has no rerank models */
  readonly rerank?: RerankForm | null;
  /** null: the vendor has no speech; absent: OpenAI's form */
  readonly speech?: SpeechForm | null;
  /** null: the vendor has no speech to text; absent: OpenAI's form */
  readonly transcription?: TranscriptionVariant | null;
  /** null: the vendor makes no images; absent: OpenAI's form */
  readonly images?: ImagesVariant | null;
  /** null: the vendor makes no videos, or in a dialect that is not spoken here; absent: OpenAI's form */
  readonly videos?: { readonly dialect?: "xai" } | null;
}

/** How a vendor's models think, and what they refuse for it. */
export interface ThinkingRow {
  /** the vendor's ids */
  readonly models: RegExp;
  /** values of `reasoning_effort`, from the least; empty: none is sent */
  readonly efforts: readonly string[];
  /** thinking is turned on and off with `thinking: { type }`, not with an effort */
  readonly toggle?: true;
  /** members that it answers with 400: the public API ignores what a model does not take */
  readonly refuses?: readonly string[];
  /** when it refuses them: with an effort other than `none`, or without the effort `none`; absent: always */
  readonly refusesIf?: "asked to think" | "thinking";
  /** it refuses functions while it thinks: with them, the effort is `none` unless the caller wants one */
  readonly tools?: "none";
}

/** How a vendor's images depart from OpenAI's; absent members mean OpenAI's form. */
export interface ImagesVariant {
  readonly dialect?: "together" | "xai";
  /** it answers with images alone, never with addresses, and refuses to be asked for them */
  readonly base64Only?: boolean;
  readonly streams?: boolean;
}

/** How a vendor's speech to text departs from OpenAI's; absent members mean OpenAI's form. */
export interface TranscriptionVariant {
  readonly dialect?: "mistral" | "elevenlabs";
  /** whether it has `verbose_json`; default: where it has OpenAI's dialect */
  readonly verbose?: boolean;
  /** it reports what it bills in `verbose_json` alone */
  readonly usageInVerbose?: boolean;
}

/** How a vendor's speech operation departs from OpenAI's; absent members mean OpenAI's form. */
export interface SpeechForm {
  readonly dialect?: "mistral" | "elevenlabs";
  /** what the vendor can answer with; absent: all formats */
  readonly formats?: readonly SpeechFormat[];
}

/** How a vendor's rerank operation departs from Jina's; absent members mean Jina's form. */
export interface RerankForm {
  readonly path?: string;
  /** the operation is beside `/v1`, not below it */
  readonly atRoot?: boolean;
  /** the vendor's name for `top_n`; null: not supported, so all scores are requested */
  readonly topMember?: string | null;
  /** the vendor's name for `documents` */
  readonly documentsMember?: string;
  /** members of every request; default: `return_documents: false`, since the gateway has the documents */
  readonly always?: Readonly<Record<string, unknown>>;
  /** false: the server has one model, and takes no name of it */
  readonly named?: boolean;
  /** documents may be images */
  readonly images?: boolean;
}

export type EncodingFormat = "float" | "base64";

/** One complete request to a vendor: everything that goes over the wire except what HTTP itself adds. */
export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** lowercase names */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A request as it is sent: its body may be assembled from pieces. */
export type SentRequest = Omit<UpstreamRequest, "body"> & { readonly body: string | Buffer | Readable | null };

/** The parts of one vector's input. */
export type EmbeddingItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tokens"; readonly tokens: readonly number[] }
  | { readonly type: "block"; readonly parts: readonly EmbeddingPart[] };

export type EmbeddingPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/** One upstream call for vectors: at most `max_batch` items. */
export interface EmbeddingsCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly items: readonly EmbeddingItem[];
  readonly dimensions?: number;
  /** as the caller sent it: `query`, `document`, `search_query` … */
  readonly inputType?: string;
  readonly user?: string;
  /** inputs that are too long may be cut; otherwise a vendor that cuts by default is asked not to */
  readonly truncate?: boolean;
  /** the caller's other members, passed on to vendors of the OpenAI dialect */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A vector as the vendor sent it: numbers, or base64 of little-endian float32. */
export type RawVector = readonly number[] | string;

export interface EmbeddingsAnswer {
  /** in the order of the call's items */
  readonly vectors: readonly RawVector[];
  /** null: the vendor reported nothing usable (absent, negative, not a whole number) */
  readonly usage: Usage | null;
  /** the vendor's own name of the model that answered; null: its answers do not say */
  readonly model: string | null;
}

/** The members of a call that change the vectors of its inputs, apart from their length. */
export type PreprocessingCall = Pick<EmbeddingsCall, "model" | "inputType" | "truncate" | "extra">;

/** Tokens as the vendor counted them; whole numbers, 0 or more. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  /** of the prompt's tokens, those that the vendor wrote to its cache */
  readonly cacheWriteTokens?: number;
  /** of those, the ones that it keeps for an hour; absent: the vendor does not say */
  readonly hourCacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** of the completion's tokens, those of images */
  readonly imageOutputTokens?: number;
  readonly imageTokens?: number;
  /** of the prompt's tokens, and of the completion's, those of sound */
  readonly audioTokens?: number;
  readonly audioOutputTokens?: number;
  /** the tiers, speeds and regions that the vendor says it applied, in its own words; absent: it says nothing of them */
  readonly tiers?: readonly string[];
  /** what it bills for searches that it made, by its published fee for each; absent: none, or it does not say */
  readonly searchNanoUsd?: number;
  /** the vendor's own bill for the call; absent: it does not say */
  readonly billedNanoUsd?: number;
  /** what the vendor says that its own provider asked for the call, which nothing is charged by; absent: it does not say */
  readonly upstreamNanoUsd?: number;
}

/** What a vendor kind supports. Candidates that lack something are excluded in routing, with this as the reason. */
export interface EmbeddingsCapabilities {
  readonly tokens: boolean;
  readonly images: boolean;
  /** images may be given as http addresses, which the vendor fetches; otherwise only inline, as `data:` */
  readonly imageUrls: boolean;
  /** the answer's bytes are the public API's own form, so they may be passed through untouched */
  readonly passThrough: boolean;
}

/** A vendor's answer: its text, or what was parsed of it in turns, and whether its key was in it. */
export type AnswerBody = string | { readonly parsed: unknown; readonly isRedacted?: boolean };

export interface EmbeddingsDialect {
  readonly capabilities: EmbeddingsCapabilities;
  /** whether this upstream supports a public member: `dimensions`, `input_type`, `user` … */
  takes(upstream: Upstream, parameter: string): boolean;
  /** the format to request for what the caller wants; never one that the upstream refuses */
  format(upstream: Upstream, wanted: EncodingFormat): EncodingFormat;
  /** @throws CallFailed for what the dialect cannot express */
  toRequest(upstream: Upstream, call: EmbeddingsCall, format: EncodingFormat): UpstreamRequest;
  /**
   * What of a request changes the vectors of its inputs, apart from model and length, as the vendor is sent it. Calls
   * that differ in it have vectors of different spaces.
   */
  preprocessing(upstream: Upstream, call: PreprocessingCall): Readonly<Record<string, unknown>>;
  /**
   * @param body the answer's JSON, status 200
   * @throws BadAnswer when it is not JSON, or does not hold exactly `count` vectors
   */
  readAnswer(body: AnswerBody, count: number): EmbeddingsAnswer;
  /**
   * The vendor's usage, from an answer that may lack everything else. @throws BadAnswer when it is not a JSON object
   */
  readUsage(body: AnswerBody): Usage | null;
}

/** A text, an image (an address or a data URL), or both; never neither. */
export interface RerankDocument {
  readonly text: string | null;
  readonly image: string | null;
}

export interface RerankCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly query: string;
  readonly documents: readonly RerankDocument[];
  /** null: all of them */
  readonly topN: number | null;
  readonly user: string | null;
  /** the caller's other members */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** As the vendor counted it; null: it does not report that unit. */
export interface RerankUsage {
  readonly totalTokens: number | null;
  /** Cohere's: a query with up to 100 documents of up to 500 tokens */
  readonly searchUnits: number | null;
}

export interface RerankAnswer {
  /** in the vendor's order; each index at most once */
  readonly results: readonly { readonly index: number; readonly score: number }[];
  readonly usage: RerankUsage | null;
}

export interface RerankDialect {
  /** whether this upstream has rerank models at all */
  takes(upstream: Upstream): boolean;
  takesImages(upstream: Upstream): boolean;
  /** @throws CallFailed for what the dialect cannot express */
  toRequest(upstream: Upstream, call: RerankCall): UpstreamRequest;
  /** @throws BadAnswer when it is not JSON, or does not hold valid scores of at most `count` documents */
  readAnswer(body: AnswerBody, count: number): RerankAnswer;
  /** The vendor's usage, from an answer that may lack everything else. @throws BadAnswer when it is not JSON */
  readUsage(body: AnswerBody): RerankUsage | null;
}

/** A recording whose voice is imitated: base64 without a data URL's head, its format where the caller says it, and what it says. */
export interface SpeechReference {
  readonly audio: string | null;
  readonly format: string | null;
  readonly text: string | null;
}

export interface SpeechCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly input: string;
  readonly voice: string | null;
  readonly format: SpeechFormat;
  readonly speed: number | null;
  readonly reference: SpeechReference | null;
  readonly user: string | null;
  /** the caller's other members */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Why a call cannot be carried, and the member that is at fault. */
export interface Misfit {
  readonly member: string;
  readonly reason: string;
}

export interface SpeechDialect {
  /** whether this upstream has speech at all */
  takes(upstream: Upstream): boolean;
  /** why it cannot carry a call; null: it can */
  unfit(upstream: Upstream, call: Omit<SpeechCall, "model">): Misfit | null;
  toRequest(upstream: Upstream, call: SpeechCall): UpstreamRequest;
  /** the member of a JSON answer that has the audio as base64; null: the answer is the audio */
  base64Member(upstream: Upstream): string | null;
}

export interface TranscriptionCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly language: string | null;
  /** `verbose_json` is asked for */
  readonly verbose: boolean;
  readonly temperature: number | null;
  readonly granularities: readonly ("word" | "segment")[];
  readonly prompt: string | null;
  /** the caller's other members */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A form, without its files. */
export interface UpstreamForm {
  readonly url: string;
  /** lowercase names; without the form's own */
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** As the vendor counted it; null: it does not report that unit. */
export interface TranscriptionUsage {
  readonly seconds: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface TranscriptionAnswer {
  /** in the public API's form, without `usage` */
  readonly result: Readonly<Record<string, unknown>> & { readonly text: string };
  readonly usage: TranscriptionUsage | null;
}

export interface TranscriptionDialect {
  /** whether this upstream has speech to text at all */
  takes(upstream: Upstream): boolean;
  /** why it cannot carry a call; null: it can */
  unfit(upstream: Upstream, call: Pick<TranscriptionCall, "verbose">): string | null;
  toForm(upstream: Upstream, call: TranscriptionCall): UpstreamForm;
  /** @throws BadAnswer when it is not JSON, or holds no text */
  readAnswer(upstream: Upstream, body: AnswerBody, call: Pick<TranscriptionCall, "verbose">): TranscriptionAnswer;
  /** The vendor's usage, from an answer that may lack everything else. @throws BadAnswer when it is not JSON */
  readUsage(body: AnswerBody): TranscriptionUsage | null;
}

export interface ImagesCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly prompt: string;
  readonly n: number;
  /** pixels; null: not said */
  readonly size: string | null;
  readonly resolution: ImageResolution | null;
  readonly aspectRatio: string | null;
  readonly quality: string | null;
  readonly background: string | null;
  readonly format: ImageFormat | null;
  readonly compression: number | null;
  readonly seed: number | null;
  /** images to work from, each an address or a data URL */
  readonly references: readonly string[];
  readonly stream: boolean;
  readonly user: string | null;
  /** the caller's other members */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A request with files: the images to work from, each under this name. */
export interface ImagesForm extends UpstreamForm {
  readonly fileMember: string;
}

/** Tokens as the vendor counted them. */
export type ImagesUsage = Pick<Usage, "promptTokens" | "completionTokens">;

export interface MadeImage {
  /** null: the vendor gives an address alone */
  readonly base64: string | null;
  readonly url: string | null;
  /** as the vendor says it */
  readonly mediaType: string | null;
  readonly revisedPrompt: string | null;
}

/** What the vendor says of its images; null: it does not. */
interface ImagesReport {
  /** unix seconds */
  readonly created: number | null;
  readonly usage: ImagesUsage | null;
  readonly quality: string | null;
  readonly size: string | null;
}

export interface ImagesAnswer extends ImagesReport {
  /** at least one */
  readonly images: readonly MadeImage[];
}

/** What a stream's event means for the relay. */
export type ImagesEvent =
  | { readonly type: "partial"; readonly index: number; readonly base64: string }
  | { readonly type: "text"; readonly event: Readonly<Record<string, unknown>> }
  | ({ readonly type: "completed"; readonly image: MadeImage } & ImagesReport);

export interface ImagesDialect {
  /** whether this upstream makes images at all */
  takes(upstream: Upstream): boolean;
  /** why it cannot carry a call; null: it can */
  unfit(upstream: Upstream, call: ImagesCall): string | null;
  /** whether it can be asked for a stream */
  streams(upstream: Upstream): boolean;
  /** the public API's members that reach a model */
  parameters(upstream: Upstream, model: string): readonly string[];
  /** whether images to work from must be in the request, not at an address */
  inlines(upstream: Upstream): boolean;
  /** the call as a form with files; null: it is JSON */
  form(upstream: Upstream, call: ImagesCall): ImagesForm | null;
  toRequest(upstream: Upstream, call: ImagesCall): UpstreamRequest;
  /** @throws BadAnswer when it is not JSON, or holds no image */
  readAnswer(body: AnswerBody): ImagesAnswer;
  /** The vendor's usage, from an answer that may lack everything else. @throws BadAnswer when it is not JSON */
  readUsage(body: AnswerBody): ImagesUsage | null;
  /** null: an event that means nothing here. @throws BadAnswer */
  readEvent(event: Readonly<Record<string, unknown>>): ImagesEvent | null;
}

export interface VideoFrame {
  readonly type: FrameType;
  /** an address or a data URL */
  readonly url: string;
}

export interface VideoCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly prompt: string;
  readonly seconds: number;
  /** pixels; null: not said */
  readonly size: string | null;
  readonly resolution: VideoResolution | null;
  readonly aspectRatio: string | null;
  readonly audio: boolean | null;
  readonly seed: number | null;
  readonly frames: readonly VideoFrame[];
  /** images to work from, each an address or a data URL; none where there are frames */
  readonly references: readonly string[];
  readonly user: string | null;
  /** the caller's other members */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What a vendor says of a job. */
export interface VideoState {
  readonly status: VideoStatus;
  /** of a completed job: where its videos are, at least one */
  readonly urls: readonly string[];
  /** seconds of video that were made; null: it does not say */
  readonly seconds: number | null;
  /** pixels; null: it does not say */
  readonly size: string | null;
  readonly error: string | null;
}

/** What is known of a vendor's model; null: not known. */
export interface VideoAbility {
  readonly resolutions: readonly VideoResolution[] | null;
  readonly ratios: readonly string[] | null;
  readonly durations: readonly number[] | null;
  readonly frames: readonly FrameType[] | null;
  readonly audio: boolean | null;
  readonly seed: boolean | null;
}

export interface VideosDialect {
  /** whether this upstream makes videos at all */
  takes(upstream: Upstream): boolean;
  /** why it cannot carry a call; null: it can */
  unfit(upstream: Upstream, call: VideoCall): string | null;
  ability(upstream: Upstream, model: string): VideoAbility;
  /** whether images must be in the request, not at an address */
  inlines(upstream: Upstream): boolean;
  /** the call as a form, which has the images as files; null: it is JSON */
  form(upstream: Upstream, call: VideoCall): ImagesForm | null;
  toRequest(upstream: Upstream, call: VideoCall): UpstreamRequest;
  /** The vendor's name of the job. @throws BadAnswer */
  readJob(upstream: Upstream, body: string): string;
  toPoll(upstream: Upstream, job: string): UpstreamRequest;
  /** @throws BadAnswer */
  readState(upstream: Upstream, job: string, body: string): VideoState;
}

/** A chat request in the public form: every member that the caller sent, the gateway's own (`provider`, `models` …) removed. */
export interface ChatCall {
  /** the vendor's own name of the model */
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
  /** the maximum tokens of one choice: the only maximum that is sent, whatever the body says; null: none is sent */
  readonly maxTokens: number | null;
  /** the model's maximum, for vendors that require one in every request */
  readonly maxOutputTokens: number | null;
  /** the parameters that the operator's record of the model lists, which tables of models do not keep back; null: no list */
  readonly supported?: readonly string[] | null;
}

/** A chat result or chunk in the public form (`choices`, `usage` …); the relay sets `id` and `model`. */
export type ChatObject = Record<string, unknown> & { choices: Record<string, unknown>[] };

export interface ChatAnswer {
  readonly result: ChatObject;
  readonly usage: Usage | null;
}

/** What a stream event means for the relay. */
export type ChatEvent =
  | { readonly type: "chunk"; readonly chunk: ChatObject }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "error"; readonly failure: UpstreamFailure }
  | { readonly type: "done" };

/** One server-sent event as it came: `data` lines joined, `event` empty when not given. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads one stream; remembers what one vendor event says about the next. One per call. */
export interface ChatStreamReader {
  /** @throws BadAnswer */
  read(event: { readonly event: string; readonly data: AnswerBody }): readonly ChatEvent[];
}

export interface ChatDialect {
  /** whether this upstream supports a public member; unsupported ones are not sent */
  takes(upstream: Upstream, parameter: string): boolean;
  /** @throws CallFailed for what the dialect cannot express */
  toRequest(upstream: Upstream, call: ChatCall): UpstreamRequest;
  /** Pauses now and then, since an answer may be long. @throws BadAnswer */
  readAnswer(body: AnswerBody): Generator<void, ChatAnswer, void>;
  /**
   * The vendor's usage, from an answer that may lack everything else. @throws BadAnswer when it is not a JSON object
   */
  readUsage(body: AnswerBody): Usage | null;
  /** @param choices how many answers were requested: default 1 */
  reader(choices?: number): ChatStreamReader;
}

/** A dialect in which a caller's request is passed on as it came, and the vendor's answer as it comes. */
export type PassedDialectName = "messages" | "responses";

/** What a vendor can keep: answers, or also the items in them, which it looks up one by one; null: nothing. */
export type KeptThings = "answers" | "items" | null;

/** How a vendor's answers are read: for its usage and its text, even where they are passed on as they are. */
export type AnswerReading = Pick<ChatDialect, "readAnswer" | "readUsage" | "reader">;

/** The vendor's side of a dialect that is passed through. */
export interface PassedDialect extends AnswerReading {
  /** where such requests go, and the headers that the vendor wants for them; null: this upstream has another dialect */
  address(upstream: Upstream, stream: boolean): Pick<UpstreamRequest, "url" | "headers"> | null;
  /** true: the vendor has no other, so that nothing is gained by asking again in the chat form */
  readonly isOnly: boolean;
  /** what later calls can name by its id */
  keeps(upstream: Upstream): KeptThings;
  /** models whose thoughts can be had in a form that outlives the answer; absent: that needs no asking */
  readonly encrypts?: (upstream: Upstream) => RegExp | undefined;
  /** true: the vendor refuses thoughts that it did not sign; absent: it reads any */
  readonly checksSignatures?: true;
  /** the vendor's headers that belong to the answer, by their lowercase names */
  readonly answerHeaders: RegExp;
  /** the member of a stream's event that holds an object with the model's name; null: none does */
  modelHolder(event: Readonly<Record<string, unknown>>): string | null;
  /** whether a stream's event holds nothing of what the model writes */
  isSilent(event: Readonly<Record<string, unknown>>): boolean;
  /** what redacts a key that comes in pieces. One per stream */
  redactor(upstream: Upstream): PassedRedaction;
}

/** Redacts the vendor's key in a stream that is passed on. */
export interface PassedRedaction {
  /** the events to pass on for one: itself, unless a part of it has to be held back or redacted */
  pass(event: Record<string, unknown>): readonly PassedEvent[];
}

/** An event of a stream that is passed on. */
export interface PassedEvent {
  readonly event: Record<string, unknown>;
  /** false: it is what the vendor sent */
  readonly isChanged: boolean;
}

/** Why an upstream failed, in the gateway's words. `retryable` failures may fall back to the next candidate. */
export interface UpstreamFailure {
  readonly reason:
    | "rate_limited"
    | "overloaded"
    | "server"
    | "timeout"
    | "connection"
    | "bad_answer"
    | "credentials"
    | "payment"
    | "not_found"
    | "context_length"
    | "content_policy"
    | "invalid_request"
    | "payload_too_large";
  /** the HTTP status; null when there was no answer */
  readonly status: number | null;
  /** the vendor's own words, bounded and without credentials */
  readonly message: string;
  /** the vendor's own code, when it gave one */
  readonly code: string | null;
  readonly retryable: boolean;
  /** the vendor received the request, and nothing says that it refused it: it may bill its work */
  readonly mayBill: boolean;
  /**
   * false: the vendor received nothing, since no connection was established or its dialect cannot express the request
   */
  readonly sent?: false;
  /** from Retry-After; null when not given */
  readonly retryAfterSeconds: number | null;
}

/** A vendor reached over HTTP. All members are pure: values in, values out. */
export interface FilesDialect {
  readonly shape: "openai" | "anthropic";
  /** whether this upstream keeps files at all */
  takes(upstream: Upstream): boolean;
  /** @param path with its query */
  url(upstream: Upstream, path: string): string;
  headers(upstream: Upstream, accept: "application/json" | "*/*"): Readonly<Record<string, string>>;
}

export interface HttpAdapter {
  readonly transport: "http";
  readonly kind: ProviderKind;
  readonly embeddings: EmbeddingsDialect | null;
  readonly chat: ChatDialect | null;
  readonly rerank: RerankDialect | null;
  readonly speech: SpeechDialect | null;
  readonly transcription: TranscriptionDialect | null;
  readonly images: ImagesDialect | null;
  readonly videos: VideosDialect | null;
  /** absent: this kind of vendor keeps no files for its callers */
  readonly files?: FilesDialect;
  /** what callers may speak to this kind of vendor directly; absent: the public chat form alone */
  readonly passed?: Readonly<Partial<Record<PassedDialectName, PassedDialect>>>;
  /** the cheapest request that proves address and credentials, and what the vendor says it offers */
  readonly models: ModelsDialect;
  readFailure(upstream: Upstream, answer: FailedAnswer): UpstreamFailure;
}

/** A vendor's answer with a status that is not a success. */
export interface FailedAnswer {
  readonly status: number;
  /** lowercase names */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** at most the first 64 kB */
  readonly body: string;
}

export interface ModelsDialect {
  toRequest(upstream: Upstream): UpstreamRequest;
  /**
   * The vendor's names of its models.
   * @param answer the answer's JSON, parsed
   * @throws BadAnswer when it does not have the form of the vendor's list
   */
  readAnswer(answer: unknown): readonly string[];
}

/** A model that runs in this process. */
export interface LocalAdapter {
  readonly transport: "local";
  readonly kind: "builtin";
  /**
   * The vector of one input; pauses now and then, so that the thread can serve others.
   * @param features of the images in it, in their order
   * @throws BadAnswer for a model that this program does not have
   */
  embed(
    call: EmbeddingsCall,
    item: EmbeddingItem,
    features: readonly Float64Array[],
  ): Generator<void, { readonly vector: Float32Array; readonly usage: Usage }, void>;
}

/** The vendor answered, but not with what its documentation promises. Counts as a retryable failure of the vendor. */
export class BadAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadAnswer";
  }
}
