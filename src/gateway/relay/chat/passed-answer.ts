import { jsonMembers, withMembers } from "../../json-members.ts";
import { runInTurns, takeTurns } from "../../turns.ts";
import type { FormedCall, WholeAnswer } from "../caller-form.ts";
import { routingReport } from "./routing-report.ts";

/** The provider's own answer, with the gateway's name of the model. */
export async function passedAnswer(run: FormedCall, { candidate, passed }: WholeAnswer): Promise<readonly Buffer[]> {
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
