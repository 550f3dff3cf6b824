import { basePath } from "#contract/api.ts";
import { isLong } from "./rounds.ts";

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

type Body = () => string | Buffer;
type Row = readonly [name: string, body: Body, rest?: Partial<HostileRequest>];

/** A size or a count of the largest bodies: of a quarter in `npm test`, whose kinds and readers are the same. */
const vast = (most: number) => (isLong ? most : Math.ceil(most / 4));

const repeat = (text: string, times: number, between = "") => Array.from({ length: times }, () => text).join(between);
const list = (item: string, count: number) => `[${repeat(item, count, ",")}]`;
const each = (count: number, item: (at: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => item(at)).join()}]`;
const members = (count: number, value = "1") => Array.from({ length: count }, (_, at) => `"m${at}":${value}`).join(",");
const object = (count: number) => `{${members(count)}}`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deepObject = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
const letters = (count: number) => `"${"A".repeat(count)}"`;
const digits = (count: number) => `"${"1".repeat(count)}"`;
/** Of five bytes each. */
const words = (count: number) => `"${"word ".repeat(count)}"`;
const megabyte = 1_048_576;
const png = "data:image/png;base64,";
const base64url = (text: string) => Buffer.from(text).toString("base64url");

const posts = (path: string, as: HostileRequest["as"], rows: readonly Row[]): HostileRequest[] =>
  rows.map(([name, body, rest]) => ({ name, method: "POST", path, as, body, ...rest }));
const gets = (as: HostileRequest["as"], paths: readonly string[]): HostileRequest[] =>
  paths.map((path) => ({ name: `GET ${path.slice(0, 50)}`, method: "GET", path, as }));
/** The same bodies for several readers: all of them for each in the long run, otherwise each body for one, in turn. */
const shared = <R, T>(readers: readonly R[], rows: readonly T[], ask: (reader: R, row: T) => HostileRequest[]) =>
  readers.flatMap((reader, at) =>
    rows.filter((_, row) => isLong || row % readers.length === at).flatMap((row) => ask(reader, row)),
  );

/** How a reader of conversations has the parts that a body is made of. */
interface Dialect {
  readonly path: string;
  /** a request with these members */
  readonly request: (rest: string) => string;
  /** the member that has what is said, and the same as a list of JSON values */
  readonly said: string;
  readonly message: (content: string) => string;
  readonly text: (json: string) => string;
  readonly image: (url: string) => string;
}

const said = '"messages":[{"role":"user","content":"a"}]';
const message = (content: string) => `{"role":"user","content":${content}}`;
const text = (json: string) => `{"type":"text","text":${json}}`;
const imageUrl = (url: string) => `{"type":"image_url","image_url":{"url":"${url}"}}`;
const pictured = (url: string) => {
  const [type = "", data = ""] = url.slice("data:".length).split(";base64,");
  return `{"type":"image","source":{"type":"base64","media_type":"${type}","data":"${data}"}}`;
};
const chatDialect: Dialect = {
  path: "/chat/completions",
  request: (rest) => `{"model":"acme/talk",${rest}}`,
  said: '"messages":',
  message,
  text,
  image: imageUrl,
};
const messagesDialect: Dialect = {
  ...chatDialect,
  path: "/messages",
  request: (rest) => `{"model":"acme/talk","max_tokens":10,${rest}}`,
  image: pictured,
};
const responsesDialect: Dialect = {
  path: "/responses",
  request: (rest) => `{"model":"acme/talk","max_output_tokens":16,${rest}}`,
  said: '"input":',
  message,
  text: (json) => `{"type":"input_text","text":${json}}`,
  image: (url) => `{"type":"input_image","image_url":"${url}"}`,
};

/** What every reader of conversations has to read. */
function conversationOf({ request, said, message, text, image }: Dialect): readonly Row[] {
  const all = (messages: string) => request(`${said}${messages}`);
  const one = (content: string) => all(`[${message(content)}]`);
  return [
    [`${vast(8)} million numbers as messages`, () => all(list("1", vast(8_000_000)))],
    ["4,000 messages", () => all(list(message('"hello there"'), 4_000))],
    ["4,000 wrong messages", () => all(list("1", 4_000))],
    ["8,000 messages that are objects", () => all(list('{"a":1}', 8_000))],
    ["100,000 messages", () => all(list(message('"a"'), 100_000))],
    ["8,000 parts", () => one(list(text('"a"'), 8_000))],
    ["8,000 unknown parts", () => one(list('{"type":"x","text":"a"}', 8_000))],
    ["30,000 levels", () => all(nested(30_000))],
    [`a text of ${vast(30)} MB`, () => one(words(vast(6_000_000)))],
    ["a text of 4 MB", () => one(words(800_000))],
    ["4 MB in 1,000 messages", () => all(list(message(words(800)), 1_000))],
    [`an image of ${vast(30)} MB`, () => one(`[${image(png + "A".repeat(vast(30_000_000)))}]`)],
    [`a media type of ${vast(20)} MB`, () => one(`[${image(`data:a/${"b".repeat(vast(20_000_000))};base64,A`)}]`)],
    ["4,000 images", () => one(list(image(`${png}AAAA`), 4_000))],
    [`${vast(30)} MB of escaped quotes`, () => one(`"${'\\"'.repeat(vast(15_000_000))}"`)],
    [`${vast(30)} MB of escaped backslashes`, () => one(`"${"\\\\".repeat(vast(15_000_000))}"`)],
    ["99,000 models", () => request(`${said}[${message('"a"')}],"models":${list("1", 99_000)}`)],
  ];
}

