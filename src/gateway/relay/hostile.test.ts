import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";
import type { TestGateway } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];
/**
 * Seconds. More than one: undici counts a longer limit by the turns of the event loop, so that a pause of this process
 * is not taken for the vendor's.
 */
const upstreamTimeout = 2;
let texts = 0;
const fresh = () => `hostile ${(texts += 1)}`;

/** What both blocks need of their gateway. */
function tools(gateway: () => TestGateway) {
  const embed = async (key: string, model = "acme/embed") =>
    await gateway().call("POST", "/embeddings", { key, body: { model, input: fresh() } });
  const usage = async (hash: string) => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(gateway().url).port), "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  const head = (key: string, length: number, path = "embeddings") =>
    `POST /api/v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const rowOf = (hash: string) =>
    eventually(
      async () => (await gateway().deps.store.pool.query("select * from ledger where key_hash = $1", [hash])).rows[0],
      (row) => row !== undefined,
    );
  const whole = async (hash: string) => {
    const { data } = (await gateway().call("GET", `/keys/${hash}`)).json;
    expect(data.limit_remaining).toBeCloseTo(1 - data.usage, 12);
  };
  return { embed, usage, open, head, rowOf, whole };
}

describeGateway(
  "what is hostile",
  (gateway) => {
    const vendor = withVendor(gateway, { talk: { context_length: 200_000, max_completion_tokens: 100_000 } });
    const { embed, usage, open, head, rowOf, whole } = tools(gateway);

    describe("a vendor", () => {
      it.each([
        [{ type: "hang" } as const, "timeout"],
        [{ type: "dribble", everyMs: 100 } as const, "timeout"],
      ])("%j: 524, and a limit counts the most that it may be billed for", async (fault, type) => {
        vendor().fail(fault);
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        expectError(await embed(key), type as "timeout", /acme/);
        const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
        // A token for each byte, and eight around them.
        expect(data.usage).toBeCloseTo((`hostile ${texts}`.length + 8) * 1e-6, 12);
        expect(data.limit_remaining).toBeCloseTo(1 - data.usage, 12);
        vendor().reset();
        vendor().settings.dimensions = 4;
        expect((await embed(key)).status).toBe(200);
      });

      it("that hangs on a chat: 524, and where no limit counts it nothing is charged that nobody said", async () => {
        const { key, record } = await makeKey(gateway());
        for (const stream of [false, true]) {
          vendor().fail({ type: "hang" }, 1);
          const answer = await gateway().call("POST", "/chat/completions", {
            key,
            body: { model: "acme/talk", messages, stream },
          });
          expectError(answer, "timeout", /acme/);
        }
        expect(await usage(record.hash)).toBe(0);
      });

      it("that is asked for more than it can write in time is charged for what it may have written", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        vendor().fail({ type: "hang" });
        const long = { model: "acme/talk", messages, max_tokens: 9_000 };
        const wholeCost = 9_000 * 2e-6;
        expectError(await gateway().call("POST", "/chat/completions", { key, body: long }), "timeout", /acme/);
        const whole = await usage(record.hash);
        expect(whole).toBeGreaterThan(wholeCost);
        expect(whole).toBeLessThan(wholeCost + 200e-6);
        const streamed = await gateway().call("POST", "/chat/completions", { key, body: { ...long, stream: true } });
        expectError(streamed, "timeout", /acme/);
        // A stream says each word as it is written: all that nobody has seen is what was thought.
        const thought = (await usage(record.hash)) - whole;
        expect(thought).toBeGreaterThan(250 * upstreamTimeout * 2e-6);
        expect(thought).toBeLessThan(wholeCost);
        vendor().reset();
      });

      it("that is asked again and again uses up the limit, and no more is sent", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 0.02 });
        vendor().fail({ type: "hang" });
        const body = { model: "acme/talk", messages, max_tokens: 4_000 };
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => gateway().call("POST", "/chat/completions", { key, body })),
        );
        const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(statuses).toEqual([402, 402, 402, 402, 524, 524]);
        expect(vendor().calls()).toBe(2);
        expect(await usage(record.hash)).toBeLessThanOrEqual(0.02);
        vendor().reset();
      });

      it("that takes longer than GATEHOUSE_UPSTREAM_TIMEOUT has the time that its provider is given", async () => {
        const { key } = await makeKey(gateway());
        const limit = async (options: object) =>
          (await gateway().call("PATCH", "/providers/acme", { body: { options } })).json.data.options;
        const call = async (stream: boolean) =>
          await gateway().call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages, stream } });
        expect(await limit({ timeout_seconds: 60 })).toEqual({ timeout_seconds: 60 });
        vendor().delay({ first: upstreamTimeout * 2_000 });
        expect((await embed(key)).status).toBe(200);
        for (const stream of [false, true]) expect((await call(stream)).status).toBe(200);
        expect(await limit({})).toEqual({});
        vendor().delay({});
        vendor().fail({ type: "hang" });
        expectError(await embed(key), "timeout", /acme/);
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
        expectError(await embed(key, "plain/embed"), "provider_unavailable", /Plain could not be reached/);
        await gateway().call("DELETE", "/providers/plain");
      });
    });

    describe("a caller", () => {
      it("that leaves a chat at a vendor that does not answer in time pays like one who stays", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        const body = JSON.stringify({ model: "acme/talk", messages });
        vendor().fail({ type: "hang" });
        const socket = await open();
        socket.write(head(key, body.length, "chat/completions") + body);
        await expect.poll(() => vendor().calls()).toBe(1);
        socket.destroy();
        const row = await rowOf(record.hash);
        expect(row).toMatchObject({ cancelled: true, status: 499, metered_by: "gateway" });
        expect(Number(row["cost"])).toBeGreaterThan(4_096 * 2_000);
        await whole(record.hash);
      });

      it("that has no limit and leaves a chat that is not answered pays for what may have been thought", async () => {
        const { key, record } = await makeKey(gateway());
        const body = JSON.stringify({ model: "acme/talk", messages });
        vendor().fail({ type: "dribble", everyMs: 100 });
        const socket = await open();
        socket.write(head(key, body.length, "chat/completions") + body);
        await expect.poll(() => vendor().calls()).toBe(1);
        socket.destroy();
        const row = await rowOf(record.hash);
        expect(row).toMatchObject({ cancelled: true, status: 499 });
        // It is waited for three times as long as a vendor may be silent, at 250 tokens a second.
        expect(Number(row["completion_tokens"])).toBeLessThan(250 * upstreamTimeout * 3 * 4);
      });

      it("that leaves a stream which does not end is charged a token for each byte, and the vendor is cut off", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        vendor().settings.words = Array.from({ length: 10_000 }, () => "字".repeat(8));
        vendor().delay({ between: 5 });
        const body = JSON.stringify({ model: "acme/talk", messages, stream: true, max_tokens: 100_000 });
        const socket = await open();
        socket.write(head(key, body.length, "chat/completions") + body);
        await once(socket, "data");
        socket.destroy();
        const row = await rowOf(record.hash);
        expect(row).toMatchObject({ cancelled: true, metered_by: "gateway" });
        expect(Number(row["completion_tokens"])).toBeGreaterThan(24 * 10);
        await expect.poll(() => vendor().abandoned()).toBeGreaterThan(0);
        await whole(record.hash);
      });

      it("early, while the vendor is silent after its first word, pays for the silence", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        const letGo = vendor().hold();
        const body = JSON.stringify({ model: "acme/talk", messages, stream: true, max_tokens: 100_000 });
        const socket = await open();
        socket.write(head(key, body.length, "chat/completions") + body);
        await once(socket, "data");
        socket.destroy();
        const row = await rowOf(record.hash);
        letGo();
        expect(row).toMatchObject({ cancelled: true, metered_by: "gateway" });
        // The vendor is listened to for two seconds here, at 250 tokens each; the word that came is five bytes.
        expect(Number(row["completion_tokens"])).toBeGreaterThan(150);
        await whole(record.hash);
      });

      it("that never reads its stream is left after a while, and pays", async () => {
        const { key, record } = await makeKey(gateway(), { limit: 1 });
        vendor().settings.words = Array.from({ length: 2_000 }, () => "x".repeat(10_000));
        const body = JSON.stringify({ model: "acme/talk", messages, stream: true, max_tokens: 4_000 });
        const socket = await open();
        socket.pause();
        socket.write(head(key, body.length, "chat/completions") + body);
        const row = await rowOf(record.hash);
        expect(row).toMatchObject({ cancelled: true, status: 499 });
        expect(Number(row["completion_tokens"])).toBeGreaterThan(1_000);
        await whole(record.hash);
        socket.destroy();
      });
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);

describeGateway("a caller at a patient gateway", (gateway) => {
  const vendor = withVendor(gateway);
  const { embed, usage, open, head, rowOf, whole } = tools(gateway);
  /** Closes a caller's connection, and waits until the gateway has seen that. */
  const leave = async (socket: Socket) => {
    const theirs = [...connections].find(({ remotePort }) => remotePort === socket.localPort);
    socket.destroy();
    await expect.poll(() => theirs?.destroyed).toBe(true);
  };
  const connections = new Set<Socket>();
  beforeAll(() => void gateway().app.server.on("connection", (socket) => connections.add(socket)));

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
    const letGo = vendor().hold();
    const socket = await open();
    socket.write(head(key, body.length) + body);
    await expect.poll(() => vendor().calls()).toBe(1);
    await leave(socket);
    letGo();
    await expect.poll(() => usage(record.hash)).toBeCloseTo(0.000002, 12);
  });

  it("that leaves a chat before it began pays what the vendor counts", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const body = JSON.stringify({ model: "acme/talk", messages });
    const letGo = vendor().hold();
    const socket = await open();
    socket.write(head(key, body.length, "chat/completions") + body);
    await expect.poll(() => vendor().calls()).toBe(1);
    await leave(socket);
    letGo();
    const row = await rowOf(record.hash);
    expect(row).toMatchObject({ cancelled: true, status: 499, completion_tokens: 6, metered_by: "upstream" });
    await whole(record.hash);
  });

  it("that leaves a stream at its last word pays what the vendor counts, not what the words look like", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    vendor().settings.words = Array.from({ length: 20 }, () => "字".repeat(8));
    // After its beginning, each word, and the end of the last of them: the count is still to come.
    const letGo = vendor().hold(1 + 20 + 1);
    const body = JSON.stringify({ model: "acme/talk", messages, stream: true });
    const socket = await open();
    let seen = "";
    socket.on("data", (piece) => (seen += piece.toString("utf8")));
    socket.write(head(key, body.length, "chat/completions") + body);
    await expect.poll(() => seen).toContain('"finish_reason":"stop"');
    await leave(socket);
    letGo();
    const row = await rowOf(record.hash);
    expect(row).toMatchObject({ cancelled: true, completion_tokens: 20, metered_by: "upstream" });
    await whole(record.hash);
  });
});
