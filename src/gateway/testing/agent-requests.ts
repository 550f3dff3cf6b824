import { fixture } from "./fixture.ts";

/** What coding agents send, in the shapes that public repositories recorded; the texts are our own. */
interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Claude Code 2.0.36 with an API key, as tianzecn/myclaudecode recorded it (`CLAUDE_CODE_PROTOCOL_COMPLETE.md`): its main
 * call, sent to `/v1/messages?beta=true`, and the turns in which a tool was called.
 */
const claudeCode = JSON.parse(fixture("claude-code.json")) as Recorded & { readonly turns: readonly object[] };
export const claudeCodeHeaders = claudeCode.headers;
export const claudeCodeBody = (model: string, further: readonly object[] = []) => {
  const { messages, ...body } = claudeCode.body;
  return { ...body, model, messages: [...(messages as object[]), ...further] } as Record<string, unknown>;
};

/** The call of a tool that the model made, and its result, as the next call brings them along. */
export const toolTurns = (id: string): object[] =>
  JSON.parse(JSON.stringify(claudeCode.turns).replaceAll("TOOL_USE_ID", id));

/** Codex, as openai/codex sets its headers (`codex-rs/core/src/client.rs`) and its call to `/v1/responses` (`ResponsesApiRequest`). */
const codex = JSON.parse(fixture("codex.json")) as Recorded;
export const codexHeaders = codex.headers;
export const codexBody = (model: string, more: object = {}) => ({
  tools: [] as object[],
  ...codex.body,
  model,
  ...more,
});