const chat = chatDialect.request;
const say = (content: string) => chat(`"messages":[${message(content)}]`);
/** A long list of settings that nobody knows. */
const unknownSettings = (name: (at: number) => string) =>
  chat(`${said},"x":${list(`{${Array.from({ length: 9_900 }, (_, at) => `"${name(at)}":"2"`).join()}}`, 7)}`);
const calls = (type: string, given: string) =>
  `"tool_calls":[{"id":"a","type":"${type}","function":{"name":"f","arguments":${given}}}]`;
const chats: readonly Row[] = [
  ...conversationOf(chatDialect),
  ["69,300 unknown settings with long names", () => unknownSettings((at) => `${"aB".repeat(13)}${at}`)],
  ["69,300 settings named almost like a maximum", () => unknownSettings((at) => `max_gen_new_output_gen_${at}`)],
  [`${vast(15)} million levels`, () => nested(vast(15_000_000))],
  [`${vast(5)} million objects in one another`, () => deepObject(vast(5_000_000))],
  ["provider with 230,000 members", () => chat(`"messages":[],"provider":${object(230_000)}`)],
  ["99,000 wrong quantizations", () => chat(`${said},"provider":{"quantizations":${list("1", 99_000)}}`)],
  ["99,000 wrong functions", () => chat(`${said},"functions":${list("1", 99_000)}`)],
  ["a text of 200 kB, which is kept", () => say(`"${repeat("ab", 100_000)}"`), { times: 5 }],
  [
    `a sound of ${vast(30)} MB`,
    () => say(`[{"type":"input_audio","input_audio":{"data":${letters(vast(30_000_000))},"format":"wav"}}]`),
  ],
  [
    `a data URL with ${vast(7)} million parameters`,
    () => say(`[${imageUrl(`data:image/png${";a=b".repeat(vast(7_000_000))};base64,AAAA`)}]`),
  ],
  [
    "tools of 4 MB",
    () =>
      chat(
        `${said},"tools":${list(`{"type":"function","function":{"name":"f","description":${letters(4_000)}}}`, 1_000)}`,
      ),
  ],
  [
    `arguments of ${vast(20)} MB`,
    () => chat(`"messages":[{"role":"assistant",${calls("function", digits(vast(20_000_000)))}}]`),
  ],
  [
    "trace of 90,000 members",
    () => chat(`${said},"trace":{${Array.from({ length: 10 }, (_, at) => `"t${at}":${object(9_000)}`).join()}}`),
  ],
  [`trace of ${vast(30)} MB`, () => chat(`${said},"trace":{"a":"${"\\n".repeat(vast(15_000_000))}"}`)],
  [`${vast(30)} MB of white space`, () => `{"model":"acme/talk",${" ".repeat(vast(30_000_000))}"messages":[]}`],
  [`${vast(30)} MB of digits`, () => `{"model":"acme/talk","n":${"1".repeat(vast(30_000_000))}}`],
  ["a string that never ends", () => `{"model":"${"a".repeat(vast(30_000_000))}`],
  [`${vast(30)} MB of backslashes`, () => `{"model":"${"\\".repeat(vast(30_000_000))}"}`],
  [
    "15 MB of numbers with exponents, said by a tool",
    () => chat(`"messages":[{"role":"tool","tool_call_id":"a","content":"${"1e".repeat(7_500_000)}"}]`),
  ],
  [`${vast(30)} MB that is no UTF-8`, () => Buffer.alloc(vast(30_000_000), 0xff)],
  ["1 million quotes", () => `{"a":${'"'.repeat(1_000_000)}}`],
  ["33 MB", () => `"${"a".repeat(33 * megabyte)}"`],
];

