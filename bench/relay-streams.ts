// Chat streams: what Gatehouse adds to the first byte compared with the bare relay, and how many streams are
// held open at once. Usage: node bench/relay-streams.ts [streams held open]
import { connect } from "node:net";
import { percentile, printTable } from "./figures.ts";
import { addVendor, models, numberArgument, startGateway, startServer, underLoad } from "./harness.ts";

const held = numberArgument(1, 2_000);
const asked = 500;

interface Stream {
  /** to the first byte of the first chunk, milliseconds */
  first: number;
  /** the stream ended as it should */
  whole: boolean;
  /** of the answer; 0: there was none */
  status: number;
}

/** One stream from its request to its end. */
function ask(port: number, path: string, key: string, pace: number): Promise<Stream> {
  const body = JSON.stringify({
    model: models.talk,
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
    socket.on("close", () =>
      resolve({ first, whole: text.includes("data: [DONE]"), status: Number(text.slice(9, 12)) }),
    );
  });
}

using vendor = await startServer("relay-vendor.ts");
using bareRelay = await startServer("relay-bare.ts", `${vendor.origin}/v1`);
await using gateway = await startGateway({ env: underLoad });
const key = await addVendor(gateway, vendor.origin);
const askGateway = (pace: number) => ask(gateway.port, "/api/v1/chat/completions", key, pace);

const times = { bare: [] as number[], gatehouse: [] as number[] };
for (let index = 0; index < asked; index += 1) {
  times.bare.push((await ask(bareRelay.port, "/chat", "none", 0)).first);
  times.gatehouse.push((await askGateway(0)).first);
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

const streams = await Promise.all(Array.from({ length: held }, () => askGateway(250)));
const whole = streams.filter((stream) => stream.whole).length;
const refused = streams.filter((stream) => stream.status === 503).length;
const first = streams.filter((stream) => stream.whole).map((stream) => stream.first);
printTable(
  `${held} streams of 5 s, held open at once`,
  ["asked for", "ended whole", "refused with 503", "cut", "first byte p50 ms", "p99 ms"],
  [
    [
      held,
      whole,
      refused,
      held - whole - refused,
      Math.round(percentile(first, 50)),
      Math.round(percentile(first, 99)),
    ],
  ],
);
