/** What coding agents send, in the shapes that public repositories recorded; the texts are our own. */

/** Headers of Claude Code 2.0.36 with an API key, as tianzecn/myclaudecode recorded them (`CLAUDE_CODE_PROTOCOL_COMPLETE.md`). */
export const claudeCodeHeaders = {
  accept: "application/json",
  "accept-encoding": "gzip, deflate, br, zstd",
  "anthropic-beta": "interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14",
  "anthropic-dangerous-direct-browser-access": "true",
  "anthropic-version": "2023-06-01",
  "user-agent": "claude-cli/2.0.36 (external, cli)",
  "x-app": "cli",
  "x-stainless-arch": "arm64",
  "x-stainless-helper-method": "stream",
  "x-stainless-lang": "js",
  "x-stainless-os": "MacOS",
  "x-stainless-package-version": "0.68.0",
  "x-stainless-retry-count": "0",
  "x-stainless-runtime": "node",
  "x-stainless-runtime-version": "v24.3.0",
  "x-stainless-timeout": "600",
};

const cached = { cache_control: { type: "ephemeral" } };

/** The body of Claude Code's main call from the same record: sent to `/v1/messages?beta=true`. */
export const claudeCodeBody = (model: string, further: readonly object[] = []) => ({
  model,
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: `<system-reminder>${"The house rules of this project. ".repeat(30)}</system-reminder>` },
        { type: "text", text: "What is this package called?", ...cached },
      ],
    },
    ...further,
  ],
  system: [
    { type: "text", text: "You are an agent that works in a terminal.", ...cached },
    { type: "text", text: "Read files before you speak of them.", ...cached },
  ],
  tools: [
    {
      name: "Read",
      description: "Reads a file",
      input_schema: {
        type: "object",
        properties: { file_path: { type: "string" }, limit: { type: "number" } },
        required: ["file_path"],
        additionalProperties: false,
        $schema: "http://json-schema.org/draft-07/schema#",
      },
    },
  ],
  metadata: { user_id: `user_${"0a".repeat(32)}_account__session_34832e57-9b65-4df6-9604-60b9fc786bcb` },
  max_tokens: 32_000,
  stream: true,
});

/** The call of a tool that the model made, and its result, as the next call brings them along. */
export const toolTurns = (id: string) => [
  { role: "assistant", content: [{ type: "tool_use", id, name: "Read", input: { file_path: "/a/package.json" } }] },
  {
    role: "user",
    content: [{ tool_use_id: id, type: "tool_result", content: '{"name":"acme"}', ...cached }],
  },
];

/** Headers of Codex, as openai/codex sets them (`codex-rs/core/src/client.rs`). */
export const codexHeaders = {
  accept: "text/event-stream",
  originator: "codex_cli_rs",
  "user-agent": "codex_cli_rs/0.144.1 (Mac OS 26.0.0; arm64) xterm-256color",
  session_id: "0199f0a5-6f3e-7f40-9c54-6a0f6a8a1c11",
};

const spoken = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});

/** The body of Codex's call from the same source (`ResponsesApiRequest`): sent to `/v1/responses`. */
export const codexBody = (model: string, more: object = {}) => ({
  model,
  instructions: `You are an agent that works in a terminal. ${"Keep the house rules. ".repeat(30)}`,
  input: [
    spoken("developer", "The sandbox may read everything."),
    spoken("user", "What is this package called?"),
    { type: "reasoning", summary: [], content: null, encrypted_content: "gAAAAABo-thoughts" },
    { type: "function_call", name: "shell", arguments: '{"command":["cat","package.json"]}', call_id: "call_1" },
    { type: "function_call_output", call_id: "call_1", output: '{"output":"{\\"name\\":\\"acme\\"}"}' },
  ],
  tools: [
    {
      type: "function",
      name: "shell",
      description: "Runs a command",
      strict: false,
      parameters: {
        type: "object",
        properties: { command: { type: "array", items: { type: "string" } } },
        required: ["command"],
        additionalProperties: false,
      },
    },
  ],
  tool_choice: "auto",
  parallel_tool_calls: false,
  reasoning: { effort: "medium", summary: "auto" },
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "0199f0a5-6f3e-7f40-9c54-6a0f6a8a1c11",
  ...more,
});
