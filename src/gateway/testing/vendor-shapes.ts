/**
 * Chat answers and streams as servers of the OpenAI dialect send them, cut to the members that matter. `recorded`: seen
 * in a public recording of that server; `documented`: as its documentation has it; `fixture`: as another project's tests
 * have it, usually after a bug report. Ids, fingerprints and long texts are shortened.
 */
export interface VendorShape {
  readonly name: string;
  readonly source: "recorded" | "documented" | "fixture";
  /** the events of a stream; without it the answer is whole */
  readonly stream?: readonly object[];
  readonly whole?: object;
  /** what a caller has to read out of it */
  readonly text?: string;
  readonly reasoning?: string;
  /** the arguments of each tool call */
  readonly calls?: readonly string[];
}

const chunk = (choice: object | null, rest: object = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1736054703,
  model: "m",
  choices: choice === null ? [] : [choice],
  ...rest,
});
/** A chunk that says something and does not end the choice. */
const piece = (delta: object, rest: object = {}, choice: object = {}) =>
  chunk({ index: 0, delta, finish_reason: null, ...choice }, rest);
const whole = (message: object, rest: object = {}, choice: object = {}) => ({
  id: "c",
  object: "chat.completion",
  created: 1736054703,
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop", ...choice }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  ...rest,
});
const stop = { index: 0, delta: {}, finish_reason: "stop" };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const filters = { hate: { filtered: false, severity: "safe" } };
const assistant = { role: "assistant", content: "Hi" };

const openai: VendorShape[] = [
  {
    name: "OpenAI gpt-5-nano: no fingerprint, obfuscation",
    source: "recorded",
    text: "Hi",
    stream: [
      piece(
        { role: "assistant", content: "", refusal: null },
        { service_tier: "default", system_fingerprint: null, obfuscation: "hG" },
      ),
      piece({ content: "Hi" }, { system_fingerprint: null, obfuscation: "6E" }),
      chunk(stop, { system_fingerprint: null }),
      chunk(null, { system_fingerprint: null, usage, obfuscation: "" }),
    ],
  },
  {
    name: "OpenAI gpt-3.5-turbo-0613: null logprobs and fingerprint",
    source: "recorded",
    text: "Hello!",
    stream: [
      piece({ role: "assistant", content: "" }, { system_fingerprint: null }, { logprobs: null }),
      piece({ content: "Hello!" }, { system_fingerprint: null }, { logprobs: null }),
      chunk({ ...stop, logprobs: null }, { system_fingerprint: null }),
    ],
  },
  {
    name: "OpenAI gpt-4o: tool call with null content",
    source: "recorded",
    calls: ['{"city":"Paris"}'],
    stream: [
      piece(
        {
          role: "assistant",
          content: null,
          tool_calls: [{ index: 0, id: "call_2U", type: "function", function: { name: "get_weather", arguments: "" } }],
          refusal: null,
        },
        {},
        { logprobs: null },
      ),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] }),
      chunk({ index: 0, delta: {}, finish_reason: "tool_calls" }),
    ],
  },
  {
    name: "OpenAI gpt-4o: whole, annotations, details",
    source: "documented",
    text: "Hi",
    whole: whole(
      { ...assistant, refusal: null, annotations: [], audio: null },
      {
        service_tier: "default",
        system_fingerprint: null,
        usage: {
          ...usage,
          prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
        },
      },
      { logprobs: null },
    ),
  },
  {
    name: "OpenAI: logprobs",
    source: "documented",
    text: "Hi",
    whole: whole(
      assistant,
      {},
      {
        logprobs: {
          content: [
            {
              token: "Hi",
              logprob: -0.3,
              bytes: [72, 105],
              top_logprobs: [{ token: "Hi", logprob: -0.3, bytes: null }],
            },
          ],
          refusal: null,
        },
      },
    ),
  },
  {
    name: "OpenAI: refusal",
    source: "documented",
    whole: whole({ role: "assistant", content: null, refusal: "I cannot help" }),
  },
  {
    name: "OpenAI gpt-4o-audio: audio",
    source: "documented",
    whole: whole({
      role: "assistant",
      content: null,
      refusal: null,
      audio: { id: "audio_1", expires_at: 1729234747, data: "AAAA", transcript: "Hi" },
    }),
  },
  {
    name: "gpt-4o through a proxy: every member null",
    source: "recorded",
    text: "Hello",
    stream: [
      piece(
        { content: "", role: "assistant", refusal: null, function_call: null, tool_calls: null },
        { system_fingerprint: null },
        { logprobs: null },
      ),
      piece(
        { content: "Hello", role: null, refusal: null, function_call: null, tool_calls: null },
        {},
        { logprobs: null },
      ),
      chunk({
        index: 0,
        delta: { content: null, role: null, refusal: null, function_call: null, tool_calls: null },
        finish_reason: "stop",
      }),
    ],
  },
  {
    name: "gpt-5-mini through a gateway: no finish_reason",
    source: "fixture",
    text: "Hi",
    stream: [chunk({ index: 0, delta: { role: "assistant", content: "Hi" } }), chunk(stop)],
  },
  {
    name: "Azure: prompt filter frame before all",
    source: "recorded",
    text: "Hello",
    stream: [
      {
        choices: [],
        created: 0,
        id: "",
        model: "",
        object: "",
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
      },
      piece(
        { content: "", refusal: null, role: "assistant" },
        { usage: null },
        { content_filter_results: {}, logprobs: null },
      ),
      piece({ content: "Hello" }, { usage: null }, { content_filter_results: filters, logprobs: null }),
      chunk(
        { content_filter_results: {}, delta: {}, finish_reason: "stop", index: 0, logprobs: null },
        { usage: null },
      ),
      chunk(null, { usage, system_fingerprint: null }),
    ],
  },
  {
    name: "Azure: asynchronous filter, choice without delta",
    source: "documented",
    text: "Hi",
    stream: [
      piece({ role: "assistant", content: "Hi" }),
      chunk({
        index: 0,
        finish_reason: null,
        content_filter_results: filters,
        content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
      }),
      chunk(stop),
    ],
  },
  {
    name: "Azure: tool call streamed, no finish_reason",
    source: "recorded",
    calls: ["{}"],
    stream: [
      piece(
        {
          content: null,
          role: "assistant",
          tool_calls: [
            { function: { arguments: "{}", name: "search_notes" }, id: "call_i", index: 0, type: "function" },
          ],
        },
        {},
        { content_filter_results: {}, logprobs: null },
      ),
      chunk({ index: 0, content_filter_results: {}, delta: {}, finish_reason: "tool_calls" }),
    ],
  },
  {
    name: "Azure: whole, filters",
    source: "documented",
    text: "Hi",
    whole: whole(
      { ...assistant, refusal: null, annotations: [] },
      { prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }], system_fingerprint: "fp" },
      { content_filter_results: filters, logprobs: null },
    ),
  },
];

