import { formatCount, formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { playgroundKeySearch as keySearch } from "../../shell/playground-key.ts";
import type { Run } from "./playground.ts";
import type { Refused } from "../../vectors/run-batch.ts";

export interface RefusalMessage {
  title: string;
  /** one sentence on what to do now */
  advice: string;
  /** where in this console that is done */
  link?: { label: string; to: string; search?: Record<string, string> };
}

/** The message for a call that returned nothing; the server's own message is shown under it. */
export function refusalMessage(
  refused: Refused,
  run: Pick<Run, "model" | "workspaceId">,
  workspace: string,
): RefusalMessage {
  const words = unbilledWords(refused, run, workspace);
  if (refused.cost === null) return words;
  const charged = `${formatUsd(refused.cost)} was charged for this call, the most that may be billed for it.`;
  return { ...words, advice: `${charged} A retry may cost as much again.` };
}

function unbilledWords(
  { status, reason, provider }: Refused,
  { model, workspaceId }: Pick<Run, "model" | "workspaceId">,
  workspace: string,
): RefusalMessage {
  const who = provider ?? "The provider";
  if (reason === "memory")
    return { title: "No room for the vectors", advice: "Discard an older run, or ask for fewer dimensions." };
  if (reason === "playground_key") {
    const link = { label: "See the key", to: paths.keys(workspace), search: keySearch };
    return { title: "The playground’s key cannot be used", advice: "Enable it, or delete it for another one.", link };
  }
  if (reason === "credentials" || reason === "payment") {
    const link = { label: "See the providers", to: paths.providers(workspace) };
    const advice = reason === "payment" ? "It accepts no more calls until it is paid." : "It does not accept its key.";
    return { title: `${who} refused the gateway`, advice, link };
  }
  if (status === 402 || reason === "workspace_budget" || reason === "guardrail_budget")
    return shortOfMoney(reason, who, workspace, workspaceId);
  if (status === 404 && (reason === "constraint_filtered" || reason === "privacy_restricted"))
    return { title: "No provider fits the request", advice: "Loosen the routing, or choose another model." };
  if (status === 404) {
    const link = { label: "See the models", to: paths.models(workspace) };
    return { title: `${model} is not an embedding model`, advice: "Choose another one above.", link };
  }
  const [title, advice] = byStatus[status] ?? [
    status >= 500 ? `${who} failed` : "The gateway refused this",
    status >= 500 ? "Try again in a moment." : "Change the request and run it again.",
  ];
  return { title: title.replace("{who}", who), advice };
}

/** How the gateway names an input of its call, which for a person is a row: `input.3`, or `input` where it is the only one. */
const inputName = /^input(?:\.\d+)?(?:\.content\S*)?(?= )/;

/**
 * The server's message in the person's terms.
 * @param what the row that it is about, such as "Row 904"
 */
export function messageAbout(what: string, message: string): string {
  return message.replace(inputName, what).replace("or send truncate: true", "or have it cut at the end");
}

/** What the server said of a row of a run, by the row's number in the input. */
export function rowMessage({ mode, shown }: Pick<Run, "mode" | "shown">, place: number, message: string): string {
  return messageAbout(mode === "text" ? "The text" : `Row ${formatCount(shown[place]?.number ?? 0)}`, message);
}

/** A row's name and the beginning of its text: "row 904, “parcel 903 was left…”". */
export function rowName({ number, text }: { number: number; text: string }, mostChars = 40): string {
  const start = text.trim().replace(/\s+/g, " ");
  const characters = Array.from(start.slice(0, 4 * mostChars));
  const shown = characters.length > mostChars ? `${characters.slice(0, mostChars).join("").trimEnd()}…` : start;
  return shown === "" ? `row ${formatCount(number)}` : `row ${formatCount(number)}, “${shown}”`;
}

const byStatus: Record<number, readonly [title: string, advice: string]> = {
  0: ["No answer from the gateway", "It may be down, or the network between you may be."],
  400: [
    "The gateway refused the input",
    "A retry would be refused too: change or remove what it names, and run again.",
  ],
  401: ["Your session ended", "Sign in again; what you entered is kept."],
  403: ["This is not allowed here", "Ask someone who manages this workspace."],
  408: ["{who} did not answer in time", "Try again in a moment."],
  413: ["That is too large for one call", "Shorten the text, or shrink the images, and run again."],
  422: [
    "The gateway refused the input",
    "A retry would be refused too: change or remove what it names, and run again.",
  ],
  429: ["Slow down", "There was not enough room for these calls. Try again in a moment."],
  500: ["The gateway had a problem", "Try again in a moment."],
  524: ["{who} did not answer in time", "It may bill this call, and a retry as well."],
  529: ["{who} is overloaded", "Try again in a moment, or let another provider answer."],
};

function shortOfMoney(reason: string | null, who: string, workspace: string, workspaceId: string): RefusalMessage {
  if (reason === "key") {
    const link = {
      label: "Raise the key’s limit",
      to: paths.keys(workspace),
      search: keySearch,
    };
    return { title: "Out of credits", advice: "The playground’s key of this workspace has reached its limit.", link };
  }
  if (reason === "workspace_budget") {
    const link = { label: "See the budgets", to: paths.workspaceBudgets(workspace, workspaceId) };
    return { title: "Out of credits", advice: "The workspace’s budget is used up.", link };
  }
  if (reason === "guardrail_budget") return { title: "Out of credits", advice: "A guardrail’s budget is used up." };
  if (reason === "credits") {
    const link = { label: "Add credits", to: paths.addCredits(workspace) };
    return { title: "Out of credits", advice: "The account has none left.", link };
  }
  const link = { label: "See the providers", to: paths.providers(workspace) };
  if (reason === "unpriced") return { title: "The model has no price", advice: "Give it one at its provider.", link };
  return { title: "Out of credits", advice: `${who} accepts no more calls until it is paid.`, link };
}
