import { ApiError, NetworkError } from "./errors.ts";

/** What a person is told about a failed call: what happened, what the server said, and whether another try can help. */
export interface Explanation {
  title: string;
  /** one sentence on what to do now */
  advice: string;
  /** the server's own words */
  said: string | undefined;
  status: number | undefined;
  requestId: string | undefined;
  retry: boolean;
}

const byStatus: Record<number, readonly [title: string, advice: string, retry: boolean]> = {
  400: ["Check the highlighted fields", "Nothing was changed.", false],
  401: ["Your session ended", "Sign in again; what you entered is kept.", false],
  402: ["Out of credits", "Raise the limit that ran out, or wait for its reset.", false],
  403: ["This needs a management key", "Ask someone who has one, or sign in with another key.", false],
  404: ["It no longer exists", "It was deleted, or the address is wrong.", false],
  409: ["Someone else is changing this", "Your edits are kept. Compare, then try again.", true],
  413: ["That is too large", "Send less at once.", false],
  429: ["Slow down", "The gateway asks for a pause before the next try.", true],
  529: ["The provider is overloaded", "Try again in a moment.", true],
};

/** Words for any error that a call can end with. */
export function explain(error: unknown): Explanation {
  if (error instanceof NetworkError) {
    return {
      title: "No answer from the gateway",
      advice: error.kind === "timeout" ? "It took too long to answer." : "It may be down, or the network in between.",
      said: undefined,
      status: undefined,
      requestId: undefined,
      retry: true,
    };
  }
  if (!(error instanceof ApiError)) {
    return {
      title: "The console had a problem",
      advice: "Reload the page. If it stays, report it with the version at the foot of the sidebar.",
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
  return { title, advice, said: error.message, status: error.status, requestId: error.requestId, retry };
}
