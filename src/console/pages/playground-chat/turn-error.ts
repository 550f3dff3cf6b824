import { paths } from "../../paths.ts";
import type { AnswerError } from "./answer.ts";

export interface TurnErrorWords {
  title: string;
  /** one sentence on what to do now */
  advice: string;
  link?: { label: string; to: string };
}

export interface TurnErrorPlace {
  /** the workspace as the address has it, and its id */
  workspace: string;
  workspaceId: string;
  model: string;
  /** the key that was called as; undefined: the playground's own */
  keyHash: string | undefined;
}

/** What went wrong in a turn, and what a person does about it; the server's own words are shown under it. */
export function turnErrorWords(error: AnswerError, place: TurnErrorPlace): TurnErrorWords {
  const { status, reason } = error;
  const provider = error.provider ?? "The provider";
  if (reason === "credentials" || reason === "payment") {
    const advice = reason === "payment" ? "It accepts no more calls until it is paid." : "It does not accept its key.";
    const link = { label: "See the providers", to: paths.providers(place.workspace) };
    return { title: `${provider} refused the gateway`, advice, link };
  }
  if (status === 402 || reason === "workspace_budget" || reason === "guardrail_budget")
    return moneyWords(reason, provider, place);
  if (reason === "playground_key" || reason === "key_disabled" || reason === "key_expired")
    return { title: "The key cannot be used", advice: "Enable or extend it, or choose another.", ...keyLink(place) };
  if (reason === "constraint_filtered" || reason === "privacy_restricted")
    return { title: "No provider fits the request", advice: "Choose another model, or loosen what restricts the key." };
  if (status === 404) {
    const link = { label: "See the models", to: paths.models(place.workspace) };
    return { title: `${place.model} cannot be called`, advice: "Choose another model.", link };
  }
  return byStatus(status, provider);
}

const keyLink = ({ workspace, keyHash }: TurnErrorPlace) => ({
  link: { label: "See the key", to: keyHash === undefined ? paths.keys(workspace) : paths.key(workspace, keyHash) },
});

function moneyWords(reason: string | null, provider: string, place: TurnErrorPlace): TurnErrorWords {
  const { workspace, workspaceId } = place;
  // the rest may be large, and the call larger: without a maximum it may cost as much as the model can write
  const advice = "Lower Max tokens, raise it, or wait for its reset.";
  if (reason === "key") return { title: "The key’s limit leaves too little for this call", advice, ...keyLink(place) };
  if (reason === "workspace_budget") {
    const link = { label: "See the budgets", to: paths.workspaceBudgets(workspace, workspaceId) };
    return { title: "The workspace’s budget leaves too little for this call", advice, link };
  }
  if (reason === "guardrail_budget") {
    const link = { label: "See the guardrails", to: paths.guardrails(workspace) };
    return { title: "A guardrail’s budget leaves too little for this call", advice, link };
  }
  if (reason === "credits") {
    const link = { label: "Add credits", to: paths.addCredits(workspace) };
    return { title: "The credits left are too few for this call", advice: "Lower Max tokens, or add some.", link };
  }
  const link = { label: "See the providers", to: paths.providers(workspace) };
  if (reason === "unpriced")
    return { title: `${place.model} has no price`, advice: "A limit needs one: set it at the provider.", link };
  return { title: `${provider} wants to be paid`, advice: "It accepts no more calls until then.", link };
}

function byStatus(status: number, provider: string): TurnErrorWords {
  const [title, advice] = words[status] ?? [
    status >= 500 ? `${provider} failed` : "The gateway refused this",
    status >= 500 ? "Send it again in a moment." : "Change what it names, and send again.",
  ];
  return { title: title.replace("{provider}", provider), advice };
}

const words: Readonly<Record<number, readonly [title: string, advice: string]>> = {
  0: ["The connection was lost", "What came is kept. The call may be charged; send it again when the gateway answers."],
  400: ["The gateway refused the request", "Change what it names, and send again."],
  401: ["Your session ended", "Sign in again; the conversation is kept."],
  403: ["The key may not do this", "Its guardrails or its workspace say so; nothing was sent to a provider."],
  408: ["{provider} did not answer in time", "Send it again in a moment."],
  413: ["The conversation is too large", "Remove images or turns, and send again."],
  422: ["{provider} cannot do what was asked", "Change what it names, and send again."],
  429: ["Too many calls", "Wait a moment, and send again."],
  500: ["The gateway had a problem", "Send it again in a moment."],
  524: ["{provider} did not answer in time", "It may charge this call, and the next one as well."],
  529: ["{provider} is overloaded", "Send it again in a moment, or choose another model."],
};
