import { answersOf } from "./scripted-vendor.ts";

/**
 * Answers of a vendor that speaks OpenAI's responses, as its documentation has them, with white space, members and events
 * that no reader knows: what is passed on must not change them.
 */

/** https://platform.openai.com/docs/api-reference/responses/create and /object */
export const wholeResponse = `{
  "id": "resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41",
  "object": "response",
  "created_at": 1741476777,
  "status": "completed",
  "completed_at": 1741476778,
  "error": null,
  "incomplete_details": null,
  "instructions": null,
  "max_output_tokens": null,
  "model": "upstream-model",
  "output": [
    {"type": "reasoning", "id": "rs_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d41", "summary": [{"type": "summary_text", "text": "Let me see \\u2026"}], "encrypted_content": "gAAAAABm=="},
    {"type": "hologram", "id": "hg_1", "surprise": [1e2, -0.0]},
    {
      "type": "message",
      "id": "msg_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d41",
      "status": "completed",
      "role": "assistant",
      "content": [
        {"type": "output_text", "text": "I'll check the weather.", "annotations": [], "logprobs": []}
      ]
    },
    {"type": "function_call", "id": "fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0", "call_id": "call_unLAR8MvFNptuiZK6K6HCy5k", "name": "get_current_weather", "arguments": "{\\"location\\":\\"Boston, MA\\",\\"unit\\":\\"celsius\\"}", "status": "completed"}
  ],
  "parallel_tool_calls": true,
  "previous_response_id": null,
  "reasoning": {"effort": null, "summary": null},
  "store": false,
  "temperature": 1.0,
  "text": {"format": {"type": "text"}},
  "tool_choice": "auto",
  "tools": [],
  "top_p": 1.0,
  "presence_penalty": 0.0,
  "frequency_penalty": 0.0,
  "truncation": "disabled",
  "usage": {
    "input_tokens": 160,
    "input_tokens_details": {"cached_tokens": 20},
    "output_tokens": 50,
    "output_tokens_details": {"reasoning_tokens": 12},
    "total_tokens": 210
  },
  "user": null,
  "metadata": {}
}`;

const shell = (status: string, rest: string) =>
  `{"id":"resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654","object":"response","created_at":1741290958,"status":"${status}","completed_at":null,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"model":"upstream-model","parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":false,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"presence_penalty":0.0,"frequency_penalty":0.0,"truncation":"disabled","user":null,"metadata":{},${rest}}`;

const message = "msg_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654";
const call = "fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0";
const callOf = (text: string, status: string) =>
  `{"type":"function_call","id":"${call}","call_id":"call_unLAR8MvFNptuiZK6K6HCy5k","name":"get_weather","arguments":${JSON.stringify(text)},"status":"${status}"}`;
const thought = (summary: string) =>
  `{"id":"rs_1","type":"reasoning","summary":[${summary}],"encrypted_content":"gAAAAABm=="}`;
const messageOf = (status: string, content: string) =>
  `{"id":"${message}","type":"message","status":"${status}","role":"assistant","content":[${content}]}`;
const part = (text: string) => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
const given = '{"location":"San Francisco"}';
const summary = '{"type":"summary_text","text":"Let me see \\u2026"}';

/** https://platform.openai.com/docs/api-reference/responses-streaming, in the order that it documents */
const events: readonly (readonly [type: string, members: string])[] = [
  ["response.created", `"response":${shell("in_progress", '"output":[],"usage":null')}`],
  ["response.in_progress", `"response":${shell("in_progress", '"output":[],"usage":null')}`],
  ["response.output_item.added", `"output_index":0,"item":${thought("")}`],
  [
    "response.reasoning_summary_part.added",
    '"item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}',
  ],
  [
    "response.reasoning_summary_text.delta",
    '"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Let me see \\u2026","obfuscation":"x9"',
  ],
  [
    "response.reasoning_summary_text.done",
    '"item_id":"rs_1","output_index":0,"summary_index":0,"text":"Let me see \\u2026"',
  ],
  ["response.reasoning_summary_part.done", `"item_id":"rs_1","output_index":0,"summary_index":0,"part":${summary}`],
  ["response.output_item.done", `"output_index":0,"item":${thought(summary)}`],
  ["response.output_item.added", `"output_index":1,"item":${messageOf("in_progress", "")}`],
  ["response.content_part.added", `"item_id":"${message}","output_index":1,"content_index":0,"part":${part("")}`],
  [
    "response.output_text.delta",
    `"item_id":"${message}","output_index":1,"content_index":0,"delta":"I'll check ","logprobs":[]`,
  ],
  [
    "response.output_text.delta",
    `"item_id":"${message}","output_index":1,"content_index":0,"delta":"the weather.","logprobs":[], "surprise": 1.0`,
  ],
  [
    "response.output_text.done",
    `"item_id":"${message}","output_index":1,"content_index":0,"text":"I'll check the weather.","logprobs":[]`,
  ],
  [
    "response.content_part.done",
    `"item_id":"${message}","output_index":1,"content_index":0,"part":${part("I'll check the weather.")}`,
  ],
  ["response.output_item.done", `"output_index":1,"item":${messageOf("completed", part("I'll check the weather."))}`],
  ["response.output_item.added", `"output_index":2,"item":${callOf("", "in_progress")}`],
  ["response.function_call_arguments.delta", `"item_id":"${call}","output_index":2,"delta":"{\\"location\\":\\"San"`],
  ["response.function_call_arguments.delta", `"item_id":"${call}","output_index":2,"delta":" Francisco\\"}"`],
  [
    "response.function_call_arguments.done",
    `"item_id":"${call}","output_index":2,"arguments":${JSON.stringify(given)},"name":"get_weather"`,
  ],
  ["response.output_item.done", `"output_index":2,"item":${callOf(given, "completed")}`],
  [
    "response.completed",
    `"response":${shell("completed", `"output":[${thought(summary)},${messageOf("completed", part("I'll check the weather."))},${callOf(given, "completed")}],"usage":{"input_tokens":160,"input_tokens_details":{"cached_tokens":20},"output_tokens":50,"output_tokens_details":{"reasoning_tokens":12},"total_tokens":210}`)}`,
  ],
];

export const streamedResponse: readonly string[] = events.map(
  ([type, members], at) => `event: ${type}\ndata: {"type":"${type}","sequence_number":${at},${members}}\n\n`,
);

/** What OpenAI adds to its answers, and what is no concern of the caller. */
export const vendorHeaders = {
  "openai-processing-ms": "312",
  "openai-version": "2020-10-01",
  "openai-organization": "org-1",
  "x-internal": "no",
};

export const { answering, answeringWhole } = answersOf(vendorHeaders, wholeResponse);
