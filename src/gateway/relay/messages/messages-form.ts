import { messagesErrorStatus } from "#contract/messages.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, FormedCall, WholeAnswer } from "../caller-form.ts";
import { passedAnswer } from "../chat/passed-answer.ts";
import { routingReport } from "../chat/routing-report.ts";
import { contentOf, messageId, settledUsage, stopReason, unsaid } from "./answer.ts";
import { readMessagesRequest } from "./request.ts";
import { MessagesWriter } from "./stream-writer.ts";

/** Anthropic's form: https://docs.anthropic.com/en/api/messages */
export const messagesForm: CallerForm = {
  apiType: "messages",
  read: readMessagesRequest,
  statusOf: messagesErrorStatus,
  headers: ({ context }, passed) => ({ "request-id": context.call.requestId, ...passed }),
  whole: async (run, answered) => await (answered.passed === null ? translated : passedAnswer)(run, answered),
  stream: (run) => new MessagesWriter(run),
};

async function translated(run: FormedCall, { candidate, result, settled, isLong }: WholeAnswer) {
  const turn = takeTurns(run.context.call.credential.hash, { patient: true });
  const body = {
    id: messageId(run),
    type: "message",
    role: "assistant",
    model: candidate.model.id,
    content: await contentOf(result, turn),
    stop_reason: stopReason(result.choices[0]?.["finish_reason"]) ?? "end_turn",
    ...unsaid,
    usage: settledUsage(settled),
    provider: candidate.provider.name,
    ...routingReport(run, candidate),
  };
  return isLong ? await writeJsonInTurns(body, turn) : JSON.stringify(body);
}
