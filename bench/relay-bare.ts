// The comparison: a Fastify and undici relay that knows no limit and writes nothing down. A process of its own, for
// bench/cost.ts. Three ways to write one: /bytes passes the answer on as it came and looks for the usage at its end;
// /stream pipes it; /metered checks a key's hash and parses the answer for its usage, as relays commonly do.
// Usage: node bench/relay-bare.ts http://127.0.0.1:VENDOR/v1; prints its port.
import type { AddressInfo } from "node:net";
import { hash } from "node:crypto";
import { fastify, type FastifyRequest } from "fastify";
import { Pool } from "undici";

const vendor = new URL(process.argv[2] ?? "");
const pool = new Pool(vendor.origin, { connections: 512 });
const app = fastify({ logger: false, bodyLimit: 64 * 1_048_576 });
const keys = new Set([hash("sha256", process.argv[3] ?? "none")]);
let tokens = 0;

app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

const forward = (request: FastifyRequest, path = "/embeddings") =>
  pool.request({
    path: `${vendor.pathname}${path}`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: request.body as Buffer,
  });

app.post("/bytes", async (request, reply) => {
  const answer = await forward(request);
  const body = Buffer.from(await answer.body.arrayBuffer());
  tokens += Number(/"total_tokens":(\d+)/.exec(body.toString("latin1", body.length - 100))?.[1] ?? 0);
  return reply.code(answer.statusCode).header("content-type", "application/json").send(body);
});

app.post("/stream", async (request, reply) => {
  const answer = await forward(request);
  const length = String(answer.headers["content-length"]);
  return reply
    .code(answer.statusCode)
    .headers({ "content-type": "application/json", "content-length": length })
    .send(answer.body);
});

app.post("/metered", async (request, reply) => {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  if (!keys.has(hash("sha256", token))) return reply.code(401).send();
  const answer = await forward(request);
  const body = (await answer.body.json()) as { usage: { total_tokens: number } };
  tokens += body.usage.total_tokens;
  return reply.code(answer.statusCode).send(body);
});

app.post("/chat", async (request, reply) => {
  const answer = await forward(request, "/chat/completions");
  const { "content-type": type, "content-length": length } = answer.headers;
  return reply
    .code(answer.statusCode)
    .headers({ "content-type": String(type), ...(length !== undefined && { "content-length": String(length) }) })
    .send(answer.body);
});

await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
