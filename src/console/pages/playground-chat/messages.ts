/** A message in the form of chat. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string | readonly Part[];
}

type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/** What a turn's message is made of, and what each model answered. */
export interface SaidTurn {
  readonly text: string;
  /** as data URLs */
  readonly images: readonly string[];
  /** by lane; empty: that model gave no answer */
  readonly answers: readonly string[];
}

const userMessage = ({ text, images }: Pick<SaidTurn, "text" | "images">): Message => ({
  role: "user",
  content:
    images.length === 0
      ? text
      : [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...images.map((url) => ({ type: "image_url" as const, image_url: { url } })),
        ],
});

/**
 * The conversation as one of two models is sent it: with its own answers, and with the other's where it gave none, as
 * before it was chosen. A turn that nobody answered is left out: two messages of a user in a row are refused by some.
 */
export function messagesOf(
  system: string,
  turns: readonly SaidTurn[],
  next: Pick<SaidTurn, "text" | "images">,
  lane: number,
): Message[] {
  const said = turns.flatMap((turn): Message[] => {
    const content = turn.answers[lane] || turn.answers.find((answer) => answer !== "") || "";
    return content === "" ? [] : [userMessage(turn), { role: "assistant", content }];
  });
  const instructions: Message[] = system.trim() === "" ? [] : [{ role: "system", content: system }];
  return [...instructions, ...said, userMessage(next)];
}

/** All that is written in messages, for an estimate of their tokens. */
export const writtenIn = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")),
    )
    .join("\n");
