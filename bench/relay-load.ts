// Load for the benches of the relay, from a process of its own: plain sockets that each send a request when the last answer is
// there. Usage: node bench/relay-load.ts '{"port":…,"path":…,"key":…,"connections":…,"seconds":…,"inputs":…}'
// Prints a line when its warm-up is over, and then one of JSON: calls a second, percentiles in milliseconds, and the statuses.
import { connect } from "node:net";
import { percentile } from "./figures.ts";
import { answerReader } from "./relay-wire.ts";

/** What the load is and where it goes. */
export interface Load {
  port: number;
  /** what is asked: /api/v1/embeddings, or one of the bare relay's paths */
  path: string;
  key: string;
  model: string;
  connections: number;
  seconds: number;
  /** texts in one call; a chat has one, as its message */
  inputs: number;
  /** vectors as base64 */
  base64?: boolean;
  /** a chat's answer in events */
  stream?: boolean;
  /** beyond those that every call has */
  headers?: Record<string, string>;
}

const load = JSON.parse(process.argv[2] ?? "{}") as Load;
const headers = Object.entries(load.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
const latencies: number[] = [];
const statuses = new Map<string, number>();
let sent = 0;

/** Every call asks for texts of its own, so that no cache can answer. */
function request(): string {
  const input = Array.from({ length: load.inputs }, () => `the text number ${(sent += 1)} of this bench`);
  const question = load.path.includes("chat")
    ? { messages: [{ role: "user", content: input[0] }], ...(load.stream === true && { stream: true }) }
    : {
        input: load.inputs === 1 ? input[0] : input,
        ...(load.base64 === true && { encoding_format: "base64" }),
      };
  const body = JSON.stringify({ model: load.model, ...question });
  return `POST ${load.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${load.key}\r\ncontent-type: application/json\r\n${headers.join("")}content-length: ${body.length}\r\n\r\n${body}`;
}

const warmUpMs = 1_500;
const started = performance.now();
const ends = started + warmUpMs + load.seconds * 1_000;

const count = (status: string) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);

/** One connection until it ends, by itself or by the other side. */
function connection(): Promise<void> {
  const socket = connect(load.port, "127.0.0.1");
  socket.setNoDelay(true);
  return new Promise((resolve) => {
    let since = 0;
    const next = () => {
      since = performance.now();
      if (since > ends) {
        socket.end();
        resolve();
      } else socket.write(request());
    };
    answerReader(socket, (head) => {
      const now = performance.now();
      if (since - started > warmUpMs) {
        latencies.push(now - since);
        count(head.slice(9, 12));
      }
      next();
    });
    socket.on("connect", next);
    socket.on("error", ({ code }: NodeJS.ErrnoException) => count(code ?? "error"));
    socket.on("close", () => resolve());
  });
}

/** Connections are opened a few at a time, as they come in life. */
async function keepConnected(index: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, index / 4));
  while (performance.now() < ends) await connection();
}

setTimeout(() => process.stdout.write("measuring\n"), warmUpMs);
await Promise.all(Array.from({ length: load.connections }, (_, index) => keepConnected(index)));
const statistics = {
  perSecond: latencies.length / load.seconds,
  p50: percentile(latencies, 50),
  p99: percentile(latencies, 99),
  statuses: Object.fromEntries(statuses),
};
process.stdout.write(`${JSON.stringify(statistics)}\n`);
