import { basePath } from "#contract/api.ts";

/** A request designed to take as much of the gateway's time and memory as it can. */
export interface HostileRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** `filtered`: a key whose calls content filters read; `directory`: a SCIM token */
  readonly as: "nobody" | "ordinary" | "management" | "filtered" | "directory";
  readonly body?: () => string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** sent so many times at once */
  readonly times?: number;
}

const repeat = (text: string, times: number, between = "") => Array.from({ length: times }, () => text).join(between);
const members = (count: number, value = "1") => Array.from({ length: count }, (_, at) => `"m${at}":${value}`).join(",");
/** Names that a rule reads letter by letter. */
const longNames = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `"${"aB".repeat(13)}${at}":${value}`).join(",");
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deepObject = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
const megabyte = 1_048_576;

const chat = (rest: string) => `{"model":"acme/talk",${rest}}`;
const say = (content: string) => chat(`"messages":[{"role":"user","content":${content}}]`);
const embed = (input: string, rest = "", model = "gatehouse/lexical") => `{"model":"${model}",${rest}"input":${input}}`;

const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const exchanged = (token: string) =>
  new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    federation_policy_id: "00000000-0000-4000-8000-000000000000",
    subject_token: token,
  }).toString();

type Short = [name: string, body: () => string | Buffer, rest?: Partial<HostileRequest>];
const posts = (path: string, as: HostileRequest["as"], list: readonly Short[]): HostileRequest[] =>
  list.map(([name, body, rest]) => ({ name, method: "POST", path, as, body, ...rest }));
const gets = (as: HostileRequest["as"], paths: readonly string[]): HostileRequest[] =>
  paths.map((path) => ({ name: `GET ${path.slice(0, 50)}`, method: "GET", path, as }));

/** A batch that is read to its last request, which makes it a wrong one: else its calls would go on for long. */
const batch = (requests: string) =>
  `{"endpoint":"/v1/chat/completions","model":"acme/talk","requests":[${requests},{"custom_id":"0","body":{}}]}`;
const batched = (count: number, messages: string) =>
  Array.from({ length: count }, (_, at) => `{"custom_id":"${at}","body":{"messages":${messages}}}`).join();

const block = (text: string) => `{"content":[{"type":"text","text":"${text}"}]}`;
const image = (url: string) => `{"content":[{"type":"image_url","image_url":{"url":"${url}"}}]}`;

