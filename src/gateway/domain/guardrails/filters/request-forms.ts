/** How a value of a request is read, wherever it is. */
export interface Reading {
  /**
   * `nothing` of it; its `texts`, however deep; `data`, which has texts in its names and numbers too; `json`: a text that
   * is JSON is data; `file`: a file of text, but no other file and no address; `loose`: texts, and of files those of text;
   * `tokens`: texts, and numbers that stand for some; `sealed`: nothing but a thought that the gateway wrote there
   */
  readonly reads: "nothing" | "texts" | "data" | "json" | "file" | "loose" | "tokens" | "sealed";
  readonly members?: Readonly<Record<string, Reading>>;
  /** members that are not listed; absent: as this value */
  readonly others?: Reading;
  /** elements of a list; absent: as this value */
  readonly items?: Reading;
  /** an object's `role` says who says what is in it; `user`: a user does, unless a role says otherwise */
  readonly speaker?: "role" | "user";
  /** how a text is read by the `type` of the object that it is a member of; absent: as `reads` says */
  readonly ofType?: (type: string | null) => Reading["reads"];
  /** in an object of this `type` that has a signature, the text cannot be changed */
  readonly signedIn?: string;
}

const nothing: Reading = { reads: "nothing" };
const data: Reading = { reads: "data" };
const file: Reading = { reads: "file", others: nothing, members: { url: { reads: "file" } } };

const all = (names: readonly string[], reading: Reading) => Object.fromEntries(names.map((name) => [name, reading]));

const words = (text: string) => text.split(/\s+/);

/** Members that say how a part is to be taken, or are read by programs alone. */
const partMarks = {
  ...all(
    words(`type id role name status phase index format detail model media_type mime_type call_id tool_call_id
    tool_use_id file_id approval_request_id container server_label server_name signature
    encrypted_index data cache_control created_by`),
    nothing,
  ),
  encrypted_content: { reads: "sealed" },
} satisfies Readonly<Record<string, Reading>>;
const addresses = all(
  ["url", "image_url", "video_url", "audio_url", "file_url", "file_data", "thumbnail", "input_image"],
  file,
);

/** A schema or a tool: what it says to the model, without the names by which programs know it. */
const schema: Reading = {
  reads: "texts",
  members: {
    ...all(
      words(`type name required pattern strict $ref $id $schema cache_control server_url server_label
    connector_id authorization authorization_token headers vector_store_ids container allowed_callers
    allowed_tools allowed_domains blocked_domains`),
      nothing,
    ),
    ...all(["input_examples", "examples", "enum", "const", "default"], data),
    // Of a schema, a name such as `date`; of a tool, the grammar of its input.
    format: { reads: "nothing", members: all(["type", "syntax"], nothing), others: { reads: "texts" } },
    get properties() {
      return named;
    },
    get patternProperties() {
      return named;
    },
    get $defs() {
      return named;
    },
    get definitions() {
      return named;
    },
  },
};
/** Schemas by names that may be any word. */
const named: Reading = { reads: "texts", others: schema };

/** A message, a part of one, or an item between messages. */
const part: Reading = {
  reads: "texts",
  members: {
    ...partMarks,
    ...addresses,
    arguments: { reads: "json" },
    input: data,
    tools: schema,
    thinking: { reads: "texts", signedIn: "thinking" },
    text: {
      reads: "texts",
      members: partMarks,
      signedIn: "reasoning.text",
      get others() {
        return part;
      },
    },
    source: {
      reads: "texts",
      members: {
        ...partMarks,
        ...addresses,
        data: { reads: "file", ofType: (type) => (type === "text" ? "texts" : "file") },
      },
      get others() {
        return part;
      },
    },
  },
};
/** The name of a person who speaks is a text; that of a function is not. */
const message: Reading = {
  ...part,
  speaker: "role",
  members: {
    ...part.members,
    name: { reads: "texts", ofType: (type) => (/call/.test(type ?? "") ? "nothing" : "texts") },
  },
  others: part,
};
const byUser: Reading = { ...part, speaker: "user" };
/** What a model is given besides a conversation; its members may be files, with or without a data URL's head. */
const given: Reading = { ...byUser, reads: "loose", others: { ...part, reads: "loose" } };

/** Members of a request that no model reads. */
const settings = all(
  words(`model models fallbacks preset provider route plugins transforms user session_id trace metadata
    safety_identifier prompt_cache_key prompt_cache_retention service_tier stream stream_options
    stream_format n best_of seed stop stop_sequences logit_bias logprobs top_logprobs temperature top_p
    top_k top_n max_tokens modalities audio max_completion_tokens max_output_tokens frequency_penalty
    presence_penalty parallel_tool_calls tool_choice function_call reasoning reasoning_effort thinking
    verbosity include store previous_response_id truncation truncate background container
    context_management conversation cache_control mcp_servers output_config output_format
    web_search_options user_location input_type encoding_format dimensions size resolution aspect_ratio
    quality voice speed response_format duration callback_url language input_audio
    timestamp_granularities generate_audio output_compression`),
  nothing,
);

/** Settings with a text in them that is for a model or a search. */
const spoken: Reading = {
  reads: "texts",
  members: all(
    words(`id type engine mode model models country timezone search_context_size include_domains exclude_domains
      allowed_models`),
    nothing,
  ),
};

/** Settings of Anthropic's that may hold texts for the model, beside words that programs read. */
const worded: Reading = {
  reads: "texts",
  members: all(
    words("type id name mode effort display budget_tokens trigger keep clear_at_least exclude_tools"),
    nothing,
  ),
};

const conversation = {
  ...settings,
  ...all(["plugins", "web_search_options", "user_location"], spoken),
  ...all(["context_management", "thinking", "tool_choice", "container"], worded),
  messages: message,
  tools: schema,
  functions: schema,
  response_format: schema,
  output_config: schema,
  output_format: schema,
};

/** The forms of requests whose texts are read. */
export const forms = {
  chat: { reads: "texts", members: conversation, others: part },
  completions: { reads: "texts", members: { ...conversation, prompt: byUser }, others: part },
  messages: { reads: "texts", members: { ...conversation, system: part }, others: part },
  responses: {
    reads: "texts",
    members: {
      ...conversation,
      // A text is a user's message, and an item without a role is no user's.
      input: { ...byUser, items: message },
      instructions: part,
      text: { reads: "texts", members: { verbosity: nothing }, others: schema },
      prompt: {
        reads: "texts",
        members: { id: nothing, version: nothing, variables: { reads: "texts", speaker: "user", others: byUser } },
      },
    },
    others: part,
  },
  embeddings: { reads: "loose", members: { ...settings, input: { ...byUser, reads: "tokens" } }, others: given },
  rerank: {
    reads: "loose",
    members: { ...settings, query: byUser, documents: { ...byUser, members: { ...part.members, image: file } } },
    others: given,
  },
  images: { reads: "loose", members: settings, others: given },
  videos: { reads: "loose", members: settings, others: given },
  speech: { reads: "loose", members: settings, others: given },
  transcriptions: { reads: "loose", members: settings, others: given },
} as const satisfies Readonly<Record<string, Reading>>;

/** A form of request. */
export type FilteredForm = keyof typeof forms;
