import { runInTurns, takeTurns } from "../../turns.ts";
import type { Context } from "../context.ts";

/** Reads a directory's request to its end: a large one in several turns of the thread. */
export async function inTurns<T>(ctx: Context, steps: Generator<void, T, void>): Promise<T> {
  return await runInTurns(steps, takeTurns(ctx.sourceIp ?? ctx.requestId));
}
