import { CallFailed } from "../providers/call.ts";
import type { WholeAnswer } from "../providers/call-whole.ts";
import { type AnswerBody, BadAnswer, type HttpAdapter, type Upstream } from "../providers/provider.ts";
import { vendorText } from "../providers/redact.ts";
import { takeTurns } from "../turns.ts";
import { readAnswerBody } from "./answer-body.ts";
import { refusalIn, unlessBad } from "./useless-answer.ts";

/** Of an error's body. */
export const mostErrorBytes = 65_536;

interface Reading<Answer, Usage> {
  readonly adapter: HttpAdapter;
  readonly upstream: Upstream;
  /** the hash of the caller's key, whose turns it takes */
  readonly owner: string;
  /** lists, objects, and what is in them, that a long answer may hold */
  readonly mostValues: number;
  /** @throws BadAnswer */
  readonly readAnswer: (body: AnswerBody) => Answer;
  /** @throws BadAnswer */
  readonly readUsage: (body: AnswerBody) => Usage | null;
  /** is told the usage of an answer that cannot be used */
  readonly received: { usage: Usage | null };
}

/** Reads an answer that arrived as a whole. @throws CallFailed, BadAnswer */
export async function readWholeAnswer<Answer, Usage>(
  { status, headers, body }: WholeAnswer,
  { adapter, upstream, owner, mostValues, readAnswer, readUsage, received }: Reading<Answer, Usage>,
): Promise<Answer> {
  if (status !== 200) {
    const text = vendorText(upstream, body.subarray(0, mostErrorBytes));
    throw new CallFailed(adapter.readFailure(upstream, { status, headers, body: text }));
  }
  const read = await readAnswerBody(upstream, body, takeTurns(owner, { patient: true }), mostValues);
  try {
    return readAnswer(read);
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    received.usage = unlessBad(() => readUsage(read));
    const refusal = refusalIn({ adapter, upstream, headers, body: read });
    if (refusal === null) throw error;
    throw new CallFailed({ ...refusal, mayBill: refusal.mayBill || received.usage !== null });
  }
}
