import { expect, it } from "vitest";
import type { Item } from "../../vectors/plan.ts";
import { ownParts, requestCode, type RequestCode } from "./request-code.ts";

const url = "http://127.0.0.1:8787/api/v1/embeddings";
const shared = { model: "acme/embed", dimensions: 64, provider: { allow_fallbacks: false } };
const text = (input: string, inputType: string | null = null): Item => ({ input, tokens: 10, inputType });
const picture = (bytes: number): Item => {
  const image_url = { url: `data:image/png;base64,${"A".repeat(bytes)}` };
  const content = [
    { type: "text", text: "a pallet" },
    { type: "image_url", image_url },
  ];
  return { input: { content }, tokens: 800, inputType: null };
};
const bodies = (items: Item[]) => ownParts(items).map((part) => ({ ...shared, ...part }));

/** Runs the TypeScript with a fetch that writes down what it is given. */
async function sentBy({ typescript, file }: RequestCode): Promise<unknown[]> {
  const sent: unknown[] = [];
  const fetching = async (to: string, { body, headers }: { body: string; headers: { Authorization: string } }) => {
    expect([to, headers.Authorization]).toEqual([url, "Bearer gh_test"]);
    sent.push(JSON.parse(body));
    return { ok: true, json: async () => ({ data: [] }) };
  };
  const source = typescript.replace(/^import .*$/m, "");
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the code is what is under test
  const run = new Function("fetch", "process", "readFileSync", `return (async () => {${source}})()`) as (
    ...given: unknown[]
  ) => Promise<void>;
  await run(fetching, { env: { GATEHOUSE_API_KEY: "gh_test" } }, () => file?.lines);
  return sent;
}

/** What the shell gives to curl's -d. */
const dataOf = (curl: string) =>
  curl
    .split(/\n\n(?=curl )/)
    .map((call) => JSON.parse(/-d '([\s\S]*)'$/.exec(call)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? "") as unknown);
const jsonIn = (python: string) => JSON.parse(/json\.loads\(r"""([\s\S]*?)"""\)/.exec(python)?.[1] ?? "") as unknown;

it("makes the calls that the run makes, one for each role, with what stands before a text", async () => {
  const [question, two, three] = ["query: it's true", 'doc: "two"\nlines', "doc: 3"];
  const items = [text(question, "search_query"), text(two, "search_document"), text(three, "search_document")];
  const code = requestCode(url, shared, items);
  const query = { ...shared, input: [question], input_type: "search_query" };
  const wanted = [query, { ...shared, input: [two, three], input_type: "search_document" }];
  expect(code.file).toBeNull();
  expect([await sentBy(code), dataOf(code.curl), jsonIn(code.python)]).toEqual([wanted, wanted, wanted]);
});

it("reads many rows from a file, cut into calls as the run is, each text once", async () => {
  const items = Array.from({ length: 600 }, (_, at) => text(`row ${at % 590}`));
  const code = requestCode(url, shared, items);
  expect(code.file).toMatchObject({ calls: 3, inputs: 590 });
  expect([await sentBy(code), jsonIn(code.python)]).toEqual([bodies(items), shared]);
  expect(code.curl).toContain("calls.jsonl");
});

it.each([
  ["one", [picture(40)], false],
  ["a large one", [picture(9_000)], true],
  ["many", Array.from({ length: 8 }, (_, at) => picture(at)), true],
])("keeps blocks and pictures as they are, however many and however large: %s", async (_, items, inFile) => {
  const code = requestCode(url, shared, items);
  expect(await sentBy(code)).toEqual(bodies(items));
  expect(code.file !== null).toBe(inFile);
});