const converse = messagesDialect.request;
const toolUse = (input: string) => `{"type":"tool_use","id":"a","name":"f","input":${input}}`;
const used = (blocks: string) => converse(`"messages":[{"role":"assistant","content":${blocks}}]`);
const toolResult = (content: string) => `{"type":"tool_result","tool_use_id":"a","content":${content}}`;
const conversations: readonly Row[] = [
  ...conversationOf(messagesDialect),
  [
    "8,000 blocks in the results of tools",
    () => converse(`"messages":[${message(list(toolResult(list(text('"a"'), 80)), 99))}]`),
  ],
  [
    "blocks in one another, 90 levels",
    () => converse(`"messages":[${message(`${'[{"type":"tool_result","content":'.repeat(45)}"a"${"}]".repeat(45)}`)}]`),
  ],
  ["90,000 system blocks", () => converse(`${said},"system":${list("1", 90_000)}`)],
  ["80,000 members that come twice", () => used(`[${toolUse(`{${repeat('"a":1,"a":2', 40_000, ",")}}`)}]`)],
  [
    "an input of 80,000 members",
    () => used(`[${toolUse(`{${Array.from({ length: 9 }, (_, at) => `"t${at}":${object(9_000)}`).join()}}`)}]`),
  ],
  [`an input of ${vast(20)} MB`, () => used(`[${toolUse(`{"a":${digits(vast(20_000_000))}}`)}]`)],
  ["1,000 inputs of 4 kB", () => used(list(toolUse(`{"a":${letters(4_000)}}`), 1_000))],
  [
    "2,000 tools of 2 kB",
    () => converse(`${said},"tools":${list(`{"name":"f","description":${letters(2_000)},"input_schema":{}}`, 2_000)}`),
  ],
  ["99,000 fallbacks", () => converse(`${said},"fallbacks":${list("1", 99_000)}`)],
];

const reply = responsesDialect.request;
const enter = (items: string) => reply(`"input":${items}`);
const functionCall = (given: string) => `{"type":"function_call","call_id":"a","name":"f","arguments":${given}}`;
const toolOutput = (output: string) => `{"type":"function_call_output","call_id":"a","output":${output}}`;
const aTool = `{"type":"function","name":"f","description":${letters(2_000)},"parameters":{}}`;
const allowed = `"tool_choice":{"type":"allowed_tools","mode":"auto","tools":${list('{"type":"function","name":"f"}', 2_000)}}`;
const responses: readonly Row[] = [
  ...conversationOf(responsesDialect),
  ["8,000 messages", () => enter(list(message('"hello there"'), 8_000))],
  ["8,000 unknown items", () => enter(list('{"type":"x","text":"a"}', 8_000))],
  ["8,000 calls", () => enter(list(functionCall('"{}"'), 8_000))],
  ["4,000 calls and their outputs", () => enter(list(`${functionCall('"{}"')},${toolOutput('"1"')}`, 4_000))],
  ["8,000 thoughts", () => enter(list('{"type":"reasoning","summary":[],"encrypted_content":"e"}', 8_000))],
  [
    "8,000 parts in the outputs of tools",
    () => enter(list(toolOutput(list('{"type":"input_text","text":"a"}', 80)), 99)),
  ],
  ["90,000 parts of one output", () => enter(`[${toolOutput(list("1", 90_000))}]`)],
  [`a text of ${vast(30)} MB without a role`, () => enter(words(vast(6_000_000)))],
  [`instructions of ${vast(30)} MB`, () => reply(`"input":"a","instructions":${words(vast(6_000_000))}`)],
  [`a call of ${vast(20)} MB`, () => enter(`[${functionCall(digits(vast(20_000_000)))}]`)],
  [`an output of ${vast(20)} MB`, () => enter(`[${toolOutput(digits(vast(20_000_000)))}]`)],
  [
    `an address of ${vast(20)} MB`,
    () => enter(`[${message(`[${responsesDialect.image(`https://a/${"b".repeat(vast(20_000_000))}`)}]`)}]`),
  ],
  [
    `a file of ${vast(30)} MB`,
    () => enter(`[${message(`[{"type":"input_file","file_data":${letters(vast(30_000_000))}}]`)}]`),
  ],
  [`${vast(30)} MB of escaped quotes without a role`, () => enter(`"${'\\"'.repeat(vast(15_000_000))}"`)],
  ["80,000 members that come twice", () => reply(`"input":"a","metadata":{${repeat('"a":1,"a":2', 40_000, ",")}}`)],
  [
    "2,000 tools of 2 kB, of which 2,000 are allowed",
    () => reply(`"input":"a","tools":${list(aTool, 2_000)},${allowed}`),
  ],
  [
    "namespaces in one another, 45 levels",
    () => reply(`"input":"a","tools":${'[{"type":"namespace","tools":'.repeat(45)}[]${"}]".repeat(45)}`),
  ],
  ["90,000 things to include", () => reply(`"input":"a","include":${list('"a"', 90_000)}`)],
  [`an id of ${vast(20)} MB`, () => reply(`"input":"a","previous_response_id":${letters(vast(20_000_000))}`)],
];

