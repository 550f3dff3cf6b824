import type { Blocked, ContentFilters } from "../../domain/guardrails/filters/compile.ts";
import type { FilteredForm } from "../../domain/guardrails/filters/request-forms.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import { joinInTurns, takeTurns } from "../../turns.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelCall } from "../model-call.ts";
import { readForm } from "../multipart.ts";
import { readBody } from "../read-body.ts";
import { blockingGuardrail, type CoveringFilters, filtersOf } from "./filters-of.ts";

/** The most that any form of request may hold. */
const mostValues = 400_000;

/**
 * The call as the content filters of its guardrails leave it, for everything that comes after: the response cache,
 * limits, providers, logs and destinations see what is redacted alone. Where nothing is, its bytes stay as they are.
 * @throws Refusal permission_denied where a filter blocks it
 */
export async function withFilters(deps: RelayDeps, call: ModelCall, form: FilteredForm): Promise<ModelCall> {
  const covering = await filtersOf(deps.domain, call.credential);
  return covering === null ? call : await filtered(deps, { call, form, ...covering });
}

interface Filtering extends CoveringFilters {
  readonly call: ModelCall;
  readonly form: FilteredForm;
}

async function filtered({ domain }: RelayDeps, { call, form, filters, guardrails }: Filtering): Promise<ModelCall> {
  const { body, signal, credential } = call;
  const owner = credential.hash;
  const answer = await domain.contentFilters.filter({ filters, form, body, owner, signal });
  switch (answer.kind) {
    case "blocked":
      throw refusalOf(answer.blocked, guardrails);
    case "too_long":
      throw new Refusal("payload_too_large", "With what its content filters put into it the request is too long");
    case "unreadable":
      await readBody(body, takeTurns(owner), mostValues);
      throw invalid("", "The request body is not JSON that content filters can read");
    case "passed": {
      if (answer.hasTokens && isStrict(filters)) {
        throw invalid("input", "must be text: the key's content filters cannot read token ids");
      }
      if (answer.matches.length === 0) return call;
      if (answer.body === null) return { ...call, contentFilters: answer.matches };
      call.room.take(answer.body.byteLength);
      return { ...call, body: Buffer.from(answer.body), contentFilters: answer.matches };
    }
  }
}

/** Whether one of them does more than to record what it finds. */
function isStrict({ patterns, builtins }: ContentFilters): boolean {
  return [...patterns, ...builtins].some(({ action }) => action !== "flag");
}

function refusalOf(blocked: Blocked, guardrails: CoveringFilters["guardrails"]): Refusal {
  const guardrail = blockingGuardrail(guardrails, blocked);
  const named = guardrail === null ? {} : { guardrail_id: guardrail.id };
  if (blocked.by === "filter") {
    return new Refusal("permission_denied", `Request blocked by content filter: [${blocked.label}]`, named);
  }
  const { patterns } = blocked;
  return new Refusal("permission_denied", "Request blocked: prompt injection patterns detected", {
    patterns,
    ...named,
  });
}

/** Fields of a form that no model reads, and those that are JSON. */
const settingFields =
  /^(?:model|language|response_format|temperature|stream|user|provider|session_id|trace|timestamp_granularities(?:\[\])?)$/;

/** The same for a call whose body is a form. Its audio is no text. */
export async function withFilteredFields(deps: RelayDeps, call: ModelCall): Promise<ModelCall> {
  const covering = await filtersOf(deps.domain, call.credential);
  if (covering === null) return call;
  const { body } = call;
  const turn = takeTurns(call.credential.hash);
  const parts = await readForm(body, call.headers["content-type"] ?? "", turn);
  const fields = parts.filter(({ name, filename }) => filename === null && !settingFields.test(name));
  const texts = fields.map(({ bytes }) => bytes.toString("utf8"));
  const asked = { ...call, body: Buffer.from(JSON.stringify({ prompt: texts })) };
  const { body: changed, contentFilters } = await filtered(deps, { call: asked, form: "transcriptions", ...covering });
  const read = contentFilters === undefined ? call : { ...call, contentFilters };
  if (changed === asked.body) return read;
  const { prompt } = JSON.parse(changed.toString("utf8")) as { prompt: readonly string[] };
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const [index, { bytes }] of fields.entries()) {
    // A part's bytes are those of the body.
    const from = bytes.byteOffset - body.byteOffset;
    pieces.push(body.subarray(copied, from), Buffer.from(prompt[index] ?? ""));
    copied = from + bytes.length;
  }
  return { ...read, body: await joinInTurns([...pieces, body.subarray(copied)], turn) };
}
