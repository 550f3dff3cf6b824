import { describe, expect, it } from "vitest";
import type { Item } from "../../vectors/plan.ts";
import { ownParts, requestCode, type RequestCode } from "./request-code.ts";

const url = "http://127.0.0.1:8787/api/v1/embeddings";
const shared = { model: "acme/embed", dimensions: 64, provider: { allow_fallbacks: false } };
const text = (input: string, inputType: string | null = null): Item => ({ input, tokens: 10, inputType });
const picture = (bytes: number): Item => ({
  input: {
    content: [
      { type: "text", text: "a pallet" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(bytes)}` } },
    ],
  },
  tokens: 800,
  inputType: null,
});
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

describe("the code of a run", () => {
  it("makes the calls that the run makes, one for each role, with what stands before a text", async () => {
    const items = [
      text("query: it's true", "search_query"),
      text('doc: "two"\nlines', "search_document"),
      text("doc: 3", "search_document"),
    ];
    const code = requestCode(url, shared, items);
    const wanted = [
      { ...shared, input: ["query: it's true"], input_type: "search_query" },
      { ...shared, input: ['doc: "two"\nlines', "doc: 3"], input_type: "search_document" },
    ];
    expect(code.file).toBeNull();
    expect(await sentBy(code)).toEqual(wanted);
    expect(dataOf(code.curl)).toEqual(wanted);
    expect(jsonIn(code.python)).toEqual(wanted);
  });

  it("reads many rows from a file, cut into calls as the run is, each text once", async () => {
    const items = Array.from({ length: 600 }, (_, at) => text(`row ${at % 590}`));
    const code = requestCode(url, shared, items);
    expect(code.file).toMatchObject({ calls: 3, inputs: 590 });
    expect(await sentBy(code)).toEqual(bodies(items));
    expect(jsonIn(code.python)).toEqual(shared);
    expect(code.curl).toContain("calls.jsonl");
  });

  it("keeps blocks and pictures as they are, however many and however large", async () => {
    for (const items of [[picture(40)], [picture(9_000)], Array.from({ length: 8 }, (_, at) => picture(at))]) {
      const code = requestCode(url, shared, items);
      expect(await sentBy(code)).toEqual(bodies(items));
      expect(code.file === null).toBe(items.length === 1 && JSON.stringify(items).length < 4_000);
    }
  });
});