/** The same to a provider that speaks the dialect, which offers this model. */
const passedOn =
  (model: string) =>
  ([name, body]: Row): Row => [`passed on: ${name}`, () => String(body()).replace('"acme/talk"', `"${model}"`)];
const asTheyAre = (row: Row): Row => row;

const embed = (input: string, rest = "", model = "gatehouse/lexical") => `{"model":"${model}",${rest}"input":${input}}`;
const see = (input: string) => embed(input, "", "gatehouse/lexical-visual");
const block = (...parts: string[]) => `{"content":[${parts.join()}]}`;
const red = block(text(`"${"red ".repeat(1_750)}"`));
const embeddings: readonly Row[] = [
  [
    "65,536 inputs of one word, 3,072 dimensions",
    () =>
      embed(
        each(65_536, (at) => `"w${at}"`),
        '"dimensions":3072,',
      ),
  ],
  ["200,000 wrong quantizations", () => embed('"a"', `"provider":{"quantizations":${list("1", 200_000)}},`)],
  ["the same input 65,536 times", () => embed(list('"same"', 65_536))],
  ["16,384 inputs", () => embed(each(16_384, (at) => `"word ${at}"`))],
  [
    "2,700 inputs, 3,072 dimensions, floats",
    () =>
      embed(
        each(2_700, (at) => `"v${at}"`),
        '"dimensions":3072,',
      ),
  ],
  ["16,384 equal inputs, base64", () => embed(list('"same"', 16_384), '"encoding_format":"base64",')],
  ["65,536 blocks", () => see(list(block(text('"a word"')), 65_536))],
  ["16,000 blocks", () => see(list(block(text('"a word"')), 16_000))],
  ["4,000 blocks of 7 kB", () => see(list(red, 4_000))],
  ["500 blocks of 7 kB", () => see(list(red, 500))],
  [`one text of ${vast(30)} MB`, () => embed(words(vast(6_000_000)))],
  [`one text of ${vast(30)} MB, to be cut`, () => embed(words(vast(6_000_000)), '"truncate":true,')],
  ["one word of 60 kB", () => embed(`"${"ab".repeat(30_000)}"`)],
  ["60 kB of signs that grow when normalized", () => embed(`"${"\ufdfa".repeat(60_000)}"`)],
  ["200 kB of spaces and a word", () => embed(`"${" ".repeat(200_000)}a"`)],
  ["70 texts of 60 kB", () => embed(list(words(8_000), 70))],
  ["300,000 token ids", () => embed(list("7", 300_000))],
  ["100,000 lists of one token", () => embed(list("[7]", 100_000))],
  ["2 million token ids", () => embed(list("7", 2_000_000))],
  ["provider with 230,000 members", () => embed('"a"', `"provider":${object(230_000)},`)],
  [`an image of ${vast(30)} MB`, () => see(`[${block(imageUrl(png + "A".repeat(vast(30_000_000))))}]`)],
  [
    `a data URL with ${vast(7)} million parameters`,
    () => see(`[${block(imageUrl(`data:image/png${";a=b".repeat(vast(7_000_000))};base64,AAAA`))}]`),
  ],
  [
    `an address of ${vast(20)} MB`,
    () => see(`[${block(imageUrl(`https://example.com/${"a".repeat(vast(20_000_000))}`))}]`),
  ],
  ["5,000 images", () => see(list(block(imageUrl(`${png}AAAA`)), 5_000))],
  ["31 MB for an unknown model, 30 at once", () => embed(`"${"x".repeat(31_000_000)}"`, "", "no/model"), { times: 30 }],
  [`${vast(30)} MB of escaped quotes`, () => embed(`"${'\\"'.repeat(vast(15_000_000))}"`)],
  [`${vast(30)} MB of escaped quotes that never end`, () => `{"model":"x","input":"${'\\"'.repeat(vast(15_000_000))}`],
  [`${vast(30)} MB of escaped backslashes`, () => embed(`"${"\\\\".repeat(vast(15_000_000))}"`)],
  ["escapes, 5 MB", () => embed(`"${"\\u4e2d".repeat(800_000)}"`)],
  ["extra members, 5 MB", () => `{${members(9_000, letters(500))},"model":"gatehouse/lexical","input":"a"}`],
  ["40 kB of text, 40 at once", () => embed(`"${"some words here ".repeat(2_500)}"`), { times: 40 }],
];

const rerank = (documents: string, query = '"a word"') =>
  `{"model":"gatehouse/lexical","query":${query},"documents":${documents}}`;
const complete = (prompt: string, rest = "") => `{"model":"acme/talk","prompt":${prompt}${rest}}`;
const speak = (rest: string) => `{"model":"acme/voice","input":"a",${rest}}`;
const paint = (rest: string, model = "acme/painter") => `{"model":"${model}","prompt":"a",${rest}}`;
const film = (rest: string, model = "acme/camera") => paint(rest, model);
const hear = (data: string, rest = "") => `{"model":"acme/ear","input_audio":{"data":${data},"format":"mp3"}${rest}}`;
const worksFrom = (bytes: number) => `"input_references":[${imageUrl(png + "A".repeat(bytes))}]`;
const frames = (bytes: number) =>
  `"frame_images":[{"frame_type":"first_frame",${imageUrl(png + "A".repeat(bytes)).slice(1)}]`;

/** What every reader of a request for media has to read; `most`: its own name for what is asked for. */
const ofMedia = (request: (rest: string) => string): readonly Row[] => [
  ["100,000 references", () => request(`"input_references":${list("{}", 100_000)}`)],
  ["100,000 options", () => request(`"provider":{"options":{"acme":${object(100_000)}}}`)],
  ["members of 9,000 levels", () => request(`"own":${nested(9_000)}`)],
];
const asked = (model: string): readonly Row[] => [
  [`a prompt of ${vast(30)} MB`, () => `{"model":"${model}","prompt":${words(vast(6_000_000))}}`],
  ["a prompt of 100,000 characters", () => `{"model":"${model}","prompt":${words(20_000)}}`],
];
const others: Readonly<Record<string, readonly Row[]>> = {
  "/completions": [
    [`a prompt of ${vast(30)} MB`, () => complete(words(vast(6_000_000)))],
    ["200,000 prompts", () => complete(list('"a"', 200_000))],
    ["a prompt of 9,000 levels", () => complete(nested(9_000))],
    ["100,000 members", () => complete('"a"', `,${members(100_000)}`)],
  ],
  "/rerank": [
    ["200,000 documents", () => rerank(list('"a"', 200_000))],
    ["2,048 documents that are numbers", () => rerank(list("1", 2_048))],
    ["2,048 documents of 14 kB", () => rerank(list(words(2_800), 2_048))],
    ["2,048 documents as objects", () => rerank(list('{"text":"a word"}', 2_048))],
    [`a query of ${vast(30)} MB`, () => rerank('["a"]', words(vast(6_000_000)))],
    [`a document of ${vast(30)} MB`, () => rerank(`[${words(vast(6_000_000))}]`)],
    ["documents of 9,000 levels", () => rerank(nested(9_000))],
  ],
  "/audio/speech": [
    [`${vast(30)} MB to speak`, () => `{"model":"acme/voice","input":${words(vast(6_000_000))}}`],
    [
      "a reference of 30 MB",
      () => speak(`"input_references":[{"type":"input_audio","input_audio":{"data":${letters(30_000_000)}}}]`),
    ],
    ["a member that is named as tools' arguments, of 30 MB", () => paint(`"arguments":"${'\\"'.repeat(7_500_000)}"`)],
    [
      `a member of ${vast(15)} MB beside a file`,
      () => paint(`"own":{"a":${letters(vast(15_000_000))}},${worksFrom(4)}`, "acme/editor"),
    ],
    ...ofMedia(speak),
  ],
  "/audio/transcriptions": [
    ["a recording of 25 MB", () => hear(letters(34_000_000))],
    ["34 MB that is no base64", () => hear(`"${"A".repeat(34_000_000)}%"`)],
    ["100,000 members", () => hear('"AAAA"', `,${members(100_000)}`)],
  ],
  "/images": [
    ...asked("acme/painter"),
    [`an image of ${vast(30)} MB to work from`, () => paint(worksFrom(vast(30_000_000)))],
    [`an image of ${vast(30)} MB as a file`, () => paint(worksFrom(vast(30_000_000)), "acme/editor")],
    [
      "16 images of 2 MB to work from",
      () => paint(`"input_references":${list(imageUrl(png + "A".repeat(1_900_000)), 16)}`),
    ],
    [`a member of ${vast(30)} MB`, () => paint(`"mask":${letters(vast(30_000_000))}`)],
    ...ofMedia(paint),
  ],
  "/videos": [
    ...asked("acme/camera"),
    ["a body of 40 MB", () => film(`"seed":${"1".repeat(40_000_000)}`)],
    [`a frame of ${vast(30)} MB`, () => film(frames(vast(30_000_000)))],
    [`a frame of ${vast(30)} MB as a file`, () => film(frames(vast(30_000_000)), "acme/animator")],
    ["a trace of 100,000 members", () => film(`"trace":${object(100_000)}`)],
    [`a trace of ${vast(30)} MB`, () => film(`"trace":{"a":${letters(vast(30_000_000))}}`)],
    ...ofMedia(film),
  ],
};

/** A batch that is read to its last request, which makes it a wrong one: else its calls would go on for long. */
const batch = (requests: string) =>
  `{"endpoint":"/v1/chat/completions","model":"acme/talk","requests":[${requests},{"custom_id":"0","body":{}}]}`;
const batched = (count: number, messages: string) =>
  batch(each(count, (at) => `{"custom_id":"${at}","body":{"messages":${messages}}}`).slice(1, -1));
const batches: readonly Row[] = [
  ["50,000 requests of 2 kB, the most of both", () => batched(49_999, `[${message(words(390))}]`)],
  ["24 requests of 4 MB", () => batched(24, `[${message(words(820_000))}]`)],
  ["a request of 90,000 numbers", () => batched(1, list("1", 90_000))],
  ["a request of 4 MB of brackets", () => batched(1, list(nested(50), 40_000))],
  ["a name of 90 MB", () => `{${letters(90_000_000)}:1}`],
  ["60,000 requests", () => batch(repeat('{"custom_id":"a","body":{}}', 60_000, ","))],
  ["100,000 parts that are text", () => batched(1, `[${message(list('{"type":"text"}', 60_000))}]`)],
];

const unknownMembers: readonly Row[] = [
  ["1 MB of unknown members", () => object(90_000)],
  ["60 kB of unknown members", () => object(6_000)],
  ["nested", () => deepObject(9_000)],
];
const managed = [
  "/keys",
  "/workspaces",
  "/providers",
  "/observability/destinations",
  "/byok",
  "/credits",
  "/presets",
  "/analytics/query",
  "/generation/feedback",
];

const regex = "(a|b|ab)*".repeat(1_099);
const patterns: readonly (readonly [name: string, pattern: string, rules: number, times?: number])[] = [
  ["a regex of 10 kB", regex, 1],
  ["90 regexes of 10 kB", regex, 90],
  ["90 regexes of brackets that never close", "[".repeat(9_999), 90],
  ["counted repetitions", "((a{1,30}){1,30})b", 90],
  ["counted repetitions that are taken", "((a{1,30}){1,30})b", 2],
  ["stars that are taken", "(a|b|ab)*".repeat(200), 1],
  ["stars over long prompts", `${"(a|b|ab)*".repeat(190)}[cd]`, 1, 4],
  ["classes of letters", `(?i)${"\\\\pL".repeat(660)}`, 1],
  ["classes of letters that are taken", `(?i)${"\\\\pL".repeat(90)}`, 1],
];
const filtersOf = (verb: string, pattern: string, count: number) => {
  const settings = verb === "preview" ? '"type":"webhook","config":{"url":"https://example.com"},' : "";
  const rules = list(`{"field":"input","operator":"regex","value":"${pattern}"}`, count);
  return `{${settings}"filter_rules":{"groups":[{"rules":${rules}}]}}`;
};

const urlencoded = { headers: { "content-type": "application/x-www-form-urlencoded" } };
const exchanged = (token: string) =>
  new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    federation_policy_id: "00000000-0000-4000-8000-000000000000",
    subject_token: token,
  }).toString();
