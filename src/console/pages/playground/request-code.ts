const shownInputs = 5;

/** This very request in three languages. Above five rows the texts are read from a file, one a line. */
export function requestCode(url: string, body: Record<string, unknown>, inputs: readonly unknown[]) {
  const fromFile = inputs.length > shownInputs;
  const whole = JSON.stringify({ ...body, ...(fromFile ? {} : { input: inputs }) }, null, 2);
  const quoted = whole.replaceAll("'", String.raw`'\''`);
  const literal = whole.replaceAll(/\btrue\b/g, "True").replaceAll(/\bfalse\b/g, "False");
  return {
    curl: fromFile
      ? `jq -Rn '${quoted} + {input: [inputs]}' texts.txt | curl ${url} \\\n  -H "Authorization: Bearer $GATEWAY_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d @-`
      : `curl ${url} \\\n  -H "Authorization: Bearer $GATEWAY_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '${quoted}'`,
    typescript: `${fromFile ? 'import { readFileSync } from "node:fs";\n\nconst input = readFileSync("texts.txt", "utf8").trimEnd().split("\\n");\n' : ""}const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer " + process.env.GATEWAY_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${fromFile ? `{ ...${whole}, input }` : whole}),
});
const { data } = await response.json();`,
    python: `import json, os, urllib.request

body = ${fromFile ? literal : `json.loads(r"""${whole}""")`}
${fromFile ? 'body["input"] = open("texts.txt", encoding="utf-8").read().splitlines()\n' : ""}request = urllib.request.Request(
    "${url}",
    data=json.dumps(body).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEWAY_API_KEY"],
             "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    data = json.load(response)["data"]`,
  };
}
