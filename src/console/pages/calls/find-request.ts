import { type CallRecord, listGenerations } from "#contract/calls.ts";
import { listRefusedCalls, type RefusedCalls } from "#contract/refused-calls.ts";
import { call } from "../../api/call.ts";
import { allWorkspaces } from "../../paths.ts";

/** The call that a request made, or the refused ones that it was one of. */
export async function findRequest(id: string): Promise<{ made?: CallRecord; refused?: RefusedCalls }> {
  const of = { query: { request_id: id, workspace_id: allWorkspaces } };
  const [{ data: made }, { data: refused }] = await Promise.all([
    call(listGenerations, of),
    call(listRefusedCalls, of),
  ]);
  return { ...(made[0] && { made: made[0] }), ...(refused[0] && { refused: refused[0] }) };
}
