import { isObject, parseObject, readCount, readText, type JsonObject } from "../answer.ts";
import { chunk, toolCall } from "../chat-object.ts";
import { failure } from "../failure.ts";
import type { ChatEvent, ChatStreamReader } from "../provider.ts";
import { blockReason, finishReason, readParts, readUsage } from "./answer.ts";

/** Reads Google's stream: each event is an answer with the next parts; the last one has a finish reason. */
export function createReader(): ChatStreamReader {
  let started = false;
  const calls = new Map<number, number>();

  function readCandidate(
    candidate: JsonObject,
    position: number,
    responseId: string,
  ): { event: ChatEvent; finished: boolean } {
    const index = readCount(candidate["index"]) ?? position;
    const before = calls.get(index) ?? 0;
    const { text, reasoning, toolCalls } = readParts(candidate, responseId, before);
    calls.set(index, before + toolCalls.length);
    const native = readText(candidate["finishReason"]);
    const delta = {
      ...(started ? {} : { role: "assistant" }),
      ...(text === "" && (reasoning !== "" || toolCalls.length > 0 || native !== null) ? {} : { content: text }),
      ...(reasoning === "" ? {} : { reasoning }),
      ...(toolCalls.length === 0
        ? {}
        : { tool_calls: toolCalls.map((call, at) => ({ index: before + at, ...toolCall(call) })) }),
    };
    started = true;
    const finish = finishReason(native, before + toolCalls.length > 0);
    return { event: { type: "chunk", chunk: chunk(delta, finish, native, index) }, finished: finish !== null };
  }

  return {
    read({ data }) {
      const answer = parseObject(data);
      if (isObject(answer["error"])) {
        const { message, status } = answer["error"];
        return [
          {
            type: "error",
            failure: failure("server", {
              message: (readText(message) ?? "the provider broke off").slice(0, 500),
              code: readText(status),
            }),
          },
        ];
      }
      const candidates = Array.isArray(answer["candidates"]) ? answer["candidates"].filter(isObject) : [];
      const read = candidates.map((candidate, position) =>
        readCandidate(candidate, position, readText(answer["responseId"]) ?? ""),
      );
      const usage = readUsage(answer["usageMetadata"]);
      const blocked = candidates.length === 0 ? blockReason(answer) : null;
      const ended = blocked !== null || (read.length > 0 && read.every(({ finished }) => finished));
      return [
        ...read.map(({ event }) => event),
        ...(blocked === null
          ? []
          : [{ type: "chunk" as const, chunk: chunk({ role: "assistant" }, "content_filter", blocked) }]),
        ...(usage ? [{ type: "usage" as const, usage }] : []),
        ...(ended ? [{ type: "done" as const }] : []),
      ];
    },
  };
}
