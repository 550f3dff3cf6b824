import type { VideoStatus } from "#contract/videos.ts";
import { isObject, type JsonObject, objectOf, readText } from "../answer.ts";
import { given } from "../messages.ts";
import {
  BadAnswer,
  type ImagesForm,
  type Upstream,
  type VideoAbility,
  type VideoCall,
  type VideosDialect,
  type VideoState,
} from "../provider.ts";
import { ended, jobName, mostVideos, unfinished, videoPixels, videoProportions } from "../video-shape.ts";
import { type Field, withExtra } from "./form-fields.ts";
import { headers, operationUrl } from "./request.ts";

type Form = "openai" | "xai" | "public";

const formOf = ({ options }: Upstream): Form =>
  options.publicApi === true ? "public" : (options.videos?.dialect ?? "openai");

const unknown: VideoAbility = {
  resolutions: null,
  ratios: null,
  durations: null,
  frames: null,
  audio: null,
  seed: null,
};

/** https://platform.openai.com/docs/guides/video-generation; other models at this dialect are not known. */
const sora: VideoAbility = {
  ...unknown,
  ratios: ["16:9", "9:16"],
  durations: [4, 8, 12, 16, 20],
  frames: ["first_frame"],
  audio: true,
  seed: false,
};
/** https://docs.x.ai/developers/model-capabilities/video/generation */
const mostXaiSeconds = 15;
const grok: VideoAbility = {
  resolutions: ["480p", "720p"],
  ratios: ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"],
  durations: Array.from({ length: mostXaiSeconds }, (_, index) => index + 1),
  frames: ["first_frame"],
  audio: true,
  seed: false,
};

/** OpenAI's `POST /videos`, xAI's `POST /videos/generations`, and the public API's `POST /videos`. */
export const videos: VideosDialect = {
  takes: ({ options }) => options.videos !== null,

  unfit(upstream, call) {
    const form = formOf(upstream);
    if (form === "public") return null;
    if (call.frames.some(({ type }) => type === "last_frame")) return "it takes no last_frame";
    if (form === "openai") {
      return call.frames.length + call.references.length > 1 ? "it takes one image to work from" : null;
    }
    const proportions = videoProportions(call);
    if (proportions === null) return "it takes proportions, not pixels: send aspect_ratio and resolution";
    if (proportions.resolution !== null && !grok.resolutions?.includes(proportions.resolution))
      return "it makes videos of 480p and 720p";
    return call.seconds > mostXaiSeconds ? `it makes at most ${mostXaiSeconds} seconds` : null;
  },

  ability(upstream, model) {
    const form = formOf(upstream);
    if (form === "xai") return grok;
    return form === "openai" && model.startsWith("sora") ? sora : unknown;
  },

  inlines: () => false,

  form: (upstream, call) => (formOf(upstream) === "openai" ? openAi(upstream, call) : null),

  toRequest(upstream, call) {
    const isXai = formOf(upstream) === "xai";
    return {
      method: "POST",
      url: operationUrl(upstream, isXai ? "videos/generations" : "videos"),
      headers: headers(upstream),
      body: JSON.stringify({ ...call.extra, ...given(isXai ? xai(call) : publicForm(call)) }),
    };
  },

  readJob: (upstream, body) => jobName(objectOf(body)[formOf(upstream) === "xai" ? "request_id" : "id"]),

  toPoll: (upstream, job) => ({
    method: "GET",
    url: operationUrl(upstream, `videos/${encodeURIComponent(job)}`),
    headers: headers(upstream),
    body: null,
  }),

  readState(upstream, job, body) {
    const answer = objectOf(body);
    return formOf(upstream) === "xai" ? xaiState(answer) : stateOf(upstream, job, answer);
  },
};

/** https://platform.openai.com/docs/api-reference/videos/create: a form, whether or not it has a file */
function openAi(upstream: Upstream, call: VideoCall): ImagesForm {
  const { "content-type": _, ...rest } = headers(upstream);
  const members = given({
    model: call.model,
    prompt: call.prompt === "" ? null : call.prompt,
    seconds: call.seconds,
    size: videoPixels(call),
  });
  const fields = Object.entries(members).map(([name, value]): Field => [name, String(value)]);
  return {
    url: operationUrl(upstream, "videos"),
    headers: rest,
    fields: withExtra(call.extra, fields, "input_reference"),
    fileMember: "input_reference",
  };
}

function publicForm(call: VideoCall): JsonObject {
  return {
    model: call.model,
    prompt: call.prompt,
    duration: call.seconds,
    size: call.size,
    resolution: call.resolution,
    aspect_ratio: call.aspectRatio,
    generate_audio: call.audio,
    seed: call.seed,
    frame_images: nonEmpty(
      call.frames.map(({ type, url }) => ({ type: "image_url", image_url: { url }, frame_type: type })),
    ),
    input_references: nonEmpty(call.references.map((url) => ({ type: "image_url", image_url: { url } }))),
    user: call.user,
  };
}

const nonEmpty = <T>(list: readonly T[]) => (list.length === 0 ? null : list);

function xai(call: VideoCall): JsonObject {
  const { aspectRatio, resolution } = videoProportions(call) ?? { aspectRatio: null, resolution: null };
  const [first] = call.frames;
  return {
    model: call.model,
    prompt: call.prompt,
    duration: call.seconds,
    aspect_ratio: aspectRatio,
    resolution,
    image: first === undefined ? null : { url: first.url },
    reference_images: nonEmpty(call.references.map((url) => ({ url }))),
  };
}

/** OpenAI's words and the public API's. What is in neither has not ended. */
const statuses: ReadonlyMap<string | null, VideoStatus> = new Map([
  ["queued", "pending"],
  ["pending", "pending"],
  ["completed", "completed"],
  ["failed", "failed"],
  ["dead", "failed"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["expired", "expired"],
]);

function stateOf(upstream: Upstream, job: string, answer: JsonObject): VideoState {
  const status = statuses.get(readText(answer["status"])) ?? "in_progress";
  if (status === "pending" || status === "in_progress") return unfinished(status);
  if (status !== "completed") return ended(status, errorIn(answer));
  const { unsigned_urls: listed } = answer;
  const count = Array.isArray(listed) ? Math.min(Math.max(listed.length, 1), mostVideos) : 1;
  const content = operationUrl(upstream, `videos/${encodeURIComponent(job)}/content`);
  return {
    status,
    urls: Array.from({ length: count }, (_, index) => (index === 0 ? content : `${content}?index=${index}`)),
    seconds: secondsOf(answer["seconds"]),
    size: readText(answer["size"]),
    error: null,
  };
}

function xaiState(answer: JsonObject): VideoState {
  const status = readText(answer["status"]);
  const video = isObject(answer["video"]) ? answer["video"] : null;
  const url = readText(video?.["url"]);
  if (status === "failed" || status === "expired") return ended(status, errorIn(answer));
  if (video?.["respect_moderation"] === false) return ended("failed", "the video was withheld by moderation");
  if (status !== "done" && url === null) return unfinished(status === "pending" ? "in_progress" : "pending");
  if (url === null) throw new BadAnswer("the answer holds no video");
  return { status: "completed", urls: [url], seconds: secondsOf(video?.["duration"]), size: null, error: null };
}

/** Seconds as vendors give them: a number, or its text; null for anything that is no length. */
function secondsOf(value: unknown): number | null {
  const seconds = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

function errorIn({ error }: JsonObject): string | null {
  return readText(isObject(error) ? error["message"] : error);
}
