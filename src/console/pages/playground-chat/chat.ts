import { useState } from "react";
import { session } from "../../api/session.ts";
import { createStore, type Store } from "../../api/store.ts";
import { formatUsd } from "../../format.ts";
import { type Answer, noAnswer } from "./answer.ts";
import { sumUsd } from "./cost.ts";
import { type Message, messagesOf, type SaidTurn, writtenIn } from "./messages.ts";
import { settledCost, streamAnswer } from "./stream-answer.ts";

/** One model's answer to a turn. Each has a store of its own, so that what comes redraws nothing else. */
export interface AnswerCell {
  readonly model: string;
  readonly lane: number;
  readonly answer: Store<Answer>;
  /** what was sent, for the estimate of its cost */
  readonly sent: string;
  stop(): void;
}

export interface Turn {
  readonly id: number;
  readonly text: string;
  readonly images: readonly string[];
  readonly cells: readonly AnswerCell[];
}

export interface ChatState {
  readonly system: string;
  readonly draft: string;
  readonly images: readonly string[];
  /** further members of the request, as JSON */
  readonly extra: string;
  readonly turns: readonly Turn[];
  /** answers that are coming */
  readonly busy: number;
  /** USD that the calls of this conversation were charged, those of removed turns too */
  readonly spent: number;
  /** calls whose cost is not known */
  readonly unknown: number;
}

/** A model that is asked, and everything of its request but the messages. */
export interface Lane {
  readonly model: string;
  readonly more: Readonly<Record<string, unknown>>;
}

export interface SendAs {
  readonly lanes: readonly Lane[];
  readonly workspaceId: string;
  readonly keyHash: string | undefined;
}

export interface Chat {
  readonly store: Store<ChatState>;
  /** what a screen reader is told: the start and the end of an answer, never its pieces */
  readonly said: Store<string>;
  change(next: Partial<ChatState>): void;
  /** @param at the turn that is sent again in place of itself and all after it; undefined: a new one */
  send(message: Pick<Turn, "text" | "images">, as: SendAs, at?: number): void;
  stop(): void;
  clear(): void;
}

const empty: ChatState = {
  system: "",
  draft: "",
  images: [],
  extra: "",
  turns: [],
  busy: 0,
  spent: 0,
  unknown: 0,
};

/** The one conversation of this tab: in memory only, until the tab is closed or signed out. */
let kept: Chat | undefined;

export function useChat(): Chat {
  const [chat] = useState(() => (kept ??= openChat()));
  return chat;
}

/** The turns as they are sent. */
export const saidTurns = (turns: readonly Turn[]): SaidTurn[] =>
  turns.map(({ text, images, cells }) => ({
    text,
    images,
    answers: [0, 1].map((lane) => cells.find((cell) => cell.lane === lane)?.answer.get().text ?? ""),
  }));

function openChat(): Chat {
  const store = createStore(empty);
  const said = createStore("");
  const change = (next: Partial<ChatState>) => store.set({ ...store.get(), ...next });
  let turns = 0;
  let conversation = 0;
  const stop = () => {
    for (const { cells } of store.get().turns) for (const cell of cells) cell.stop();
  };
  const unwatch = session.watch(() => {
    // an ended session is signed in to again over the page
    if (session.get().state !== "signed-out") return;
    unwatch();
    stop();
    kept = undefined;
  });

  function begin(lane: number, { model, more }: Lane, messages: readonly Message[], as: SendAs): AnswerCell {
    const answer = createStore(noAnswer);
    const controller = new AbortController();
    const show = inFrames(answer);
    const { workspaceId, keyHash } = as;
    const began = conversation;
    const started = () => said.set(`${model} began to answer.`);
    void streamAnswer({ workspaceId, keyHash, body: { ...more, model, messages } }, controller.signal, (next) => {
      if (next.state === "streaming" && answer.get().state === "waiting") started();
      show(next);
    }).then(async (last) => {
      show.end(last);
      change({ busy: store.get().busy - 1 });
      said.set(endWords(model, last));
      const cost = last.cost ?? (await laterCost(last));
      if (cost !== null && last.call !== null) answer.set({ ...last, cost });
      // what a cleared conversation still cost is none of the next one's
      if (conversation !== began) return;
      const { spent, unknown } = store.get();
      change(cost === null ? { unknown: unknown + 1 } : { spent: sumUsd([spent, cost]) });
    });
    return { model, lane, answer, sent: writtenIn(messages), stop: () => controller.abort() };
  }

  return {
    store,
    said,
    change,
    stop,
    send({ text, images }, as, at = store.get().turns.length) {
      const before = store.get().turns.slice(0, at);
      for (const { cells } of store.get().turns.slice(at)) for (const cell of cells) cell.stop();
      const { system, busy } = store.get();
      const cells = as.lanes.map((one, lane) =>
        begin(lane, one, messagesOf(system, saidTurns(before), { text, images }, lane), as),
      );
      turns += 1;
      change({ turns: [...before, { id: turns, text, images, cells }], busy: busy + cells.length });
    },
    clear() {
      stop();
      conversation += 1;
      const { system, extra, busy } = store.get();
      store.set({ ...empty, system, extra, busy });
    },
  };
}

/** Where the stream did not say: a refusal without a call costs nothing, and of a call the ledger knows. */
async function laterCost({ call, state, error }: Answer): Promise<number | null> {
  if (call !== null) return await settledCost(call);
  return state === "failed" && error?.status !== 0 ? 0 : null;
}

/** Shows at most one state a frame, however fast the pieces come. */
function inFrames(answer: Store<Answer>) {
  let frame = 0;
  let next = answer.get();
  function show(latest: Answer) {
    next = latest;
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      answer.set(next);
    });
  }
  show.end = (last: Answer) => {
    cancelAnimationFrame(frame);
    frame = 0;
    answer.set(last);
  };
  return show;
}

function endWords(model: string, { state, usage, cost }: Answer): string {
  if (state === "stopped") return `You stopped ${model}.`;
  if (state !== "done") return `${model} did not finish.`;
  const counted = usage === null ? "" : `, ${usage.completion} tokens`;
  return `${model} finished${counted}${cost === null ? "" : `, ${formatUsd(cost)}`}.`;
}