const hosted: VendorShape[] = [
  {
    name: "Together: text beside delta, token id, null tool calls, eos",
    source: "recorded",
    text: "ABC",
    stream: [
      piece(
        { token_id: 30, role: "assistant", content: "AB", tool_calls: null },
        { usage: null },
        { text: "AB", logprobs: null, seed: null },
      ),
      chunk(
        {
          index: 0,
          text: "C",
          logprobs: null,
          finish_reason: "eos",
          seed: 2039908639335532000,
          delta: { token_id: 128009, role: "assistant", content: "C", tool_calls: null },
        },
        { usage },
      ),
    ],
  },
  {
    name: "Together: whole, eos, empty tool calls, prompt list",
    source: "documented",
    text: "Hi",
    whole: whole({ ...assistant, tool_calls: [] }, { prompt: [] }, { finish_reason: "eos", seed: 17, logprobs: null }),
  },
  {
    name: "Together: logprobs as lists",
    source: "documented",
    text: "Hi",
    whole: whole(assistant, {}, { logprobs: { token_ids: [1], tokens: ["Hi"], token_logprobs: [-0.1] } }),
  },
  {
    name: "Together: no index, no finish_reason",
    source: "fixture",
    text: " writing",
    stream: [
      {
        object: "chat.completion.chunk",
        choices: [{ delta: { token_id: 4477, role: "assistant", content: " writing" } }],
        model: "meta-llama",
      },
      chunk(stop),
    ],
  },
  {
    name: "Groq: usage in x_groq",
    source: "recorded",
    calls: ['{"value":"a"}'],
    stream: [
      piece({ role: "assistant", content: null }, { x_groq: { id: "req_01" } }, { logprobs: null }),
      piece({
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "t", arguments: '{"value":"a"}' } }],
      }),
      chunk(
        { index: 0, delta: {}, logprobs: null, finish_reason: "tool_calls" },
        { x_groq: { id: "req_01", usage: { ...usage, queue_time: 0.06 } } },
      ),
    ],
  },
  {
    name: "Groq gpt-oss: whole with reasoning",
    source: "fixture",
    text: "ok",
    reasoning: "short",
    whole: whole(
      { role: "assistant", content: "ok", reasoning: "short" },
      { usage_breakdown: null, x_groq: { id: "req_01", seed: 1321871292 }, service_tier: "on_demand" },
      { logprobs: null },
    ),
  },
  {
    name: "Groq llama-4: whole",
    source: "recorded",
    text: "The answer is 4.",
    whole: whole(
      { role: "assistant", content: "The answer is 4." },
      { usage_breakdown: { models: null }, usage: { ...usage, queue_time: 0.63, total_time: 0.017 } },
      { logprobs: null },
    ),
  },
  {
    name: "Groq: compound without text in between",
    source: "documented",
    text: "Hi",
    reasoning: "thinking",
    stream: [
      piece({ role: "assistant", reasoning: "thinking", channel: "analysis" }, {}, { logprobs: null }),
      piece({ content: "Hi" }, {}, { logprobs: null }),
      chunk({ ...stop, logprobs: null }, { x_groq: { id: "r", usage } }),
    ],
  },
  {
    name: "Mistral: whole, null tool calls",
    source: "recorded",
    text: "Hi",
    whole: whole({ role: "assistant", tool_calls: null, content: "Hi" }, {}, { logprobs: null }),
  },
  {
    name: "Mistral: tool call without type",
    source: "recorded",
    calls: ["{}"],
    stream: [
      piece({ role: "assistant", content: "" }),
      chunk(
        {
          index: 0,
          delta: { tool_calls: [{ id: "4dI1Jw6NX", function: { name: "llm_version", arguments: "{}" }, index: 0 }] },
          finish_reason: "tool_calls",
        },
        { usage },
      ),
    ],
  },
  {
    name: "Mistral: tool calls whole, no type",
    source: "documented",
    calls: ["{}"],
    whole: whole(
      { role: "assistant", content: "", tool_calls: [{ id: "D681PevKs", function: { name: "f", arguments: "{}" } }] },
      {},
      { finish_reason: "tool_calls" },
    ),
  },
  {
    name: "Magistral: thinking as parts of a stream",
    source: "recorded",
    text: "Done",
    reasoning: "I think about",
    stream: [
      piece({ role: "assistant", content: "" }),
      piece({ content: [{ type: "thinking", thinking: [{ type: "text", text: "I think" }] }] }),
      piece({ content: [{ type: "thinking", thinking: [{ type: "text", text: " about" }] }] }),
      chunk({ index: 0, delta: { content: "Done" }, finish_reason: "stop" }, { usage }),
    ],
  },
  {
    name: "Magistral: thinking in a whole answer",
    source: "documented",
    text: "Done",
    reasoning: "plan",
    whole: whole({
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "plan" }] },
        { type: "text", text: "Done" },
      ],
      tool_calls: null,
    }),
  },
  {
    name: "Mistral: usage within the choice, model_length",
    source: "fixture",
    text: "Hello",
    stream: [chunk({ index: 0, delta: { content: "Hello" }, finish_reason: "model_length", usage })],
  },
  {
    name: "DeepSeek chat: null usage",
    source: "recorded",
    text: "你好",
    stream: [
      piece({ role: "assistant", content: "" }, { usage: null }, { logprobs: null }),
      piece({ content: "你好" }, { usage: null }, { logprobs: null }),
      chunk(
        { index: 0, delta: { content: "" }, logprobs: null, finish_reason: "stop" },
        { usage: { ...usage, prompt_cache_hit_tokens: 0 } },
      ),
    ],
  },
  {
    name: "DeepSeek reasoner: null content while it thinks",
    source: "documented",
    text: "42",
    reasoning: "Hm",
    stream: [
      piece({ role: "assistant", content: null, reasoning_content: "" }),
      piece({ content: null, reasoning_content: "Hm" }),
      piece({ content: "42", reasoning_content: null }),
      chunk({ index: 0, delta: { content: "", reasoning_content: null }, finish_reason: "stop" }, { usage }),
    ],
  },
  {
    name: "DeepSeek reasoner: whole",
    source: "documented",
    text: "42",
    reasoning: "Hm",
    whole: whole(
      { role: "assistant", content: "42", reasoning_content: "Hm" },
      { usage: { ...usage, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 3 } },
      { logprobs: null },
    ),
  },
  {
    name: "DeepSeek: insufficient_system_resource",
    source: "documented",
    text: "Hi",
    stream: [
      chunk({ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: "insufficient_system_resource" }),
    ],
  },
  {
    name: "xAI grok-4.3: whole",
    source: "recorded",
    text: "I accept.",
    whole: whole(
      { role: "assistant", content: "I accept.", refusal: null },
      {
        usage: {
          ...usage,
          prompt_tokens_details: { text_tokens: 597, audio_tokens: 0, image_tokens: 0, cached_tokens: 0 },
          num_sources_used: 0,
          cost_in_usd_ticks: 1489500,
        },
        service_tier: "default",
      },
    ),
  },
  {
    name: "xAI grok: reasoning_content",
    source: "fixture",
    text: "Pong",
    reasoning: "ping check",
    whole: whole(
      { role: "assistant", content: "Pong", reasoning_content: "ping check", refusal: null },
      {},
      { native_finish_reason: "stop" },
    ),
  },
  {
    name: "xAI grok-code: no finish_reason while it speaks",
    source: "recorded",
    text: "```",
    reasoning: " feeling",
    stream: [
      chunk({ index: 0, delta: { role: "assistant", reasoning_content: " feeling" } }),
      chunk({ index: 0, delta: { content: "```" } }),
      chunk(stop),
      chunk(null, { usage: { ...usage, num_sources_used: 0, cost_in_usd_ticks: 0 } }),
    ],
  },
  {
    name: "Fireworks: empty finish_reason, reasoning_content",
    source: "fixture",
    text: "hello",
    reasoning: "think more",
    stream: [
      {
        id: "c",
        model: "m",
        choices: [{ index: 0, delta: { role: "assistant", reasoning_content: "think " }, finish_reason: "" }],
      },
      {
        id: "c",
        model: "m",
        choices: [{ index: 0, delta: { reasoning_content: "more", content: "hello" }, finish_reason: "" }],
      },
      { id: "c", model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
    ],
  },
  {
    name: "Fireworks: whole",
    source: "documented",
    text: "Hi",
    whole: whole(
      { role: "assistant", content: "Hi", reasoning_content: null, tool_calls: null, function_call: null },
      { perf_metrics: null },
    ),
  },
  {
    name: "Perplexity sonar: citations, message beside delta",
    source: "recorded",
    text: "Rust ecosystem",
    stream: [
      {
        id: "1",
        model: "sonar",
        created: 1718345013,
        citations: ["https://example.com/rust"],
        usage: { ...usage, search_context_size: "low" },
        object: "chat.completion.chunk",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Rust" },
            delta: { content: "Rust", role: "assistant" },
            finish_reason: null,
          },
        ],
      },
      {
        id: "1",
        model: "sonar",
        created: 1718345013,
        object: "chat.completion.done",
        images: [],
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Rust ecosystem" },
            delta: { content: " ecosystem", role: null },
            finish_reason: "stop",
          },
        ],
      },
    ],
  },
  {
    name: "Perplexity sonar: whole",
    source: "documented",
    text: "Hi",
    whole: whole(
      assistant,
      {
        citations: ["https://example.com"],
        search_results: [{ title: "T", url: "https://example.com", date: null }],
        usage: { ...usage, cost: { total_cost: 0.02 } },
      },
      { delta: { role: "assistant", content: "" } },
    ),
  },
  {
    name: "OpenRouter: GLM through DeepInfra",
    source: "recorded",
    text: "",
    reasoning: "Okay",
    stream: [
      piece(
        {
          role: "assistant",
          content: "",
          reasoning: "Okay",
          reasoning_details: [{ type: "reasoning.text", text: "Okay", format: "unknown", index: 0 }],
        },
        { provider: "DeepInfra" },
        { native_finish_reason: null, logprobs: null },
      ),
      chunk({ ...stop, native_finish_reason: "stop", logprobs: null }, { provider: "DeepInfra" }),
    ],
  },
  {
    name: "OpenRouter: null reasoning, empty details",
    source: "recorded",
    text: "Salut",
    stream: [
      piece(
        { role: "assistant", content: "Salut", reasoning: null, reasoning_details: [] },
        { provider: "Google" },
        { native_finish_reason: null, logprobs: null },
      ),
      chunk(
        {
          index: 0,
          delta: { role: "assistant", content: "" },
          finish_reason: "stop",
          native_finish_reason: "STOP",
          logprobs: null,
        },
        { usage: { ...usage, cost: 0.000171, is_byok: false, cost_details: { upstream_inference_cost: null } } },
      ),
    ],
  },
  {
    name: "OpenRouter: legacy text without delta",
    source: "fixture",
    text: "Hello world",
    stream: [
      chunk({ index: 0, text: "Hello", finish_reason: null, native_finish_reason: null, logprobs: null }),
      chunk({ index: 0, text: " world", finish_reason: null, native_finish_reason: null, logprobs: null }),
      chunk({ index: 0, text: "", finish_reason: "stop", native_finish_reason: "stop", logprobs: null }),
    ],
  },
  {
    name: "OpenRouter: image answer",
    source: "documented",
    whole: whole({
      role: "assistant",
      content: "",
      refusal: null,
      reasoning: null,
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
    }),
  },
  {
    name: "SambaNova: created with fractions",
    source: "recorded",
    text: "Paris",
    whole: whole(
      { content: "Paris", role: "assistant" },
      {
        created: 1746852567.742961,
        system_fingerprint: "fastcoe",
        usage: { ...usage, is_last_response: true, stop_reason: "stop" },
      },
      { logprobs: null },
    ),
  },
  {
    name: "SambaNova: stream",
    source: "recorded",
    text: "Tesla",
    stream: [
      piece(
        { content: "Tesla", role: "assistant" },
        { created: 1771518114.25, system_fingerprint: "fastcoe" },
        { logprobs: null },
      ),
      chunk(
        { delta: { content: "", role: "assistant" }, finish_reason: "stop", index: 0, logprobs: null },
        { created: 1771518114.5, usage: { ...usage, is_last_response: true } },
      ),
    ],
  },
  {
    name: "Cerebras: no finish_reason, reasoning, times",
    source: "fixture",
    text: "Hello world",
    reasoning: "thinking hard",
    stream: [
      { choices: [{ index: 0, delta: { role: "assistant" } }] },
      { choices: [{ index: 0, delta: { reasoning: "thinking hard" } }] },
      { service_tier: "default", choices: [{ index: 0, delta: { content: "Hello" } }] },
      { choices: [{ index: 0, delta: { content: " world" }, finish_reason: "stop" }] },
      { choices: [], usage: { ...usage, image_tokens: 0 }, time_info: { queue_time: 0.001, created: 1782514735.28 } },
    ],
  },
  {
    name: "Cerebras qwen-3: whole",
    source: "recorded",
    text: "Hi",
    whole: whole(
      { content: "Hi", role: "assistant" },
      { time_info: { queue_time: 0.0002, created: 1748552717 } },
      { finish_reason: "length" },
    ),
  },
  {
    name: "Gemini in OpenAI's form: tool call without index, empty id",
    source: "recorded",
    calls: ['{"location":"New York, NY"}'],
    stream: [
      chunk(
        {
          delta: {
            role: "assistant",
            tool_calls: [
              { function: { arguments: '{"location":"New York, NY"}', name: "get_weather" }, id: "", type: "function" },
            ],
          },
          finish_reason: "tool_calls",
          index: 0,
        },
        { usage: { ...usage, total_tokens: 171 } },
      ),
    ],
  },
  {
    name: "Gemini in OpenAI's form: two tool calls without index",
    source: "documented",
    calls: ['{"pattern":"*"}', '{"path":"a"}'],
    stream: [
      piece({
        role: "assistant",
        tool_calls: [
          { function: { arguments: '{"pattern":"*"}', name: "glob" }, id: "function-call-1", type: "function" },
        ],
      }),
      chunk({
        delta: {
          role: "assistant",
          tool_calls: [
            { function: { arguments: '{"path":"a"}', name: "read" }, id: "function-call-2", type: "function" },
          ],
        },
        finish_reason: "tool_calls",
        index: 0,
      }),
    ],
  },
  {
    name: "Gemini in OpenAI's form: role alone, stop, nothing said",
    source: "recorded",
    text: "",
    stream: [
      chunk(
        { delta: { role: "assistant" }, finish_reason: "stop", index: 0 },
        { usage: { completion_tokens: 0, prompt_tokens: 5051, total_tokens: 5051 } },
      ),
    ],
  },
  {
    name: "Gemini in OpenAI's form: whole",
    source: "recorded",
    text: "Ghostbusters",
    whole: whole(
      { content: "Ghostbusters", role: "assistant" },
      { usage: { completion_tokens: 2, prompt_tokens: 17, total_tokens: 49 } },
    ),
  },
  {
    name: "MiniMax: name, audio_content, sensitive marks",
    source: "recorded",
    text: "hello",
    stream: [
      chunk(
        { index: 0, delta: { content: "hello", role: "assistant", name: "MiniMax AI", audio_content: "" } },
        { usage: null, input_sensitive: false, output_sensitive: false },
      ),
      chunk(
        { finish_reason: "stop", index: 0, delta: {}, output_sensitive_int: 0 },
        { base_resp: { status_code: 0, status_msg: "" }, usage: { ...usage, total_characters: 0 } },
      ),
    ],
  },
  {
    name: "MiniMax: the whole message again at the end",
    source: "fixture",
    text: "123",
    stream: [
      {
        id: "mmx",
        object: "chat.completion.chunk",
        created: 1714636804,
        choices: [{ index: 0, delta: { role: "assistant", content: "1" } }],
      },
      {
        id: "mmx",
        object: "chat.completion.chunk",
        created: 1714636804,
        choices: [{ index: 0, delta: { content: "23" } }],
      },
      {
        id: "mmx",
        object: "chat.completion",
        created: 1714636804,
        choices: [{ index: 0, message: { role: "assistant", content: "123" }, finish_reason: "stop" }],
        usage,
      },
    ],
  },
  {
    name: "MiniMax: a tool call's arguments alone",
    source: "recorded",
    calls: ['{"a":1}'],
    stream: [
      chunk({
        index: 0,
        delta: {
          role: "assistant",
          name: "MiniMax AI",
          tool_calls: [{ id: "call_f", type: "function", function: { name: "f", arguments: "" }, index: 0 }],
        },
      }),
      chunk(
        {
          index: 0,
          delta: {
            role: "assistant",
            name: "MiniMax AI",
            tool_calls: [{ function: { arguments: '{"a":1}' }, index: 0 }],
          },
        },
        { usage: { total_tokens: 0, total_characters: 0 } },
      ),
      chunk({ index: 0, delta: {}, finish_reason: "tool_calls" }),
    ],
  },
  {
    name: "Moonshot kimi: usage within the choice",
    source: "documented",
    text: "Hi",
    stream: [
      piece({ role: "assistant", content: "" }),
      piece({ content: "Hi" }),
      chunk({ index: 0, delta: {}, finish_reason: "stop", usage }),
    ],
  },
  {
    name: "DashScope qwen: an empty text at the start of each call",
    source: "documented",
    calls: ['{"location":"Berlin"}'],
    stream: [
      piece(
        {
          content: null,
          role: "assistant",
          tool_calls: [{ index: 0, id: "call_", type: "function", function: { name: "w", arguments: "" } }],
          function_call: null,
          reasoning_content: null,
        },
        { system_fingerprint: null, usage: null },
        { logprobs: null },
      ),
      piece({
        content: null,
        tool_calls: [
          { index: 0, id: "", type: "function", function: { name: null, arguments: '{"location":"Berlin"}' } },
        ],
        role: null,
      }),
      chunk({ finish_reason: "tool_calls", delta: { content: "", reasoning_content: null }, index: 0, logprobs: null }),
    ],
  },
  {
    name: "Coze: message beside delta, empty finish_reason",
    source: "recorded",
    text: "吗？",
    stream: [
      chunk(
        {
          index: 0,
          message: { role: "assistant", content: "你好！吗？" },
          logprobs: null,
          finish_reason: "",
          delta: { content: "吗？" },
        },
        { usage, system_fingerprint: null },
      ),
      chunk({ index: 0, logprobs: null, finish_reason: "stop", delta: {} }),
    ],
  },
  {
    name: "NVIDIA NIM: empty tool calls",
    source: "documented",
    text: "Hi",
    stream: [
      piece({ role: "assistant", content: null }, {}, { logprobs: null }),
      piece(
        { role: null, content: "Hi", tool_calls: [], reasoning_content: null },
        {},
        { logprobs: null, stop_reason: null },
      ),
      chunk({ index: 0, delta: { role: null, content: "" }, logprobs: null, finish_reason: "stop", stop_reason: null }),
    ],
  },
];

