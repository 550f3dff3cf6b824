import { curl } from "../../shell/snippets.ts";
import { planChunks, type Input, type Item } from "../../vectors/plan.ts";

/** A call's own members; the others have it in common. */
export interface OwnPart {
  input: Input[];
  input_type?: string;
}

export interface RequestCode {
  curl: string;
  typescript: string;
  python: string;
  /** the file that the code reads its inputs from: a line of JSON per call; null if they are in the code */
  file: { name: string; lines: string; calls: number; inputs: number } | null;
}

const mostInline = 5;
const mostLetters = 4_000;
const name = "calls.jsonl";

/** The inputs of a run as they are sent: cut into calls, each text once, with prefixes, roles and pictures. */
export function ownParts(items: readonly Item[]): OwnPart[] {
  const { chunks } = planChunks(items, [...items.keys()]);
  return chunks.map(({ items: places, inputType }) => ({
    input: places.flatMap((place) => items[place]?.input ?? []),
    ...(inputType !== null && { input_type: inputType }),
  }));
}

/**
 * The very calls that a run makes, in three languages. Many or large inputs are read from a file, which holds what each
 * call has of its own; what all have in common is in the code.
 * @param shared the body without inputs
 */
export function requestCode(url: string, shared: Record<string, unknown>, items: readonly Item[]): RequestCode {
  const parts = ownParts(items);
  const inputs = parts.reduce((sum, { input }) => sum + input.length, 0);
  const lines = parts.map((part) => `${JSON.stringify(part)}\n`).join("");
  const fromFile = inputs > mostInline || lines.length > mostLetters;
  const common = JSON.stringify(shared, null, 2);
  const bodies = parts.map((part) => JSON.stringify({ ...shared, ...part }, null, 2));
  return {
    curl: fromFile ? curlOfFile(url, common) : bodies.map((body) => curl(url, `'${quoted(body)}'`)).join("\n\n"),
    typescript: typescript(url, fromFile ? common : null, bodies),
    python: python(url, fromFile ? common : null, bodies),
    file: fromFile ? { name, lines, calls: parts.length, inputs } : null,
  };
}

const quoted = (text: string) => text.replaceAll("'", String.raw`'\''`);

const curlOfFile = (url: string, common: string) => `jq -c '${quoted(common)} + .' ${name} |
while IFS= read -r body; do
  printf '%s' "$body" | ${curl(url, "@-").replaceAll("\n", "\n  ")}
done`;

const typescript = (url: string, common: string | null, bodies: readonly string[]) => `${
  common === null
    ? `const calls = [${bodies.join(", ")}];`
    : `import { readFileSync } from "node:fs";

const shared = ${common};
const lines = readFileSync("${name}", "utf8").trimEnd().split("\\n");
const calls = lines.map((line) => ({ ...shared, ...JSON.parse(line) }));`
}
const vectors = [];
for (const call of calls) {
  const response = await fetch("${url}", {
    method: "POST",
    headers: {
      Authorization: "Bearer " + process.env.GATEHOUSE_API_KEY,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(call),
  });
  if (!response.ok) throw new Error(await response.text());
  const { data } = await response.json();
  for (const { embedding } of data) vectors.push(embedding);
}`;

const python = (url: string, common: string | null, bodies: readonly string[]) => `import json, os, urllib.request

${
  common === null
    ? `calls = json.loads(r"""[${bodies.join(", ")}]""")`
    : `shared = json.loads(r"""${common}""")
calls = [{**shared, **json.loads(line)} for line in open("${name}", encoding="utf-8")]`
}
vectors = []
for call in calls:
    request = urllib.request.Request(
        "${url}",
        data=json.dumps(call).encode(),
        headers={"Authorization": "Bearer " + os.environ["GATEHOUSE_API_KEY"],
                 "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        vectors += [row["embedding"] for row in json.load(response)["data"]]`;
