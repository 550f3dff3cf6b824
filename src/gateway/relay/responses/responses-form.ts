import { errorStatus } from "#contract/errors.ts";
import { objectOf, objectsIn } from "../../providers/answer.ts";
import { readJson } from "../../read-json.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { CallerForm, FormedCall, WholeAnswer } from "../caller-form.ts";
import { passedAnswer } from "../chat/passed-answer.ts";
import { routingReport } from "../chat/routing-report.ts";
import { begunResponse, completedAt, endingOf, outputOf, responsesUsage } from "./answer.ts";
import { brokenOff, failedWith } from "./errors.ts";
import { readResponsesRequest } from "./request.ts";
import { isLongRequest, ResponsesWriter } from "./stream-writer.ts";
import { keepAnswered } from "./with-kept-items.ts";

/** OpenAI's newer form: https://platform.openai.com/docs/api-reference/responses */
export const responsesForm: CallerForm = {
  apiType: "responses",
  read: readResponsesRequest,
  statusOf: (type) => errorStatus[type],
  headers: (_, passed) => passed,
  whole: async (run, answered) => await (answered.passed === null ? translated : passedOn)(run, answered),
  stream: (run) => new ResponsesWriter(run),
};

async function translated(run: FormedCall, { candidate, result, settled, isLong }: WholeAnswer) {
  const { output, text } = outputOf(run, result);
  await keepAnswered(run, () => output);
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

/** Lists, objects, and what is in them. */
const mostAnswerValues = 400_000;

async function passedOn(run: FormedCall, answered: WholeAnswer) {
  await keepAnswered(run, async (turn) => {
    const answer = await readJson(answered.passed ?? Buffer.alloc(0), turn, mostAnswerValues);
    return objectsIn(objectOf({ parsed: answer })["output"]);
  });
  return await passedAnswer(run, answered);
}