const embeddings: readonly Short[] = [
  [
    "65,536 inputs of one word, 3,072 dimensions",
    () => embed(`[${Array.from({ length: 65_536 }, (_, at) => `"w${at}"`).join()}]`, '"dimensions":3072,'),
  ],
  ["200,000 wrong quantizations", () => embed('"a"', `"provider":{"quantizations":[${repeat("1", 200_000, ",")}]},`)],
  ["the same input 65,536 times", () => embed(`[${repeat('"same"', 65_536, ",")}]`)],
  ["16,384 inputs", () => embed(`[${Array.from({ length: 16_384 }, (_, at) => `"word ${at}"`).join()}]`)],
  [
    "2,700 inputs, 3,072 dimensions, floats",
    () => embed(`[${Array.from({ length: 2_700 }, (_, at) => `"v${at}"`).join()}]`, '"dimensions":3072,'),
  ],
  ["16,384 equal inputs, base64", () => embed(`[${repeat('"same"', 16_384, ",")}]`, '"encoding_format":"base64",')],
  ["65,536 blocks", () => embed(`[${repeat(block("a word"), 65_536, ",")}]`, "", "gatehouse/lexical-visual")],
  ["16,000 blocks", () => embed(`[${repeat(block("a word"), 16_000, ",")}]`, "", "gatehouse/lexical-visual")],
  [
    "4,000 blocks of 7 kB",
    () => embed(`[${repeat(block(repeat("red ", 1_750)), 4_000, ",")}]`, "", "gatehouse/lexical-visual"),
  ],
  [
    "500 blocks of 7 kB",
    () => embed(`[${repeat(block(repeat("red ", 1_750)), 500, ",")}]`, "", "gatehouse/lexical-visual"),
  ],
  ["one text of 30 MB", () => embed(`"${repeat("word ", 6_000_000)}"`)],
  ["one text of 30 MB, to be cut", () => embed(`"${repeat("word ", 6_000_000)}"`, '"truncate":true,')],
  ["one word of 60 kB", () => embed(`"${repeat("ab", 30_000)}"`)],
  ["60 kB of signs that grow when normalized", () => embed(`"${"\ufdfa".repeat(60_000)}"`)],
  ["200 kB of spaces and a word", () => embed(`"${" ".repeat(200_000)}a"`)],
  ["70 texts of 60 kB", () => embed(`[${repeat(`"${repeat("word ", 8_000)}"`, 70, ",")}]`)],
  ["300,000 token ids", () => embed(`[${repeat("7", 300_000, ",")}]`)],
  ["100,000 lists of one token", () => embed(`[${repeat("[7]", 100_000, ",")}]`)],
  ["2 million token ids", () => embed(`[${repeat("7", 2_000_000, ",")}]`)],
  ["provider with 230,000 members", () => embed('"a"', `"provider":{${members(230_000)}},`)],
  [
    "an image of 30 MB",
    () => embed(`[${image(`data:image/png;base64,${"A".repeat(30_000_000)}`)}]`, "", "gatehouse/lexical-visual"),
  ],
  [
    "a data URL with 7 million parameters",
    () => embed(`[${image(`data:image/png${repeat(";a=b", 7_000_000)};base64,AAAA`)}]`, "", "gatehouse/lexical-visual"),
  ],
  [
    "an address of 20 MB",
    () => embed(`[${image(`https://example.com/${"a".repeat(20_000_000)}`)}]`, "", "gatehouse/lexical-visual"),
  ],
  [
    "5,000 images",
    () => embed(`[${repeat(image("data:image/png;base64,AAAA"), 5_000, ",")}]`, "", "gatehouse/lexical-visual"),
  ],
  [
    "31 MB for an unknown model, 30 at once",
    () => embed(`"${"x".repeat(31 * 1_000_000)}"`, "", "no/model"),
    { times: 30 },
  ],
  ["30 MB of escaped quotes", () => embed(`"${'\\"'.repeat(15_000_000)}"`)],
  ["30 MB of escaped quotes that never end", () => `{"model":"x","input":"${'\\"'.repeat(15_000_000)}`],
  ["30 MB of escaped backslashes", () => embed(`"${"\\\\".repeat(15_000_000)}"`)],
  ["escapes, 5 MB", () => embed(`"${repeat("\\u4e2d", 800_000)}"`)],
  ["extra members, 5 MB", () => `{${members(9_000, `"${"x".repeat(500)}"`)},"model":"gatehouse/lexical","input":"a"}`],
  ["40 kB of text, 40 at once", () => embed(`"${repeat("some words here ", 2_500)}"`), { times: 40 }],
];

const chats: readonly Short[] = [
  ["8 million numbers as messages", () => chat(`"messages":[${repeat("1", 8_000_000, ",")}]`)],
  ["4,000 messages", () => chat(`"messages":[${repeat('{"role":"user","content":"hello there"}', 4_000, ",")}]`)],
  ["4,000 wrong messages", () => chat(`"messages":[${repeat("1", 4_000, ",")}]`)],
  ["100,000 messages", () => chat(`"messages":[${repeat('{"role":"user","content":"a"}', 100_000, ",")}]`)],
  ["8,000 parts", () => say(`[${repeat('{"type":"text","text":"a"}', 8_000, ",")}]`)],
  [
    "69,300 unknown settings with long names",
    () => {
      const extra = repeat(`{${longNames(9_900, "2")}}`, 7, ",");
      return chat(`"messages":[{"role":"user","content":"a"}],"x":[${extra}]`);
    },
  ],
  [
    "69,300 settings named almost like a maximum",
    () => {
      const names = (count: number) => Array.from({ length: count }, (_, at) => `"max_gen_new_output_gen_${at}":"2"`);
      const extra = repeat(`{${names(9_900).join(",")}}`, 7, ",");
      return chat(`"messages":[{"role":"user","content":"a"}],"x":[${extra}]`);
    },
  ],
  ["15 million levels", () => nested(15_000_000)],
  ["30,000 levels", () => chat(`"messages":${nested(30_000)}`)],
  ["5 million objects in one another", () => deepObject(5_000_000)],
  ["provider with 230,000 members", () => chat(`"messages":[],"provider":{${members(230_000)}}`)],
  ["a text of 30 MB", () => say(`"${repeat("word ", 6_000_000)}"`)],
  [
    "99,000 wrong quantizations",
    () => chat(`"messages":[{"role":"user","content":"a"}],"provider":{"quantizations":[${repeat("1", 99_000, ",")}]}`),
  ],
  [
    "99,000 wrong functions",
    () => chat(`"messages":[{"role":"user","content":"a"}],"functions":[${repeat("1", 99_000, ",")}]`),
  ],
  ["a text of 4 MB", () => say(`"${repeat("word ", 800_000)}"`)],
  ["a text of 200 kB, which is kept", () => say(`"${repeat("ab", 100_000)}"`), { times: 5 }],
  [
    "4 MB in 1,000 messages",
    () => chat(`"messages":[${repeat(`{"role":"user","content":"${repeat("word ", 800)}"}`, 1_000, ",")}]`),
  ],
  [
    "an image of 30 MB",
    () => say(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${"A".repeat(30_000_000)}"}}]`),
  ],
  [
    "a sound of 30 MB",
    () => say(`[{"type":"input_audio","input_audio":{"data":"${"A".repeat(30_000_000)}","format":"wav"}}]`),
  ],
  [
    "a data URL with 7 million parameters",
    () => say(`[{"type":"image_url","image_url":{"url":"data:image/png${repeat(";a=b", 7_000_000)};base64,AAAA"}}]`),
  ],
  [
    "tools of 4 MB",
    () =>
      chat(
        `"messages":[{"role":"user","content":"a"}],"tools":[${repeat(`{"type":"function","function":{"name":"f","description":"${"x".repeat(4_000)}"}}`, 1_000, ",")}]`,
      ),
  ],
  [
    "arguments of 20 MB",
    () =>
      chat(
        `"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"${"1".repeat(20_000_000)}"}}]}]`,
      ),
  ],
  [
    "trace of 90,000 members",
    () =>
      chat(
        `"messages":[{"role":"user","content":"a"}],"trace":{${Array.from({ length: 10 }, (_, at) => `"t${at}":{${members(9_000)}}`).join()}}`,
      ),
  ],
  [
    "trace of 30 MB",
    () => chat(`"messages":[{"role":"user","content":"a"}],"trace":{"a":"${"\\n".repeat(15_000_000)}"}`),
  ],
  ["30 MB of white space", () => `{"model":"acme/talk",${" ".repeat(30_000_000)}"messages":[]}`],
  ["30 MB of digits", () => `{"model":"acme/talk","n":${"1".repeat(30_000_000)}}`],
  ["a string that never ends", () => `{"model":"${"a".repeat(30_000_000)}`],
  ["30 MB of backslashes", () => `{"model":"${"\\".repeat(30_000_000)}"}`],
  ["30 MB of escaped quotes", () => say(`"${'\\"'.repeat(15_000_000)}"`)],
  ["30 MB of escaped backslashes", () => say(`"${"\\\\".repeat(15_000_000)}"`)],
  [
    "15 MB of numbers with exponents, said by a tool",
    () => chat(`"messages":[{"role":"tool","tool_call_id":"a","content":"${"1e".repeat(7_500_000)}"}]`),
  ],
  ["30 MB that is no UTF-8", () => Buffer.alloc(30_000_000, 0xff)],
  ["1 million quotes", () => `{"a":${'"'.repeat(1_000_000)}}`],
  ["33 MB", () => `"${"a".repeat(33 * megabyte)}"`],
];

const rerank = (documents: string, query = '"a word"') =>
  `{"model":"gatehouse/lexical","query":${query},"documents":${documents}}`;
const reranks: readonly Short[] = [
  ["200,000 documents", () => rerank(`[${repeat('"a"', 200_000, ",")}]`)],
  ["2,048 documents that are numbers", () => rerank(`[${repeat("1", 2_048, ",")}]`)],
  ["2,048 documents of 14 kB", () => rerank(`[${repeat(`"${repeat("word ", 2_800)}"`, 2_048, ",")}]`)],
  ["2,048 documents as objects", () => rerank(`[${repeat('{"text":"a word"}', 2_048, ",")}]`)],
  ["a query of 30 MB", () => rerank('["a"]', `"${repeat("word ", 6_000_000)}"`)],
  ["a document of 30 MB", () => rerank(`["${repeat("word ", 6_000_000)}"]`)],
  ["documents of 9,000 levels", () => rerank(`${repeat("[", 9_000)}${repeat("]", 9_000)}`)],
];

const complete = (prompt: string, rest = "") => `{"model":"acme/talk","prompt":${prompt}${rest}}`;
const completions: readonly Short[] = [
  ["a prompt of 30 MB", () => complete(`"${repeat("word ", 6_000_000)}"`)],
  ["200,000 prompts", () => complete(`[${repeat('"a"', 200_000, ",")}]`)],
  ["a prompt of 9,000 levels", () => complete(`${repeat("[", 9_000)}${repeat("]", 9_000)}`)],
  ["100,000 members", () => complete('"a"', `,${members(100_000)}`)],
];

const speak = (rest: string) => `{"model":"acme/voice",${rest}}`;
const speeches: readonly Short[] = [
  ["30 MB to speak", () => speak(`"input":"${repeat("word ", 6_000_000)}"`)],
  ["100,000 references", () => speak(`"input":"a","input_references":[${repeat("{}", 100_000, ",")}]`)],
  [
    "a reference of 30 MB",
    () =>
      speak(
        `"input":"a","input_references":[{"type":"input_audio","input_audio":{"data":"${"A".repeat(30_000_000)}"}}]`,
      ),
  ],
  ["a member that is named as tools' arguments, of 30 MB", () => paint(`"arguments":"${'\\"'.repeat(7_500_000)}"`)],
  [
    "a member of 15 MB beside a file",
    () =>
      `{"model":"acme/editor","prompt":"a","own":{"a":"${"A".repeat(15_000_000)}"},"input_references":[${shown("AAAA")}]}`,
  ],
  ["100,000 options", () => speak(`"input":"a","provider":{"options":{"acme":{${members(100_000)}}}}`)],
  ["members of 9,000 levels", () => speak(`"input":"a","own":${repeat("[", 9_000)}${repeat("]", 9_000)}`)],
];

const listen = (data: string, rest = "") =>
  `{"model":"acme/ear","input_audio":{"data":"${data}","format":"mp3"}${rest}}`;
const recordings: readonly Short[] = [
  ["a recording of 25 MB", () => listen("A".repeat(34_000_000))],
  ["34 MB that is no base64", () => listen(`${"A".repeat(34_000_000)}%`)],
  ["100,000 members", () => listen("AAAA", `,${members(100_000)}`)],
];

const converse = (rest: string) => `{"model":"acme/talk","max_tokens":10,${rest}}`;
const hear = (content: string) => converse(`"messages":[{"role":"user","content":${content}}]`);
const toolUse = (input: string) =>
  converse(`"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${input}}]}]`);
const pictured = (data: string) =>
  `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"}}`;

const conversations: readonly Short[] = [
  ["8 million numbers as messages", () => converse(`"messages":[${repeat("1", 8_000_000, ",")}]`)],
  ["4,000 messages", () => converse(`"messages":[${repeat('{"role":"user","content":"hello there"}', 4_000, ",")}]`)],
  ["8,000 blocks", () => hear(`[${repeat('{"type":"text","text":"a"}', 8_000, ",")}]`)],
  ["8,000 unknown blocks", () => hear(`[${repeat('{"type":"x","text":"a"}', 8_000, ",")}]`)],
  [
    "8,000 blocks in the results of tools",
    () =>
      hear(
        `[${repeat(`{"type":"tool_result","tool_use_id":"a","content":[${repeat('{"type":"text","text":"a"}', 80, ",")}]}`, 99, ",")}]`,
      ),
  ],
  [
    "blocks in one another, 90 levels",
    () => hear(`${'[{"type":"tool_result","content":'.repeat(45)}"a"${"}]".repeat(45)}`),
  ],
  [
    "90,000 system blocks",
    () => converse(`"messages":[{"role":"user","content":"a"}],"system":[${repeat("1", 90_000, ",")}]`),
  ],
  ["30,000 levels", () => converse(`"messages":${nested(30_000)}`)],
  ["a text of 30 MB", () => hear(`"${repeat("word ", 6_000_000)}"`)],
  ["a text of 4 MB", () => hear(`"${repeat("word ", 800_000)}"`)],
  ["an image of 30 MB", () => hear(`[${pictured("A".repeat(30_000_000))}]`)],
  ["a media type of 20 MB", () => hear(`[${pictured("A").replace("image/png", "a/".padEnd(20_000_000, "b"))}]`)],
  ["4,000 images", () => hear(`[${repeat(pictured("AAAA"), 4_000, ",")}]`)],
  ["30 MB of escaped quotes", () => hear(`"${'\\"'.repeat(15_000_000)}"`)],
  ["30 MB of escaped backslashes", () => hear(`"${"\\\\".repeat(15_000_000)}"`)],
  ["80,000 members that come twice", () => toolUse(`{${repeat('"a":1,"a":2', 40_000, ",")}}`)],
  [
    "an input of 80,000 members",
    () => toolUse(`{${Array.from({ length: 9 }, (_, at) => `"t${at}":{${members(9_000)}}`).join()}}`),
  ],
  ["an input of 20 MB", () => toolUse(`{"a":"${"1".repeat(20_000_000)}"}`)],
  [
    "1,000 inputs of 4 kB",
    () =>
      converse(
        `"messages":[{"role":"assistant","content":[${repeat(`{"type":"tool_use","id":"a","name":"f","input":{"a":"${"x".repeat(4_000)}"}}`, 1_000, ",")}]}]`,
      ),
  ],
  [
    "2,000 tools of 2 kB",
    () =>
      converse(
        `"messages":[{"role":"user","content":"a"}],"tools":[${repeat(`{"name":"f","description":"${"x".repeat(2_000)}","input_schema":{}}`, 2_000, ",")}]`,
      ),
  ],
  [
    "99,000 fallbacks",
    () => converse(`"messages":[{"role":"user","content":"a"}],"fallbacks":[${repeat("1", 99_000, ",")}]`),
  ],
];

/** The same to a provider that speaks the dialect, which offers this model. */
const passedOn =
  (model: string) =>
  ([name, body]: Short): Short => [`passed on: ${name}`, () => String(body()).replace('"acme/talk"', `"${model}"`)];

const reply = (rest: string) => `{"model":"acme/talk","max_output_tokens":16,${rest}}`;
const enter = (items: string) => reply(`"input":[${items}]`);
const write = (parts: string) => enter(`{"role":"user","content":${parts}}`);
const functionCall = (given: string) => `{"type":"function_call","call_id":"a","name":"f","arguments":"${given}"}`;
const toolOutput = (output: string) => `{"type":"function_call_output","call_id":"a","output":${output}}`;

const responses: readonly Short[] = [
  ["2 million numbers as items", () => enter(repeat("1", 2_000_000, ","))],
  ["8,000 messages", () => enter(repeat('{"role":"user","content":"hello there"}', 8_000, ","))],
  ["8,000 items that are none", () => enter(repeat('{"a":1}', 8_000, ","))],
  ["8,000 unknown items", () => enter(repeat('{"type":"x","text":"a"}', 8_000, ","))],
  ["8,000 calls", () => enter(repeat(functionCall("{}"), 8_000, ","))],
  ["4,000 calls and their outputs", () => enter(repeat(`${functionCall("{}")},${toolOutput('"1"')}`, 4_000, ","))],
  ["8,000 thoughts", () => enter(repeat('{"type":"reasoning","summary":[],"encrypted_content":"e"}', 8_000, ","))],
  ["8,000 parts", () => write(`[${repeat('{"type":"input_text","text":"a"}', 8_000, ",")}]`)],
  ["8,000 unknown parts", () => write(`[${repeat('{"type":"x","text":"a"}', 8_000, ",")}]`)],
  [
    "8,000 parts in the outputs of tools",
    () => enter(repeat(toolOutput(`[${repeat('{"type":"input_text","text":"a"}', 80, ",")}]`), 99, ",")),
  ],
  ["90,000 parts of one output", () => enter(toolOutput(`[${repeat("1", 90_000, ",")}]`))],
  ["30,000 levels", () => reply(`"input":${nested(30_000)}`)],
  ["a text of 30 MB", () => reply(`"input":"${repeat("word ", 6_000_000)}"`)],
  ["instructions of 30 MB", () => reply(`"input":"a","instructions":"${repeat("word ", 6_000_000)}"`)],
  ["a text of 4 MB", () => write(`"${repeat("word ", 800_000)}"`)],
  ["a call of 20 MB", () => enter(functionCall("1".repeat(20_000_000)))],
  ["an output of 20 MB", () => enter(toolOutput(`"${"1".repeat(20_000_000)}"`))],
  [
    "an image of 30 MB",
    () => write(`[{"type":"input_image","image_url":"data:image/png;base64,${"A".repeat(30_000_000)}"}]`),
  ],
  ["an address of 20 MB", () => write(`[{"type":"input_image","image_url":"https://a/${"b".repeat(20_000_000)}"}]`)],
  [
    "4,000 images",
    () => write(`[${repeat('{"type":"input_image","image_url":"data:image/png;base64,AAAA"}', 4_000, ",")}]`),
  ],
  ["a file of 30 MB", () => write(`[{"type":"input_file","file_data":"${"A".repeat(30_000_000)}"}]`)],
  ["30 MB of escaped quotes", () => reply(`"input":"${'\\"'.repeat(15_000_000)}"`)],
  ["80,000 members that come twice", () => reply(`"input":"a","metadata":{${repeat('"a":1,"a":2', 40_000, ",")}}`)],
  [
    "2,000 tools of 2 kB, of which 2,000 are allowed",
    () =>
      reply(
        `"input":"a","tools":[${repeat(`{"type":"function","name":"f","description":"${"x".repeat(2_000)}","parameters":{}}`, 2_000, ",")}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[${repeat('{"type":"function","name":"f"}', 2_000, ",")}]}`,
      ),
  ],
  [
    "namespaces in one another, 45 levels",
    () => reply(`"input":"a","tools":${'[{"type":"namespace","tools":'.repeat(45)}[]${"}]".repeat(45)}`),
  ],
  ["99,000 models", () => reply(`"input":"a","models":[${repeat("1", 99_000, ",")}]`)],
  ["90,000 things to include", () => reply(`"input":"a","include":[${repeat('"a"', 90_000, ",")}]`)],
  ["an id of 20 MB", () => reply(`"input":"a","previous_response_id":"${"r".repeat(20_000_000)}"`)],
];

const wide = `{${members(60_000)}}`;
const regex = "(a|b|ab)*".repeat(1_100);
const settingsBy = {
  preview: '"type":"webhook","config":{"url":"https://example.com"},',
  try: "",
  estimate: "",
  sessions: "",
} as const;
const rule = (value: string, operator = "regex") => `{"field":"input","operator":"${operator}","value":"${value}"}`;

const management = (path: string): HostileRequest[] => {
  const list: readonly Short[] = [
    [`${path}: 1 MB of unknown members`, () => `{${members(90_000)}}`],
    [`${path}: 60 kB of unknown members`, () => `{${members(6_000)}}`],
    [`${path}: nested`, () => deepObject(9_000)],
  ];
  return posts(path, "management", list);
};

/** Those that hold the most of what a preset keeps, and are not too large for it. */
const saved = (list: readonly Short[]) =>
  list.filter(([name]) => /^(?:2,000 tools of 2 kB|trace of 90,000 members|8,000 items that are none)/.test(name));

const paint = (rest: string) => `{"model":"acme/painter","prompt":"a",${rest}}`;
const shown = (bytes: string) => `{"type":"image_url","image_url":{"url":"data:image/png;base64,${bytes}"}}`;
const paintings: readonly Short[] = [
  ["a prompt of 30 MB", () => `{"model":"acme/painter","prompt":"${repeat("word ", 6_000_000)}"}`],
  ["a prompt of 100,000 characters", () => `{"model":"acme/painter","prompt":"${repeat("word ", 20_000)}"}`],
  ["an image of 30 MB to work from", () => paint(`"input_references":[${shown("A".repeat(30_000_000))}]`)],
  [
    "an image of 30 MB as a file",
    () => `{"model":"acme/editor","prompt":"a","input_references":[${shown("A".repeat(30_000_000))}]}`,
  ],
  [
    "16 images of 2 MB to work from",
    () => paint(`"input_references":[${repeat(shown("A".repeat(1_900_000)), 16, ",")}]`),
  ],
  ["100,000 images to work from", () => paint(`"input_references":[${repeat("{}", 100_000, ",")}]`)],
  ["a member of 30 MB", () => paint(`"mask":"${"A".repeat(30_000_000)}"`)],
  ["100,000 options", () => paint(`"provider":{"options":{"acme":{${members(100_000)}}}}`)],
  ["members of 9,000 levels", () => paint(`"own":${repeat("[", 9_000)}${repeat("]", 9_000)}`)],
];

const film = (rest: string, model = "acme/camera") => `{"model":"${model}","prompt":"a",${rest}}`;
const frameOf = (bytes: string) => `"frame_images":[{"frame_type":"first_frame",${shown(bytes).slice(1)}]`;
const films: readonly Short[] = [
  ["a prompt of 30 MB", () => `{"model":"acme/camera","prompt":"${repeat("word ", 6_000_000)}"}`],
  ["a prompt of 100,000 characters", () => `{"model":"acme/camera","prompt":"${repeat("word ", 20_000)}"}`],
  ["a body of 40 MB", () => film(`"seed":${repeat("1", 40_000_000)}`)],
  ["a frame of 30 MB", () => film(frameOf("A".repeat(30_000_000)))],
  ["a frame of 30 MB as a file", () => film(frameOf("A".repeat(30_000_000)), "acme/animator")],
  ["100,000 images to work from", () => film(`"input_references":[${repeat("{}", 100_000, ",")}]`)],
  ["a trace of 100,000 members", () => film(`"trace":{${members(100_000)}}`)],
  ["a trace of 30 MB", () => film(`"trace":{"a":"${"A".repeat(30_000_000)}"}`)],
  ["100,000 options", () => film(`"provider":{"options":{"acme":{${members(100_000)}}}}`)],
  ["members of 9,000 levels", () => film(`"own":${repeat("[", 9_000)}${repeat("]", 9_000)}`)],
];

/** The requests of the test of bounds. */
export const hostileRequests: readonly HostileRequest[] = [
  ...posts("/session", "nobody", [
    ["130,000 unknown members, 1 MB", () => `{${members(130_000)}}`],
    ["900 unknown members, 8 kB", () => `{${members(900)}}`],
    ["a key of 1 MB", () => `{"management_key":"${"a".repeat(megabyte)}"}`],
    ["4,000 levels", () => nested(4_000)],
  ]),
  ...posts("/embeddings", "ordinary", embeddings),
  ...posts("/chat/completions", "ordinary", chats),
  ...posts("/messages", "ordinary", conversations),
  ...posts("/messages", "ordinary", conversations.map(passedOn("acme/claude"))),
  ...posts("/messages/count_tokens", "ordinary", conversations),
  ...posts("/responses", "ordinary", responses),
  ...posts("/responses", "ordinary", responses.map(passedOn("acme/thinker"))),
  ...posts("/completions", "ordinary", completions),
  ...posts("/rerank", "ordinary", reranks),
  ...posts("/audio/speech", "ordinary", speeches),
  ...posts("/audio/transcriptions", "ordinary", recordings),
  ...posts("/images", "ordinary", paintings),
  ...posts("/videos", "ordinary", films),
  ...[
    "/keys",
    "/workspaces",
    "/providers",
    "/observability/destinations",
    "/byok",
    "/credits",
    "/presets",
    "/analytics/query",
    "/generation/feedback",
  ].flatMap(management),
  ...posts("/presets/saved/chat/completions", "ordinary", saved(chats)),
  ...posts("/presets/saved/messages", "ordinary", saved(conversations)),
  ...posts("/presets/saved/responses", "ordinary", saved(responses)),
  ...posts("/analytics/query", "management", [
    [
      "20 filters of 150 keys",
      () =>
        `{"metrics":["avg_latency"],"filters":[${repeat(`{"field":"api_key_id","operator":"in","value":[${repeat('"abcdefghij"', 150, ",")}]}`, 20, ",")}]}`,
    ],
    ["a list of 60 kB", () => `{"metrics":[${repeat('"a"', 15_000, ",")}]}`],
  ]),
  ...posts("/providers", "management", [
    [
      "2,000 models that are wrong",
      () =>
        `{"slug":"a","name":"a","kind":"openai-compatible","models":[${repeat(wide.slice(0, 400).replace(/,[^,]*$/, "}"), 2_000, ",")}]}`,
    ],
    [
      "60,000 escapes to be looked through",
      () => `{"name":"\\u0000","models":[${repeat('{"a":"\\u0001"}', 60_000, ",")}]}`,
    ],
  ]),
  ...(["preview", "try", "estimate", "sessions"] as const).flatMap((verb) => {
    const rules = (pattern: string, count = 1) =>
      `{${settingsBy[verb]}"filter_rules":{"groups":[{"rules":[${repeat(rule(pattern), count, ",")}]}]}}`;
    return posts(`/observability/destinations/${verb}`, "management", [
      [`${verb}: a regex of 10 kB`, () => rules(regex.slice(0, 9_900).replace(/\([^)]*$/, ""))],
      [`${verb}: 90 regexes of 10 kB`, () => rules(regex.slice(0, 9_900).replace(/\([^)]*$/, ""), 90)],
      [`${verb}: 90 regexes of brackets that never close`, () => rules("[".repeat(9_999), 90)],
      [`${verb}: counted repetitions`, () => rules("((a{1,30}){1,30})b", 90)],
      [`${verb}: counted repetitions that are taken`, () => rules("((a{1,30}){1,30})b", 2)],
      [`${verb}: stars that are taken`, () => rules("(a|b|ab)*".repeat(200))],
      [`${verb}: stars over long prompts`, () => rules(`${"(a|b|ab)*".repeat(190)}[cd]`), { times: 4 }],
      [`${verb}: classes of letters`, () => rules(`(?i)${"\\\\pL".repeat(660)}`)],
      [`${verb}: classes of letters that are taken`, () => rules(`(?i)${"\\\\pL".repeat(90)}`)],
    ]);
  }),
  ...gets("management", [
    `/audit?cursor=${Buffer.from(JSON.stringify(["audit", "9".repeat(900), "a"])).toString("base64url")}`,
    `/audit?actor=${"a".repeat(9_000)}`,
    `/generations?cursor=${"A".repeat(2_000)}`,
    `/keys?q=${encodeURIComponent("%_".repeat(99))}`,
    `/keys?${repeat("q=a", 3_000, "&")}`,
    `/keys?${Array.from({ length: 1_500 }, (_, at) => `m${at}=1`).join("&")}`,
    `/models?q=${encodeURIComponent("(a+)+$".repeat(30))}`,
    `/keys/${"a".repeat(500)}`,
    `/keys/${"%41".repeat(3_000)}`,
  ]),
  ...posts("/batches", "ordinary", [
    [
      "50,000 requests of 2 kB, the most of both",
      () => batch(batched(49_999, `[{"role":"user","content":"${repeat("word ", 390)}"}]`)),
    ],
    ["24 requests of 4 MB", () => batch(batched(24, `[{"role":"user","content":"${repeat("word ", 820_000)}"}]`))],
    ["a request of 90,000 numbers", () => batch(batched(1, `[${repeat("1", 90_000, ",")}]`))],
    ["a request of 4 MB of brackets", () => batch(batched(1, `[${repeat(nested(50), 40_000, ",")}]`))],
    ["a name of 90 MB", () => `{"${repeat("a", 90_000_000)}":1}`],
    ["60,000 requests", () => batch(repeat('{"custom_id":"a","body":{}}', 60_000, ","))],
    [
      "100,000 parts that are text",
      () => batch(batched(1, `[{"role":"user","content":[${repeat('{"type":"text"}', 60_000, ",")}]}]`)),
    ],
  ]),
  ...posts("/oauth/token", "nobody", [
    ["5,400 parameters", () => Array.from({ length: 5_400 }, (_, at) => `${at}=1`).join("&"), { headers: urlencoded }],
    ["one parameter 10,900 times", () => repeat("a=", 10_900, "&"), { headers: urlencoded }],
    ["a token that nests deep", () => exchanged(`e30.${base64url(nested(6_000))}.AAAA`), { headers: urlencoded }],
    ["a token of dots", () => exchanged(".".repeat(16_000)), { headers: urlencoded }],
  ]),
  ...posts("/federation-policies", "management", [
    ["4,500 keys", () => `{"jwks":{"keys":[${repeat('{"kty":"RSA"}', 4_500, ",")}]}}`],
    ["6,000 claims", () => `{"claims":{${members(6_000)}}}`],
  ]),
  ...gets("nobody", [`/models?${repeat("order=a", 1_500, "&")}`, `/${"a/".repeat(6_000)}`, "/openapi.json"]),
  {
    name: "15 kB of bearer",
    method: "GET",
    path: "/key",
    as: "nobody",
    headers: { authorization: `Bearer ${"a ".repeat(7_000)}` },
  },
  {
    name: "15 kB of cookies",
    method: "GET",
    path: "/session",
    as: "nobody",
    headers: { cookie: repeat("a=b", 3_500, "; ") },
  },
  {
    name: "a content type of 15 kB",
    method: "POST",
    path: "/session",
    as: "nobody",
    headers: { "content-type": `application/json${" ".repeat(14_000)};` },
    body: () => "{}",
  },
].map((request) => ({ ...request, path: `${basePath}${request.path}` })) as HostileRequest[];

/** What content filters have to read, for a key with all built-in ones and with patterns that take RE2 long. */
export const filteredRequests: readonly HostileRequest[] = [
  ...posts(`${basePath}/chat/completions`, "filtered", [
    ["30 MB of words", () => say(`"${repeat("word ", 6_000_000)}"`)],
    ["30 MB of one letter", () => say(`"${"a".repeat(30_000_000)}"`)],
    ["30 MB of at signs", () => say(`"${repeat("a@", 15_000_000)}"`)],
    ["30 MB of digits in groups", () => say(`"${repeat("4111 ", 6_000_000)}"`)],
    ["30 MB of colons", () => say(`"${repeat("a::", 10_000_000)}"`)],
    ["30 MB of single letters", () => say(`"${repeat("i ", 15_000_000)}"`)],
    ["30 MB in hex", () => say(`"${repeat("6967", 7_500_000)}"`)],
    ["30 MB of what begins an injection", () => say(`"${repeat("ignore all ", 2_700_000)}prompt"`)],
    ["20 MB of addresses to redact", () => say(`"${repeat("a@b.io ", 3_000_000)}"`)],
    ["30 MB of escapes", () => say(`"${repeat("\\u0061", 5_000_000)}"`)],
    ["100,000 texts", () => chat(`"hints":[${repeat('"a text"', 100_000, ",")}],"messages":[]`)],
    ["a text of 200 kB, ten times at once", () => say(`"${"a".repeat(200_000)}"`), { times: 10 }],
  ]),
  ...posts(`${basePath}/embeddings`, "filtered", [
    ["16,384 inputs", () => embed(`[${Array.from({ length: 16_384 }, (_, at) => `"word ${at}"`).join()}]`)],
    ["token ids", () => embed(`[${repeat("1", 2_000_000, ",")}]`)],
  ]),
  ...posts(`${basePath}/guardrails`, "management", [
    ["a pattern of 100,000 characters", () => filters([repeat("abcdefghi", 9_900, "|")])],
    ["100 patterns that repeat much", () => filters(Array.from({ length: 100 }, (_, at) => `[a-z${at}]{1000}`))],
    ["a pattern of 100,000 brackets", () => filters(["(".repeat(100_000)])],
    ["a pattern of 100,000 classes", () => filters([repeat("\\pL", 33_000)])],
    ["a pattern that repeats in brackets", () => filters([`${"(".repeat(900)}a${"){1,9}".repeat(900)}`])],
  ]),
];

function filters(patterns: readonly string[]): string {
  return JSON.stringify({
    name: "Hostile",
    content_filters: patterns.map((pattern) => ({ pattern, action: "block" })),
  });
}