const selfHosted: VendorShape[] = [
  {
    name: "vLLM 0.9: no finish_reason, empty tool calls",
    source: "recorded",
    text: "안녕",
    stream: [
      piece({ role: "assistant", content: "" }, {}, { logprobs: null }),
      chunk({ index: 0, delta: { content: "안", tool_calls: [] } }),
      chunk({ index: 0, delta: { content: "녕", tool_calls: [] } }),
      chunk({ index: 0, delta: { content: "", tool_calls: [] }, finish_reason: "stop", stop_reason: null }),
    ],
  },
  {
    name: "vLLM 0.13: whole, all members null",
    source: "recorded",
    text: "391",
    whole: whole(
      {
        role: "assistant",
        content: "391",
        refusal: null,
        annotations: null,
        audio: null,
        function_call: null,
        tool_calls: [],
        reasoning: null,
        reasoning_content: null,
      },
      {
        service_tier: null,
        system_fingerprint: null,
        usage: { ...usage, prompt_tokens_details: null },
        prompt_logprobs: null,
        prompt_token_ids: null,
        kv_transfer_params: null,
      },
      { logprobs: null, stop_reason: null, token_ids: null },
    ),
  },
  {
    name: "vLLM 0.23: fingerprint, routed experts",
    source: "recorded",
    text: "北京",
    whole: whole(
      {
        role: "assistant",
        content: "北京",
        refusal: null,
        annotations: null,
        audio: null,
        function_call: null,
        reasoning: "一",
      },
      {
        service_tier: null,
        system_fingerprint: "vllm-0.23.0",
        usage: { ...usage, prompt_tokens_details: null, completion_tokens_details: null },
        prompt_text: null,
      },
      { logprobs: null, stop_reason: null, token_ids: null, routed_experts: null },
    ),
    reasoning: "一",
  },
  {
    name: "vLLM: numeric stop_reason",
    source: "documented",
    text: "Hi",
    whole: whole({ ...assistant, tool_calls: [] }, {}, { stop_reason: 128009, logprobs: null }),
  },
  {
    name: "SGLang: first chunk",
    source: "recorded",
    text: "Hi",
    reasoning: "The user",
    stream: [
      piece(
        { role: "assistant", content: "", reasoning_content: null, tool_calls: null },
        { usage: null },
        { logprobs: null, matched_stop: null },
      ),
      piece(
        { role: null, content: null, reasoning_content: "The", tool_calls: null },
        { usage: null },
        { logprobs: null, matched_stop: null },
      ),
      piece(
        { role: null, content: null, reasoning_content: " user", tool_calls: null },
        { usage: null },
        { logprobs: null, matched_stop: null },
      ),
      chunk(
        {
          index: 0,
          delta: { role: null, content: "Hi", reasoning_content: null, tool_calls: null },
          logprobs: null,
          finish_reason: "stop",
          matched_stop: 163586,
        },
        { usage },
      ),
    ],
  },
  {
    name: "SGLang: tool call whose id and name become null",
    source: "recorded",
    calls: ['{"command": "ls"}'],
    stream: [
      piece({ role: "assistant", content: "", reasoning_content: null, tool_calls: null }),
      piece({
        role: null,
        content: null,
        reasoning_content: null,
        tool_calls: [{ index: 0, id: "call_8d", type: "function", function: { name: "bash", arguments: "" } }],
      }),
      piece({
        role: null,
        content: null,
        tool_calls: [{ index: 0, id: null, type: "function", function: { name: null, arguments: '{"command": ' } }],
      }),
      piece({
        role: null,
        content: null,
        tool_calls: [{ index: 0, id: null, type: "function", function: { name: null, arguments: '"ls"}' } }],
      }),
      chunk({
        index: 0,
        finish_reason: "tool_calls",
        delta: { role: null, content: null, reasoning_content: null, tool_calls: null },
      }),
    ],
  },
  {
    name: "SGLang: whole",
    source: "recorded",
    text: "Okay",
    whole: whole(
      { role: "assistant", content: "Okay", reasoning_content: null, tool_calls: null },
      {
        usage: { ...usage, prompt_tokens_details: null, reasoning_tokens: 0 },
        metadata: { weight_version: "default" },
      },
      { logprobs: null, finish_reason: "length", matched_stop: null },
    ),
  },
  {
    name: "Ollama: reasoning",
    source: "recorded",
    text: "",
    reasoning: "Okay",
    stream: [
      piece({ role: "assistant", content: "", reasoning: "Okay" }, { system_fingerprint: "fp_ollama" }),
      chunk(
        { index: 0, delta: { role: "assistant", content: "" }, finish_reason: "length" },
        { system_fingerprint: "fp_ollama" },
      ),
    ],
  },
  {
    name: "Ollama: a whole tool call in one chunk",
    source: "recorded",
    calls: ['{"command":"ls -a"}'],
    stream: [
      piece({
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: "call_lb",
            index: 0,
            type: "function",
            function: { name: "run_command", arguments: '{"command":"ls -a"}' },
          },
        ],
      }),
      chunk({ index: 0, delta: { role: "assistant", content: "" }, finish_reason: "tool_calls" }),
    ],
  },
  {
    name: "Ollama: an answer that never began, created before Christ",
    source: "recorded",
    text: "",
    whole: whole({ role: "", content: "" }, { created: -62135596800, model: "" }, { finish_reason: null }),
  },
  {
    name: "llama.cpp: timings",
    source: "recorded",
    text: "Hi",
    reasoning: "Okay",
    stream: [
      {
        choices: [{ finish_reason: null, index: 0, delta: { role: "assistant", content: null } }],
        created: 1758777189,
        id: "c",
        model: "gpt-3.5-turbo",
        system_fingerprint: "b6510",
        object: "chat.completion.chunk",
      },
      {
        choices: [{ finish_reason: null, index: 0, delta: { reasoning_content: "Okay" } }],
        created: 1758777189,
        id: "c",
        model: "m",
        object: "chat.completion.chunk",
      },
      {
        choices: [{ finish_reason: null, index: 0, delta: { content: "Hi" } }],
        created: 1758777189,
        id: "c",
        model: "m",
        object: "chat.completion.chunk",
      },
      {
        choices: [{ finish_reason: "stop", index: 0, delta: {} }],
        created: 1758777189,
        id: "c",
        model: "m",
        object: "chat.completion.chunk",
        timings: { cache_n: 13, prompt_n: 1, predicted_n: 326 },
      },
    ],
  },
  {
    name: "llama.cpp: whole with reasoning alone",
    source: "fixture",
    reasoning: "model reasoning",
    whole: whole(
      { role: "assistant", reasoning_content: "model reasoning" },
      { timings: { cache_n: 13, prompt_n: 1 } },
    ),
  },
  {
    name: "LM Studio: stats, empty reasoning",
    source: "recorded",
    text: "Hello!",
    whole: whole(
      { role: "assistant", content: "Hello!", reasoning_content: "", tool_calls: [] },
      { stats: {}, system_fingerprint: "google/gemma-4-e4b" },
      { logprobs: null },
    ),
  },
  {
    name: "LM Studio: stats at the end of a stream, no index",
    source: "fixture",
    text: "Howdy",
    stream: [
      { model: "qwen", choices: [{ delta: { content: "Howdy" } }] },
      {
        model: "qwen",
        choices: [{ delta: {}, finish_reason: "stop" }],
        usage,
        stats: { tokens_per_second: 127.26, stop_reason: "eosFound" },
      },
    ],
  },
  {
    name: "TGI: empty id, eos_token",
    source: "recorded",
    text: "Why",
    stream: [
      {
        object: "chat.completion.chunk",
        id: "",
        created: 1738431890,
        model: "m",
        system_fingerprint: "3.0.1-sha",
        choices: [{ index: 0, delta: { role: "assistant", content: "Why" }, logprobs: null, finish_reason: null }],
        usage: null,
      },
      {
        object: "chat.completion.chunk",
        id: "",
        created: 1738431890,
        model: "m",
        system_fingerprint: "3.0.1-sha",
        choices: [{ index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: "eos_token" }],
        usage: null,
      },
    ],
  },
  {
    name: "TGI: tool call with arguments as an object",
    source: "documented",
    calls: ['{"location":"Paris"}'],
    whole: whole(
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: 0, type: "function", function: { description: null, name: "w", arguments: { location: "Paris" } } },
        ],
      },
      {},
      { logprobs: null, finish_reason: "eos_token" },
    ),
  },
  {
    name: "a small server: nothing but the text",
    source: "fixture",
    text: "Working on it...",
    stream: [
      { choices: [{ delta: { content: "Working on it" } }] },
      { choices: [{ delta: { content: "..." } }] },
      { choices: [{ delta: null, finish_reason: "stop" }] },
    ],
  },
  {
    name: "a small server: tool call without index",
    source: "fixture",
    calls: ['{"path":"main.go"}'],
    stream: [
      {
        choices: [
          {
            delta: {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "call_1", function: { name: "read", arguments: "" } }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { tool_calls: [{ function: { arguments: '{"path":' } }] }, finish_reason: null }] },
      {
        choices: [{ delta: { tool_calls: [{ function: { arguments: '"main.go"}' } }] }, finish_reason: "tool_calls" }],
      },
    ],
  },
  {
    name: "a small server: null audio and images, created as text",
    source: "fixture",
    text: "hi",
    whole: {
      created: "now",
      choices: [
        {
          message: { content: "hi", audio: null, images: null, tool_calls: null, reasoning_details: null, name: null },
        },
      ],
    },
  },
];

export const vendorShapes: readonly VendorShape[] = [...openai, ...hosted, ...selfHosted];
