// Chat streams: what Gatehouse adds to the first byte beside the bare relay in the same run, and how many streams are
// held open at once. Usage: node bench/relay-streams.ts [streams held open]
import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { percentile, printTable } from "./table.ts";

const held = Number(process.argv[2] ?? 2_000);
const asked = 500;
const children: ChildProcess[] = [];

async function start(script: string, ...given: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text.trim();
}

interface Stream {
  /** to the first byte of the first chunk, milliseconds */
  first: number;
  /** the stream ended as it should */
  whole: boolean;
}

/** One stream from its request to its end. */
function ask(port: number, path: string, key: string, pace: number): Promise<Stream> {
  const body = JSON.stringify({
    model: "acme/talk",
    stream: true,
    pace,
    messages: [{ role: "user", content: "Say something" }],
  });
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let since = 0;
    let first = 0;
    let text = "";
    socket.setNoDelay(true);
    socket.on("connect", () => {
      since = performance.now();
      socket.write(head + body);
    });
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      if (first === 0 && text.includes("data: ")) first = performance.now() - since;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ first, whole: text.includes("data: [DONE]") }));
  });
}

const vendorPort = await start("relay-vendor.ts");
const vendor = `http://127.0.0.1:${vendorPort}/v1`;
const barePort = Number(await start("relay-bare.ts", vendor));
const gateway: RunningGateway = await startGatewayProcess({ env: { GATEHOUSE_LOG_LEVEL: "warn" } });
const post = async (path: string, body: unknown) => {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as { key: string };
};
const model = { id: "acme/talk", upstream_id: "talk", type: "chat", name: "Talk", context_length: 8192 };
await post("/providers", {
  slug: "acme",
  name: "Acme",
  kind: "openai-compatible",
  base_url: vendor,
  api_key: null,
  data_collection: "deny",
  enabled: true,
  models: [{ ...model, max_completion_tokens: 1024, pricing: { prompt: "0.0000001", completion: "0.0000002" } }],
});
const { key } = await post("/keys", { name: "bench", limit: 1_000_000 });
const port = Number(new URL(gateway.url).port);

try {
  const times = { bare: [] as number[], gatehouse: [] as number[] };
  for (let index = 0; index < asked; index += 1) {
    times.bare.push((await ask(barePort, "/chat", "none", 0)).first);
    times.gatehouse.push((await ask(port, "/api/v1/chat/completions", key, 0)).first);
  }
  // The first ones pay for compiling the code.
  const [bare, gatehouse] = [times.bare.slice(100), times.gatehouse.slice(100)];
  printTable(
    "To the first byte of a chat stream, one at a time",
    ["relay", "p50 ms", "p99 ms"],
    [
      ["bare", percentile(bare, 50).toFixed(2), percentile(bare, 99).toFixed(2)],
      ["Gatehouse", percentile(gatehouse, 50).toFixed(2), percentile(gatehouse, 99).toFixed(2)],
      ["added", (percentile(gatehouse, 50) - percentile(bare, 50)).toFixed(2), ""],
    ],
  );
  const streams = await Promise.all(
    Array.from({ length: held }, () => ask(port, "/api/v1/chat/completions", key, 250)),
  );
  printTable(
    `${held} streams of 5 s, held open at once`,
    ["opened", "ended whole", "first byte p50 ms", "p99 ms"],
    [
      [
        held,
        streams.filter(({ whole }) => whole).length,
        Math.round(
          percentile(
            streams.map(({ first }) => first),
            50,
          ),
        ),
        Math.round(
          percentile(
            streams.map(({ first }) => first),
            99,
          ),
        ),
      ],
    ],
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await gateway.dispose();
}
