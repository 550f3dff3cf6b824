import { isObject, objectOf, type JsonObject } from "../answer.ts";
import { completion } from "../chat-object.ts";
import { commonParameters, given, readMessages, refuseOutputs, stopSequences } from "../messages.ts";
import type { ChatDialect } from "../provider.ts";
import { chosenTools, type ToolChoice } from "../tools.ts";
import { originOf, readCandidates, readUsage } from "./answer.ts";
import { createReader } from "./chat-stream.ts";
import { toContents } from "./contents.ts";
import { headers, modelUrl } from "./request.ts";
import { thinkingConfig } from "./thinking.ts";

const own = ["seed", "n", "frequency_penalty", "presence_penalty", "modalities", "image_config"];
const parameters = new Set([...commonParameters, ...own]);

/** Google's `generateContent` and `streamGenerateContent`: https://ai.google.dev/api/generate-content */
export const chat: ChatDialect = {
  takes: (_, parameter) => parameters.has(parameter),

  toRequest(upstream, { model, body, stream, maxTokens, maxOutputTokens }) {
    const { systemInstruction, contents } = toContents(readMessages(body), model);
    const { functions, choice, only } = chosenTools(body);
    refuseOutputs(body, ["text", "image"]);
    const members = given({
      systemInstruction,
      contents,
      tools: functions.length > 0 ? [{ functionDeclarations: functions.map(declaration) }] : undefined,
      toolConfig: toolConfig(choice, only),
      generationConfig: generationConfig(body, {
        maxTokens,
        thinking: thinkingConfig(model, body, maxTokens ?? maxOutputTokens ?? plainCeiling),
      }),
    });
    return {
      method: "POST",
      url: modelUrl(upstream, model, stream ? "streamGenerateContent?alt=sse" : "generateContent"),
      headers: headers(upstream, stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(members),
    };
  },

  *readAnswer(body) {
    yield;
    const answer = objectOf(body);
    const usage = readUsage(answer["usageMetadata"]);
    return { result: { ...completion(readCandidates(answer), usage), ...originOf(answer) }, usage };
  },

  readUsage: (body) => readUsage(objectOf(body)["usageMetadata"]),

  reader: createReader,
};

function declaration(called: JsonObject): JsonObject {
  return given({
    name: called["name"],
    description: called["description"],
    parametersJsonSchema: called["parameters"],
  });
}

const modes = { auto: "AUTO", none: "NONE", required: "ANY", validated: "VALIDATED" } as const;

/** https://ai.google.dev/api/caching#FunctionCallingConfig: names go with the modes that constrain the model. */
function toolConfig(choice: ToolChoice | null, only: ReadonlySet<string> | null): JsonObject | undefined {
  if (choice === null) return undefined;
  if ("name" in choice) return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choice.name] } };
  const mode = modes[choice.mode];
  const names = only === null || mode === "AUTO" || mode === "NONE" ? {} : { allowedFunctionNames: [...only] };
  return { functionCallingConfig: { mode, ...names } };
}

/** The answer length assumed without a maximum: a thinking budget is a share of it. */
const plainCeiling = 16_384;

function generationConfig(
  body: Readonly<JsonObject>,
  { maxTokens, thinking }: { maxTokens: number | null; thinking: JsonObject | undefined },
): JsonObject | undefined {
  const config = given({
    maxOutputTokens: maxTokens,
    temperature: body["temperature"],
    topP: body["top_p"],
    topK: body["top_k"],
    stopSequences: stopSequences(body["stop"]),
    seed: body["seed"],
    candidateCount: body["n"],
    frequencyPenalty: body["frequency_penalty"],
    presencePenalty: body["presence_penalty"],
    ...responseFormat(body["response_format"]),
    thinkingConfig: thinking,
    ...imageOutput(body),
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

function responseFormat(format: unknown): JsonObject {
  if (!isObject(format) || format["type"] === "text") return {};
  const wrapper = format["json_schema"];
  return {
    responseMimeType: "application/json",
    responseJsonSchema: isObject(wrapper) ? wrapper["schema"] : undefined,
  };
}

/** https://ai.google.dev/gemini-api/docs/image-generation */
function imageOutput({ modalities, image_config: config }: Readonly<JsonObject>): JsonObject {
  const words = Array.isArray(modalities) ? modalities.filter((each) => typeof each === "string") : [];
  const { aspect_ratio: aspectRatio, image_size: imageSize } = isObject(config) ? config : {};
  const imageConfig = given({ aspectRatio, imageSize });
  return {
    responseModalities: words.length === 0 ? undefined : words.map((word) => word.toUpperCase()),
    imageConfig: Object.keys(imageConfig).length === 0 ? undefined : imageConfig,
  };
}
