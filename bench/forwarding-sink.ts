// A sink that costs as little as it can: it counts spans and answers at once. A process of its own, for
// bench/forwarding.ts. Usage: node bench/forwarding-sink.ts; prints its port. GET /count answers {"spans","requests"},
// GET /down and GET /up switch it off and on.
import { createServer } from "node:http";
import { setPriority } from "node:os";
import type { AddressInfo } from "node:net";

// In life it is another machine, so it takes what this one has left.
setPriority(15);

const mark = Buffer.from('"spanId"');
let spans = 0;
let requests = 0;
let down = false;

const server = createServer((request, response) => {
  if (request.method === "GET") {
    if (request.url === "/down") down = true;
    if (request.url === "/up") down = false;
    response.end(JSON.stringify({ spans, requests }));
    return;
  }
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    if (down) {
      response.writeHead(503).end();
      return;
    }
    const body = Buffer.concat(pieces);
    requests += 1;
    for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) spans += 1;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
