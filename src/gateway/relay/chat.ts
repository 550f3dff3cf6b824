import { saidIn } from "../domain/forwarded-events.ts";
import { firstThatAnswers, type Tried } from "./attempts.ts";
import { ownPromptCount, promptOf, readChatRequest } from "./chat-request.ts";
import { refuseMessageImages } from "./image-addresses.ts";
import { reserveChat, routeChat } from "./chat-route.ts";
import { type ChatRun, noteServed, settleChat } from "./chat-settle.ts";
import { streamChat } from "./chat-stream.ts";
import { askWhole } from "./chat-upstream.ts";
import type { ModelAnswer, ModelCall } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";
import { admit } from "./rate-limits.ts";
import { routingReport } from "./routing-report.ts";
import { begin, withId } from "./record.ts";

/** Answers one chat call, whole or as a stream. */
export async function chat(parts: RelayParts, call: ModelCall): Promise<ModelAnswer> {
  const begun = begin(parts, call);
  const { accounts, workspace } = await parts.deps.accounts.of(parts.deps, call.credential);
  const request = readChatRequest(call.body, workspace.defaultTextModel);
  refuseMessageImages(parts, request.messages);
  const prompt = promptOf(request);
  const route = routeChat(parts, begun, request, prompt, workspace);
  const count = admit(parts, begun, workspace, ownPromptCount(request, prompt));
  const { reservation, candidates } = await reserveChat(parts, accounts, request, prompt, route);
  const tried: Tried = { attempts: [], failed: [] };
  const keep = parts.random() < workspace.keptBodies;
  const within = { ...route, candidates };
  const run: ChatRun = { begun, request, prompt, reservation, route: within, tried, count, keep };
  try {
    return request.stream ? await streamChat(parts, run) : await wholeChat(parts, run);
  } catch (error) {
    parts.ledger.release(reservation);
    throw error;
  }
}

const nothing = { usage: null, produced: "", finishReason: null, upstreamId: null, latencyMs: null };

async function wholeChat(parts: RelayParts, run: ChatRun): Promise<ModelAnswer> {
  const { begun, request, route, tried } = run;
  const { signal } = begun.call;
  const served = await firstThatAnswers(parts, route, tried, signal, (candidate) =>
    askWhole(parts, candidate, request, signal),
  ).catch(async (error: unknown) => {
    // Whoever was asked last has read the prompt; what else it did before the caller left, nobody knows.
    const candidate = signal.aborted ? (route.candidates[tried.failed.length] ?? null) : null;
    const end = { ...nothing, candidate, error, cancelled: signal.aborted };
    await settleChat(parts, run, end).settlement.committed.catch(() => {});
    throw withId(error, run.begun);
  });
  const { candidate, answer } = served;
  const { result, usage: counted, latencyMs } = answer;
  const [choice] = result.choices;
  const end = {
    candidate,
    usage: counted,
    produced: saidIn(result.choices),
    choices: result.choices,
    finishReason: textOf(choice?.["finish_reason"]),
    upstreamId: textOf(result["id"]),
    latencyMs,
    error: null,
    cancelled: false,
  };
  noteServed(parts, candidate, run, end, null);
  const { settlement, usage } = settleChat(parts, run, end);
  await settlement.committed;
  const { created } = result;
  const body = {
    system_fingerprint: null,
    ...result,
    created: Number.isSafeInteger(created) ? created : Math.floor(begun.createdAt.getTime() / 1_000),
    id: begun.id,
    object: "chat.completion",
    model: candidate.model.id,
    provider: candidate.provider.name,
    usage,
    ...routingReport(run, candidate),
  };
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": begun.id },
    body: JSON.stringify(body),
  };
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
