import { answersOf } from "./scripted-vendor.ts";

/**
 * Answers of a vendor that speaks Anthropic's dialect, as its documentation has them, with white space, members and
 * events that no reader knows: what is passed on must not change them.
 */

/** https://docs.anthropic.com/en/api/messages, /build-with-claude/extended-thinking and /prompt-caching */
export const wholeMessage = `{
  "model": "claude-upstream",
  "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
  "type": "message",
  "role": "assistant",
  "content": [
    {"type": "thinking", "thinking": "Let me see \\u2026", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds=="},
    {"type": "text", "text": "I'll check the weather.", "citations": null},
    {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "weather", "n": 1.0}},
    {"type": "hologram", "surprise": [1e2, -0.0]},
    {"type": "tool_use", "id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "name": "get_weather", "input": {"location": "San Francisco"}, "caller": {"type": "direct"}}
  ],
  "stop_reason": "tool_use",
  "stop_sequence": null,
  "container": null,
  "usage": {
    "input_tokens": 100, "cache_creation_input_tokens": 40, "cache_read_input_tokens": 20,
    "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 10},
    "output_tokens": 50, "output_tokens_details": {"thinking_tokens": 12},
    "server_tool_use": {"web_search_requests": 0}, "service_tier": "standard", "inference_geo": "global"
  }
}`;

const events: readonly [name: string, data: string][] = [
  [
    "message_start",
    '{"type":"message_start","message":{"model":"claude-upstream","id":"msg_01","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":100,"cache_creation_input_tokens":40,"cache_read_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":30,"ephemeral_1h_input_tokens":10},"output_tokens":1,"service_tier":"standard"}}}',
  ],
  [
    "content_block_start",
    '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  ],
  ["ping", '{"type": "ping"}'],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me see \\u2026"}}',
  ],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pki=="}}',
  ],
  ["content_block_stop", '{"type":"content_block_stop","index":0}'],
  ["content_block_start", '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}'],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I\'ll check "}}',
  ],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"the weather."}}',
  ],
  ["content_block_stop", '{"type":"content_block_stop","index":1}'],
  [
    "content_block_start",
    '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_01","name":"get_weather","input":{}}}',
  ],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}',
  ],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"location\\": \\"San"}}',
  ],
  [
    "content_block_delta",
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" Francisco\\"}"}}',
  ],
  ["content_block_stop", '{"type":"content_block_stop","index":2}'],
  ["hologram_start", '{"type":"hologram_start", "index": 3, "surprise": 1.0}'],
  [
    "message_delta",
    '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":null,"output_tokens":50,"output_tokens_details":{"thinking_tokens":12},"server_tool_use":{"web_search_requests":0}}}',
  ],
  ["message_stop", '{"type":"message_stop"}'],
];

const framed = ([name, data]: readonly [string, string]) => `event: ${name}\ndata: ${data}\n\n`;

export const streamedMessage: readonly string[] = events.map(framed);

/** What Anthropic adds to its answers, and what is no concern of the caller. */
export const vendorHeaders = {
  "request-id": "req_018EeWyXxfu5pfWkrYcMdjWG",
  "anthropic-ratelimit-requests-remaining": "999",
  "anthropic-organization-id": "org-1",
  "x-internal": "no",
};

export const { answering, answeringWhole } = answersOf(vendorHeaders, wholeMessage);
