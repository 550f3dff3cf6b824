import { counted } from "../format.ts";
import { ApiError, NetworkError } from "./errors.ts";

/** The message for a failed call: what happened, what the server said, and whether retrying can help. */
export interface Explanation {
  title: string;
  /** one sentence on what to do now */
  advice: string;
  /** the server's own message */
  said: string | undefined;
  status: number | undefined;
  requestId: string | undefined;
  retry: boolean;
}

const byStatus: Record<number, readonly [title: string, advice: string, retry: boolean]> = {
  400: ["Check the highlighted fields", "Nothing was changed.", false],
  401: ["Your session ended", "Sign in again; what you entered is kept.", false],
  402: ["Out of credits", "Raise the limit that ran out, or wait for its reset.", false],
  403: ["You don't have permission", "Sign in with a key that has permission, or ask someone who has one.", false],
  404: ["It no longer exists", "It was deleted, or the address is wrong.", false],
  409: ["Someone else is changing this", "Your edits are kept. Compare, then try again.", true],
  413: ["That is too large", "Send less at once.", false],
  429: ["Slow down", "The gateway asked you to wait before trying again.", true],
  529: ["The provider is overloaded", "Try again in a moment.", true],
};

const noAnswer: Record<NetworkError["kind"], string> = {
  timeout: "It took too long to answer.",
  unreachable: "It may be down, or the network between you may be.",
};
const repeatIsSafe = " The change may or may not have been made. Sending it again is safe: it is made only once.";

/**
 * The message for any error that a call can end with.
 * @param secondsLeft of the wait that the gateway asked for
 */
export function explain(error: unknown, secondsLeft = secondsToWait(error)): Explanation {
  if (error instanceof NetworkError) {
    return {
      title: "No answer from the gateway",
      advice: noAnswer[error.kind] + (error.isOnce ? repeatIsSafe : ""),
      said: undefined,
      status: undefined,
      requestId: undefined,
      retry: true,
    };
  }
  if (!(error instanceof ApiError)) {
    return {
      title: "The console had a problem",
      advice: "Reload the page. If it happens again, report it with the version in the sidebar.",
      said: error instanceof Error ? error.message : undefined,
      status: undefined,
      requestId: undefined,
      retry: true,
    };
  }
  const [title, advice, retry] =
    byStatus[error.status] ??
    (error.status >= 500
      ? (["The gateway had a problem", "Try again in a moment.", true] as const)
      : (["The gateway refused this", "Nothing was changed.", false] as const));
  return {
    title,
    advice: waitAdvice(secondsLeft) ?? advice,
    said: error.message,
    status: error.status,
    requestId: error.requestId,
    retry,
  };
}

/** How long the gateway asks to wait, where it says so. */
export function secondsToWait(error: unknown): number | undefined {
  return error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
}

function waitAdvice(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  return seconds === 0 ? "You can try again now." : `Try again in ${counted(seconds, "second")}.`;
}

/** One sentence: the server's own, else what failed. */
export function errorText(error: unknown): string {
  const { title, said } = explain(error);
  return said ?? title;
}
