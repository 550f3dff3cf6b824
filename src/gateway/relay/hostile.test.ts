import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { describeOnEngines } from "../testing/engines.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/makers.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];
let texts = 0;
const fresh = () => `hostile ${(texts += 1)}`;

async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describeOnEngines(
  "what is hostile",
  (gateway) => {
    const vendor = withVendor(gateway);
    const embed = async (key: string, model = "acme/embed") =>
      await gateway().call("POST", "/embeddings", { key, body: { model, input: fresh() } });
    const usage = async (hash: string) => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;

    describe("a vendor", () => {
      it.each([
        [{ type: "hang" } as const, "timeout"],
        [{ type: "dribble", everyMs: 100 } as const, "timeout"],
      ])("%j: 524, nothing charged, and the limit is whole again", async (fault, type) => {
        vendor().fail(fault);
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        expectError(await embed(key), type as "timeout", /acme/);
        expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data).toMatchObject({
          usage: 0,
          limit_remaining: 1,
        });
        vendor().reset();
        vendor().settings.dimensions = 4;
        expect((await embed(key)).status).toBe(200);
      });

      it("that hangs on a chat: 524", async () => {
        const { key } = await makeKey(gateway());
        for (const stream of [false, true]) {
          vendor().fail({ type: "hang" }, 1);
          const answer = await gateway().call("POST", "/chat/completions", {
            key,
            body: { model: "acme/talk", messages, stream },
          });
          expectError(answer, "timeout", /acme/);
        }
      });

      it("that speaks no TLS where it should: 502", async () => {
        const made = await gateway().call("POST", "/providers", {
          body: {
            slug: "plain",
            name: "Plain",
            kind: "openai-compatible",
            base_url: vendor().baseUrl.replace("http:", "https:"),
            api_key: null,
            data_collection: "deny",
            enabled: true,
            models: [{ id: "plain/embed", upstream_id: "e", type: "embedding", name: "E", pricing: { prompt: "0" } }],
          },
        });
        expect(made.status).toBe(201);
        const { key } = await makeKey(gateway());
        expectError(await embed(key, "plain/embed"), "provider_error", /Plain could not be reached/);
        await gateway().call("DELETE", "/providers/plain");
      });
    });

    describe("a caller", () => {
      const open = async (): Promise<Socket> => {
        const socket = connect(Number(new URL(gateway().url).port), "127.0.0.1");
        socket.on("error", () => {});
        await once(socket, "connect");
        return socket;
      };
      const head = (key: string, length: number, path = "embeddings") =>
        `POST /api/v1/${path} HTTP/1.1\r\nhost: gatehouse\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

      it("that sends 100 MB: 413, before it was all taken", async () => {
        const { key } = await makeKey(gateway());
        const socket = await open();
        socket.write(head(key, 100_000_000));
        const piece = Buffer.alloc(1_000_000, " ");
        for (let sent = 0; sent < 40 && socket.writable; sent += 1) socket.write(piece);
        const [answer] = (await once(socket, "data")) as [Buffer];
        expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 413 /);
        socket.destroy();
      });

      it("that sends slowly is waited for, and keeps nobody else waiting", async () => {
        const { key } = await makeKey(gateway());
        const body = JSON.stringify({ model: "acme/embed", input: fresh() });
        const socket = await open();
        const answered = once(socket, "data");
        socket.write(head(key, body.length));
        for (const byte of body) {
          socket.write(byte);
          await new Promise((resolve) => setImmediate(resolve));
          if (byte === "," || byte === ":") expect((await embed(key)).status).toBe(200);
        }
        const [answer] = (await answered) as [Buffer];
        expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 200 /);
        socket.destroy();
      });

      it("that leaves in the head or in the body costs nothing", async () => {
        const { key, record } = await makeKey(gateway());
        const body = JSON.stringify({ model: "acme/embed", input: fresh() });
        for (const part of [head(key, body.length).slice(0, 60), head(key, body.length) + body.slice(0, 10)]) {
          const socket = await open();
          socket.write(part);
          await new Promise((resolve) => setTimeout(resolve, 20));
          socket.destroy();
        }
        expect((await embed(key)).status).toBe(200);
        expect(await usage(record.hash)).toBeCloseTo(0.000002, 12);
        expect(vendor().calls()).toBe(1);
      });

      it("that leaves while the vendor works pays what the vendor counts for an embedding", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        const body = JSON.stringify({ model: "acme/embed", input: fresh() });
        vendor().delay({ first: 100 });
        const socket = await open();
        socket.write(head(key, body.length) + body);
        await eventually(async () => (vendor().inFlight() > 0 ? true : undefined));
        socket.destroy();
        const spent = await eventually(async () => (await usage(record.hash)) || undefined);
        expect(spent).toBeCloseTo(0.000002, 12);
      });

      it("that leaves a chat before it began cuts the vendor off, and what was reserved is free again", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        const body = JSON.stringify({ model: "acme/talk", messages });
        vendor().delay({ first: 500 });
        const socket = await open();
        socket.write(head(key, body.length, "chat/completions") + body);
        await eventually(async () => (vendor().inFlight() > 0 ? true : undefined));
        socket.destroy();
        await eventually(async () => (vendor().abandoned() > 0 ? true : undefined));
        const row = await eventually(async () => {
          const { rows } = await gateway().deps.store.pool.query("select * from ledger where key_hash = $1", [
            record.hash,
          ]);
          return rows[0];
        });
        expect(row).toMatchObject({ cancelled: true, status: 499, completion_tokens: 0 });
        const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
        expect(data.limit_remaining).toBeCloseTo(1 - data.usage, 12);
      });
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "1" } },
);
