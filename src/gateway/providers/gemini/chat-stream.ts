import { isObject, objectOf, objectsIn, readCount, readText, type JsonObject } from "../answer.ts";
import { chunk, toolCall } from "../chat-object.ts";
import { failureWithin } from "../failure.ts";
import type { ChatEvent, ChatStreamReader } from "../provider.ts";
import { blockReason, finishReason, originOf, readParts, readUsage } from "./answer.ts";

/**
 * Reads Google's stream: each event is an answer with the next parts; the last one of a candidate has a finish reason.
 * @param choices requested candidates: the stream is done when this many have finished, and all that began
 */
export function createReader(choices = 1): ChatStreamReader {
  let started = false;
  const begun = new Set<number>();
  const finished = new Set<number>();
  const calls = new Map<number, number>();

  function readCandidate(candidate: JsonObject, position: number, answer: JsonObject): ChatEvent {
    const responseId = readText(answer["responseId"]) ?? "";
    const index = readCount(candidate["index"]) ?? position;
    const before = calls.get(index) ?? 0;
    const { text, reasoning, toolCalls, images } = readParts(candidate, responseId, before);
    calls.set(index, before + toolCalls.length);
    const native = readText(candidate["finishReason"]);
    const delta = {
      ...(started ? {} : { role: "assistant" }),
      ...(text === "" && (reasoning !== "" || toolCalls.length + images.length > 0 || native !== null)
        ? {}
        : { content: text }),
      ...(reasoning === "" ? {} : { reasoning }),
      ...(images.length === 0 ? {} : { images }),
      ...(toolCalls.length === 0
        ? {}
        : { tool_calls: toolCalls.map((call, at) => ({ index: before + at, ...toolCall(call) })) }),
    };
    started = true;
    const finish = finishReason(native, before + toolCalls.length > 0);
    begun.add(index);
    if (finish !== null) finished.add(index);
    return { type: "chunk", chunk: { ...chunk(delta, finish, native, index), ...originOf(answer) } };
  }

  return {
    read({ data }) {
      const answer = objectOf(data);
      if (isObject(answer["error"])) return [{ type: "error", failure: failureWithin(answer["error"]) }];
      const candidates = objectsIn(answer["candidates"]);
      const read = candidates.map((candidate, position) => readCandidate(candidate, position, answer));
      const usage = readUsage(answer["usageMetadata"]);
      const blocked = candidates.length === 0 ? blockReason(answer) : null;
      const ended = blocked !== null || finished.size >= Math.max(begun.size, choices);
      return [
        ...read,
        ...(blocked === null
          ? []
          : [{ type: "chunk" as const, chunk: chunk({ role: "assistant" }, "content_filter", blocked) }]),
        ...(usage ? [{ type: "usage" as const, usage }] : []),
        ...(ended ? [{ type: "done" as const }] : []),
      ];
    },
  };
}