/** Those that hold the most of what a preset keeps, and are not too large for it. */
const saved = (rows: readonly Row[]) =>
  rows.filter(([name]) => /^(?:2,000 tools of 2 kB|trace of 90,000 members|8,000 messages that)/.test(name));
const apart = { method: "GET", as: "nobody" } as const;

/** The requests of the test of bounds. */
export const hostileRequests: readonly HostileRequest[] = [
  ...posts("/session", "nobody", [
    ["130,000 unknown members, 1 MB", () => object(130_000)],
    ["900 unknown members, 8 kB", () => object(900)],
    ["a key of 1 MB", () => `{"management_key":${letters(megabyte)}}`],
    ["4,000 levels", () => nested(4_000)],
  ]),
  ...posts("/embeddings", "ordinary", embeddings),
  ...posts("/chat/completions", "ordinary", chats),
  ...shared(
    [
      ["/messages", asTheyAre],
      ["/messages", passedOn("acme/claude")],
      ["/messages/count_tokens", asTheyAre],
    ] as const,
    conversations,
    ([path, as], row) => posts(path, "ordinary", [as(row)]),
  ),
  ...shared([asTheyAre, passedOn("acme/thinker")], responses, (as, row) => posts("/responses", "ordinary", [as(row)])),
  ...Object.entries(others).flatMap(([path, rows]) => posts(path, "ordinary", rows)),
  ...posts("/batches", "ordinary", batches),
  ...managed.flatMap((path, at) =>
    posts(path, "management", isLong ? unknownMembers : unknownMembers.slice(at % 3, (at % 3) + 1)),
  ),
  ...posts("/presets/saved/chat/completions", "ordinary", saved(chats)),
  ...posts("/presets/saved/messages", "ordinary", saved(conversations)),
  ...posts("/presets/saved/responses", "ordinary", saved(responses)),
  ...posts("/analytics/query", "management", [
    [
      "20 filters of 150 keys",
      () =>
        `{"metrics":["avg_latency"],"filters":${list(`{"field":"api_key_id","operator":"in","value":${list('"abcdefghij"', 150)}}`, 20)}}`,
    ],
    ["a list of 60 kB", () => `{"metrics":${list('"a"', 15_000)}}`],
  ]),
  ...posts("/providers", "management", [
    [
      "2,000 models that are wrong",
      () => `{"slug":"a","name":"a","kind":"openai-compatible","models":${list(object(44), 2_000)}}`,
    ],
    ["60,000 escapes to be looked through", () => `{"name":"\\u0000","models":${list('{"a":"\\u0001"}', 60_000)}}`],
  ]),
  ...shared(["preview", "try", "estimate", "sessions"], patterns, (verb, [name, pattern, count, times = 1]) =>
    posts(`/observability/destinations/${verb}`, "management", [
      [`${verb}: ${name}`, () => filtersOf(verb, pattern, count), { times }],
    ]),
  ),
  ...gets("management", [
    `/audit?cursor=${base64url(JSON.stringify(["audit", "9".repeat(900), "a"]))}`,
    `/audit?actor=${"a".repeat(9_000)}`,
    `/generations?cursor=${"A".repeat(2_000)}`,
    `/keys?q=${encodeURIComponent("%_".repeat(99))}`,
    `/keys?${repeat("q=a", 3_000, "&")}`,
    `/keys?${Array.from({ length: 1_500 }, (_, at) => `m${at}=1`).join("&")}`,
    `/models?q=${encodeURIComponent("(a+)+$".repeat(30))}`,
    `/keys/${"a".repeat(500)}`,
    `/keys/${"%41".repeat(3_000)}`,
  ]),
  ...posts("/oauth/token", "nobody", [
    ["5,400 parameters", () => Array.from({ length: 5_400 }, (_, at) => `${at}=1`).join("&"), urlencoded],
    ["one parameter 10,900 times", () => repeat("a=", 10_900, "&"), urlencoded],
    ["a token that nests deep", () => exchanged(`e30.${base64url(nested(6_000))}.AAAA`), urlencoded],
    ["a token of dots", () => exchanged(".".repeat(16_000)), urlencoded],
  ]),
  ...posts("/federation-policies", "management", [
    ["4,500 keys", () => `{"jwks":{"keys":${list('{"kty":"RSA"}', 4_500)}}}`],
    ["6,000 claims", () => `{"claims":${object(6_000)}}`],
  ]),
  ...gets("nobody", [`/models?${repeat("order=a", 1_500, "&")}`, `/${"a/".repeat(6_000)}`, "/openapi.json"]),
  { ...apart, name: "15 kB of bearer", path: "/key", headers: { authorization: `Bearer ${"a ".repeat(7_000)}` } },
  { ...apart, name: "15 kB of cookies", path: "/session", headers: { cookie: repeat("a=b", 3_500, "; ") } },
  ...posts("/session", "nobody", [
    ["a content type of 15 kB", () => "{}", { headers: { "content-type": `application/json${" ".repeat(14_000)};` } }],
  ]),
].map((request) => ({ ...request, path: `${basePath}${request.path}` }));

