import { type ChildProcess, fork } from "node:child_process";
import { CallFailed } from "../call.ts";
import { failure } from "../failure.ts";
import type { ModelAnswer, ModelFacts, ModelRequest, ModelStart, Role } from "./model-messages.ts";

export interface LocalVectors {
  readonly vectors: readonly Float32Array[];
  /** for each text, by the model's own tokenizer */
  readonly tokens: readonly number[];
}

/** A text is longer than the model reads. */
export class TooLong extends Error {
  override readonly name = "TooLong";
  readonly index: number;
  readonly tokens: number;
  constructor(index: number, tokens: number) {
    super(`text ${index} has ${tokens} tokens`);
    this.index = index;
    this.tokens = tokens;
  }
}

/** A sentence-embedding model in processes of its own, so that it neither blocks other calls nor grows this process. */
export interface LocalModel {
  /** resolves when it is ready, rejects with the reason why it cannot be; loading is retried all the same */
  readonly loaded: Promise<ModelFacts>;
  /** @throws TooLong; CallFailed while it is not ready, is overloaded, or when its process ends */
  embed(texts: readonly string[], role: Role | null, truncate: boolean): Promise<LocalVectors>;
  close(): void;
}

interface Waiting {
  readonly resolve: (vectors: LocalVectors) => void;
  readonly reject: (error: Error) => void;
}

interface Member {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  ready: boolean;
}

/** Texts that may wait; beyond that a call is refused at once. */
const mostTexts = 10_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/** @param processes how many of them share the work */
export function startLocalModel(start: ModelStart, processes: number): LocalModel {
  const members = new Set<Member>();
  const { promise: loaded, resolve, reject } = Promise.withResolvers<ModelFacts>();
  // The promise may be ignored; a rejection must not be unhandled.
  loaded.catch(() => {});
  let problem = "it is still being loaded";
  let nextId = 0;
  let texts = 0;
  let retryMs = firstRetryMs;
  let closed = false;

  function begin() {
    if (closed) return;
    const child = fork(new URL("./model-process.ts", import.meta.url), [JSON.stringify(start)], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [],
    });
    const member: Member = { child, waiting: new Map(), ready: false };
    members.add(member);
    child.on("message", (answer: ModelAnswer) => hear(member, answer));
    child.on("error", (error) => (problem = error.message));
    child.once("exit", (code, signal) => {
      members.delete(member);
      if (member.ready) problem = `its process ended (${signal ?? code}) and is started again`;
      else
        reject(new Error(problem === "it is still being loaded" ? `its process ended (${signal ?? code})` : problem));
      for (const { reject: refuse } of member.waiting.values()) refuse(away(problem));
      setTimeout(begin, retryMs).unref();
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    });
  }

  function hear(member: Member, answer: ModelAnswer) {
    if (answer.type === "ready") {
      member.ready = true;
      retryMs = firstRetryMs;
      resolve(answer.facts);
      return;
    }
    if (answer.type === "failed") {
      problem = answer.message;
      reject(new Error(problem));
      return;
    }
    const waiting = member.waiting.get(answer.id);
    member.waiting.delete(answer.id);
    if (answer.type === "vectors") waiting?.resolve(answer);
    else if (answer.type === "tooLong") waiting?.reject(new TooLong(answer.index, answer.tokens));
    else waiting?.reject(away(answer.message));
  }

  for (let count = 0; count < processes; count += 1) begin();

  return {
    loaded,
    async embed(asked, role, truncate) {
      const [member] = [...members].filter(({ ready }) => ready).toSorted((a, b) => a.waiting.size - b.waiting.size);
      if (member === undefined) throw away(problem);
      if (texts + asked.length > mostTexts) {
        throw new CallFailed(failure("overloaded", { message: "too many texts are waiting for the local model" }));
      }
      texts += asked.length;
      try {
        const id = (nextId += 1);
        const request: ModelRequest = { id, texts: asked, role, truncate };
        return await new Promise((done, refuse) => {
          member.waiting.set(id, { resolve: done, reject: refuse });
          member.child.send(request, (error) => error && refuse(away(error.message)));
        });
      } finally {
        texts -= asked.length;
      }
    },
    close() {
      closed = true;
      for (const { child } of members) child.kill();
    },
  };
}

function away(problem: string): CallFailed {
  return new CallFailed(failure("connection", { message: `the local model is not there: ${problem}`, mayBill: false }));
}
