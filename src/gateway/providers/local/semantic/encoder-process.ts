import { fork } from "node:child_process";
import type { EncodeRequest, ProcessMessage, TextAnswer, TextRequest } from "./messages.ts";

/** A process with the model in it, which takes one batch at a time. */
export interface EncoderProcess {
  readonly id: number | null;
  encode(texts: readonly TextRequest[]): void;
  /** at once, and without a further event */
  end(): void;
}

export interface ProcessEvents {
  readonly ready: () => void;
  readonly encoded: (answers: readonly TextAnswer[]) => void;
  /** it ended by itself, or the system gave none; at most once */
  readonly ended: (why: string) => void;
}

/**
 * Starts a process; nothing of it keeps the gateway from ending.
 * @throws Error where the system has no memory for one
 */
export function startEncoderProcess(folder: string, { ready, encoded, ended }: ProcessEvents): EncoderProcess {
  const child = fork(new URL("./model-process.ts", import.meta.url), [folder], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // It computes in buffers and makes little garbage.
    execArgv: ["--max-semi-space-size=2", "--max-old-space-size=256"],
  });
  let problem: string | null = null;
  let nextId = 0;
  let isOver = false;
  const over = (why: string) => {
    if (isOver) return;
    isOver = true;
    ended(why);
  };
  child.on("message", (message: ProcessMessage) => {
    if (message.type === "ready") ready();
    else if (message.type === "failed") problem = message.message;
    else if (message.id === nextId) encoded(message.answers);
  });
  child.once("error", (error) => {
    problem = error.message;
    // Without a process there is no exit.
    if (child.pid === undefined) over(problem);
  });
  child.once("exit", (code, signal) => over(problem ?? signal ?? `code ${code}`));
  child.unref();
  child.channel?.unref();
  return {
    id: child.pid ?? null,
    encode(texts) {
      nextId += 1;
      const request: EncodeRequest = { id: nextId, texts };
      // A process that is gone says so itself.
      child.send(request, () => {});
    },
    end() {
      isOver = true;
      child.kill("SIGKILL");
    },
  };
}