/** Patterns of content filters. */
const filters = (patterns: readonly string[]) =>
  JSON.stringify({ name: "Hostile", content_filters: patterns.map((pattern) => ({ pattern, action: "block" })) });
/** Filters read in slices, for seconds: of each kind 3 MB, in the long run the most that there may be. */
const filteredMb = isLong ? 29 : 3;
const filtered =
  (unit: string, mb = filteredMb) =>
  () =>
    say(`"${unit.repeat((mb * 1_000_000) / unit.length)}"`);

/** What content filters have to read, for a key with all built-in ones and with patterns that take RE2 long. */
export const filteredRequests: readonly HostileRequest[] = [
  ...posts(`${basePath}/chat/completions`, "filtered", [
    ["30 MB of words", filtered("word ", 30)],
    ["29 MB of one letter", filtered("a", 29)],
    [`${filteredMb} MB of at signs`, filtered("a@")],
    [`${filteredMb} MB of digits in groups`, filtered("4111 ")],
    [`${filteredMb} MB of colons`, filtered("a::")],
    [`${filteredMb} MB of single letters`, filtered("i ")],
    [`${filteredMb} MB in hex`, filtered("6967")],
    [`${filteredMb} MB of what begins an injection`, () => say(`"${"ignore all ".repeat(filteredMb * 90_000)}prompt"`)],
    [`${filteredMb} MB of addresses to redact`, filtered("a@b.io ")],
    [`${filteredMb} MB of escapes`, filtered("\\u0061")],
    ["100,000 texts", () => chat(`"hints":${list('"a text"', 100_000)},"messages":[]`)],
    ["a text of 200 kB, ten times at once", () => say(`"${"a".repeat(200_000)}"`), { times: 10 }],
  ]),
  ...posts(`${basePath}/embeddings`, "filtered", [
    ["16,384 inputs", () => embed(each(16_384, (at) => `"word ${at}"`))],
    ["token ids", () => embed(list("1", 2_000_000))],
  ]),
  ...posts(`${basePath}/guardrails`, "management", [
    ["a pattern of 100,000 characters", () => filters([repeat("abcdefghi", 9_900, "|")])],
    ["100 patterns that repeat much", () => filters(Array.from({ length: 100 }, (_, at) => `[a-z${at}]{1000}`))],
    ["a pattern of 100,000 brackets", () => filters(["(".repeat(100_000)])],
    ["a pattern of 100,000 classes", () => filters(["\\pL".repeat(33_000)])],
    ["a pattern that repeats in brackets", () => filters([`${"(".repeat(900)}a${"){1,9}".repeat(900)}`])],
  ]),
];
