import { errorStatus } from "#contract/errors.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, WholeAnswer } from "../caller-form.ts";
import { passedAnswer } from "../chat/passed-answer.ts";
import { routingReport } from "../chat/routing-report.ts";
import type { ChatRun } from "../chat/run.ts";
import { begunResponse, completedAt, endingOf, outputOf, responsesUsage } from "./answer.ts";
import { brokenOff, failedWith } from "./errors.ts";
import { readResponsesRequest } from "./request.ts";
import { isLongRequest, ResponsesWriter } from "./stream-writer.ts";

/** OpenAI's newer form: https://platform.openai.com/docs/api-reference/responses */
export const responsesForm: CallerForm = {
  apiType: "responses",
  read: readResponsesRequest,
  statusOf: (type) => errorStatus[type],
  headers: (_, passed) => passed,
  whole: async (run, answered) => await (answered.passed === null ? translated : passedAnswer)(run, answered),
  stream: (run) => new ResponsesWriter(run),
};

async function translated(run: ChatRun, { candidate, result, settled, isLong }: WholeAnswer) {
  const { output, text } = outputOf(run, result);
  const ending = endingOf(result.choices[0]?.["finish_reason"]);
  const body = {
    ...begunResponse(run, candidate.model.id),
    ...ending,
    ...(ending.status === "failed" ? failedWith(brokenOff) : {}),
    completed_at: ending.status === "completed" ? completedAt(run) : null,
    output,
    output_text: text,
    usage: responsesUsage(settled),
    ...(typeof result["service_tier"] === "string" ? { service_tier: result["service_tier"] } : {}),
    provider: candidate.provider.name,
    ...routingReport(run, candidate),
  };
  if (!isLong && !isLongRequest(run)) return JSON.stringify(body);
  return await writeJsonInTurns(body, takeTurns(run.context.call.credential.hash, { patient: true }));
}
