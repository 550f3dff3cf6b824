import { messagesErrorStatus } from "#contract/messages.ts";
import { runInTurns, takeTurns } from "../../turns.ts";
import { jsonMembers, withMembers } from "../../json-members.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, WholeAnswer } from "../caller-form.ts";
import { routingReport } from "../chat/routing-report.ts";
import type { ChatRun } from "../chat/run.ts";
import { contentOf, messageId, settledUsage, stopReason, unsaid } from "./answer.ts";
import { readMessagesRequest } from "./request.ts";
import { MessagesWriter } from "./stream-writer.ts";

/** Anthropic's form: https://docs.anthropic.com/en/api/messages */
export const messagesForm: CallerForm = {
  apiType: "messages",
  read: readMessagesRequest,
  statusOf: messagesErrorStatus,
  headers: ({ context }, passed) => ({ "request-id": context.call.requestId, ...passed }),
  whole: async (run, answered) => await (answered.passed === null ? translated : passedOn)(run, answered),
  stream: (run) => new MessagesWriter(run),
};

/** The provider's own answer, with the gateway's name of the model. */
async function passedOn(run: ChatRun, { candidate, passed }: WholeAnswer): Promise<readonly Buffer[]> {
  const turn = takeTurns(run.context.call.credential.hash, { patient: true });
  const bytes = passed ?? Buffer.alloc(0);
  const members = await runInTurns(jsonMembers(bytes), turn);
  const report = Object.entries(routingReport(run, candidate)).map(([name, each]) => [name, JSON.stringify(each)]);
  const changes: [string, string][] = [
    ["model", JSON.stringify(candidate.model.id)],
    ...(report as [string, string][]),
  ];
  return withMembers(bytes, members, new Map(changes));
}

async function translated(run: ChatRun, { candidate, result, settled, isLong }: WholeAnswer) {
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
