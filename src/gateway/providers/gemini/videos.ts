import { isObject, type JsonObject, objectOf, objectsIn, readText } from "../answer.ts";
import { given, readDataUrl } from "../messages.ts";
import { BadAnswer, type VideoAbility, type VideoCall, type VideosDialect } from "../provider.ts";
import { ended, jobName, mostVideos, unfinished, videoProportions } from "../video-shape.ts";
import { headers, modelUrl } from "./request.ts";

const mostSeconds = 8;
const ratios = ["16:9", "9:16"];

const veo: VideoAbility = {
  resolutions: ["720p", "1080p", "4K"],
  ratios,
  durations: [4, 6, 8],
  frames: ["first_frame", "last_frame"],
  audio: true,
  seed: true,
};

/** Veo's long-running operations: https://ai.google.dev/gemini-api/docs/video */
export const videos: VideosDialect = {
  takes: () => true,

  unfit(_, call) {
    const proportions = videoProportions(call);
    if (proportions === null) return "it takes proportions, not pixels: send aspect_ratio and resolution";
    if (proportions.aspectRatio !== null && !ratios.includes(proportions.aspectRatio))
      return "it makes videos of 16:9 and 9:16";
    return call.seconds > mostSeconds ? `it makes at most ${mostSeconds} seconds` : null;
  },

  ability: () => veo,

  inlines: () => true,

  form: () => null,

  toRequest: (upstream, call) => ({
    method: "POST",
    url: modelUrl(upstream, call.model, "predictLongRunning"),
    headers: headers(upstream),
    body: JSON.stringify(predicted(call)),
  }),

  readJob(_, body) {
    const name = jobName(objectOf(body)["name"]);
    // It becomes a path at the vendor.
    if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name)) throw new BadAnswer("the answer names no operation");
    return name;
  },

  toPoll: (upstream, job) => ({
    method: "GET",
    url: `${upstream.baseUrl}/${job}`,
    headers: headers(upstream),
    body: null,
  }),

  readState(_, __, body) {
    const { done, error, response } = objectOf(body);
    if (done !== true) return unfinished("in_progress");
    if (isObject(error)) return ended("failed", readText(error["message"]));
    const made = isObject(response) ? response["generateVideoResponse"] : null;
    const { generatedSamples, raiMediaFilteredReasons: reasons } = isObject(made) ? made : {};
    const urls = objectsIn(generatedSamples)
      .slice(0, mostVideos)
      .flatMap(({ video }) => (isObject(video) ? (readText(video["uri"]) ?? []) : []));
    if (urls.length > 0) return { status: "completed", urls, seconds: null, size: null, error: null };
    const [why] = Array.isArray(reasons) ? reasons : [];
    return ended("failed", readText(why) ?? "the operation ended without a video");
  },
};

function predicted(call: VideoCall): JsonObject {
  const { aspectRatio, resolution } = videoProportions(call) ?? { aspectRatio: null, resolution: null };
  const frame = (wanted: string) => inline(call.frames.find(({ type }) => type === wanted)?.url);
  const references = call.references.map((url) => ({ image: inline(url), referenceType: "asset" }));
  return {
    instances: [
      given({
        prompt: call.prompt === "" ? null : call.prompt,
        image: frame("first_frame"),
        lastFrame: frame("last_frame"),
        referenceImages: references.length === 0 ? null : references,
      }),
    ],
    parameters: {
      ...call.extra,
      sampleCount: 1,
      durationSeconds: call.seconds,
      ...given({ aspectRatio, resolution: resolution?.toLowerCase(), seed: call.seed }),
    },
  };
}

function inline(url: string | undefined): JsonObject | null {
  if (url === undefined) return null;
  const read = readDataUrl(url);
  return { bytesBase64Encoded: read?.base64, mimeType: read?.mediaType };
}
