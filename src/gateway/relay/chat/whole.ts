import { saidIn } from "../../domain/bodies/body.ts";
import { readText } from "../../providers/answer.ts";
import { firstThatAnswers } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelAnswer } from "../model-call.ts";
import { afterLeaving } from "./after-leaving.ts";
import { trying } from "./costs.ts";
import { outputOf } from "./output.ts";
import { recordedChoices } from "./recorded-choice.ts";
import type { ChatRun } from "./run.ts";
import { missed } from "../response-cache/caching.ts";
import { recordedAnswer } from "../response-cache/recording.ts";
import { answerFacts, noteServed, settleChat, settleUnanswered } from "./settle.ts";
import { askWhole } from "./upstream.ts";

/** Answers a chat call with one whole answer. */
export async function wholeChat(deps: RelayDeps, run: ChatRun): Promise<ModelAnswer> {
  const { context, form } = run;
  const { signal: caller } = context.call;
  // A vendor that does not answer hits its own time limit before this one.
  const vendor = afterLeaving(caller, deps.settings.upstreamTimeoutMs * 3);
  const served = await firstThatAnswers(deps, {
    ...trying(run, vendor),
    ask: (candidate) => askWhole(deps, candidate, run, vendor),
  }).catch((error: unknown) => settleUnanswered(deps, run, vendor, error));
  const { candidate, answer, slot } = served;
  slot();
  const { result, usage: counted, latencyMs, isLong, answerBytes, passed, headers } = answer;
  const [choice] = result.choices;
  const end = {
    candidate,
    usage: counted,
    produced: outputOf(saidIn(result.choices)),
    choices: recordedChoices(result.choices),
    finishReason: readText(choice?.["finish_reason"]),
    upstreamId: readText(result["id"]),
    responseModel: readText(result["model"]),
    latencyMs,
    error: null,
    cancelled: caller.aborted,
    answerBytes,
  };
  noteServed(deps, run, end, null);
  const settled = settleChat(deps, run, end);
  await settled.settlement.committed;
  const body = await form.whole(run, { candidate, result, settled, isLong, passed });
  const type = { "content-type": "application/json; charset=utf-8" };
  const own = { ...type, ...missed(run.caching), ...form.headers(run, headers), "x-generation-id": context.id };
  return recordedAnswer(deps, run, { status: 200, headers: own, body }, () => {
    const facts = answerFacts(end, settled);
    return facts && { ...facts, headers: type };
  });
}
