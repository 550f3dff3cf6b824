import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";
import type { FakeVendor } from "../testing/fake-vendor.ts";
import type { TestGateway } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];
const chat = { model: "acme/talk", messages };
/** Seconds. More than one, so that a pause of this process is not taken for the vendor's. */
const upstreamTimeout = 2;
let texts = 0;
const embedding = () => ({ model: "acme/embed", input: `hostile ${(texts += 1)}` });

/** What both blocks need of their gateway. */
function tools(gateway: () => TestGateway, vendor: () => FakeVendor) {
  const connections = new Set<Socket>();
  beforeAll(() => void gateway().app.server.on("connection", (socket) => connections.add(socket)));
  const embed = async (key: string) => await gateway().call("POST", "/embeddings", { key, body: embedding() });
  const usage = async (hash: string) => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(gateway().url).port), "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  const head = (key: string, length: number, path = "embeddings") =>
    `POST /api/v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  /** A call that is on its way to the vendor. */
  const begin = async (key: string, body: object): Promise<Socket> => {
    const socket = await open();
    const raw = JSON.stringify(body);
    socket.write(head(key, raw.length, "input" in body ? "embeddings" : "chat/completions") + raw);
    await expect.poll(() => vendor().calls()).toBe(1);
    return socket;
  };
  /** Closes a caller's connection, and waits until the gateway has seen that. */
  const leave = async (socket: Socket) => {
    const theirs = [...connections].find(({ remotePort }) => remotePort === socket.localPort);
    socket.destroy();
    await expect.poll(() => theirs?.destroyed).toBe(true);
  };
  const rowOf = async (hash: string) =>
    await eventually(
      async () => (await gateway().deps.store.pool.query("select * from ledger where key_hash = $1", [hash])).rows[0],
      (row) => row !== undefined,
    );
  /** Expects that nothing stays reserved. */
  const expectReleased = async (hash: string) => {
    const { data } = (await gateway().call("GET", `/keys/${hash}`)).json;
    if (data.limit !== null) expect(data.limit_remaining).toBeCloseTo(1 - data.usage, 12);
  };
  return { embed, usage, open, head, begin, leave, rowOf, expectReleased };
}

describeGateway(
  "what is hostile",
  (gateway) => {
    const vendor = withVendor(gateway, { talk: { context_length: 200_000, max_completion_tokens: 100_000 } });
    const { embed, usage, begin, rowOf, expectReleased } = tools(gateway, vendor);

    it("a vendor that is asked again and again uses up the limit, and no more is sent", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 0.02 });
      vendor().fail({ type: "hang" });
      const body = { ...chat, max_tokens: 4_000 };
      const calls = Array.from({ length: 6 }, () => gateway().call("POST", "/chat/completions", { key, body }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([402, 402, 402, 402, 524, 524]);
      expect(vendor().calls()).toBe(2);
      expect(await usage(record.hash)).toBeLessThanOrEqual(0.02);
    });

    it("a vendor that takes longer than GATEHOUSE_UPSTREAM_TIMEOUT has the time that its provider is given", async () => {
      const { key } = await makeKey(gateway());
      const limit = async (options: object) =>
        (await gateway().call("PATCH", "/providers/acme", { body: { options } })).json.data.options;
      const call = async (stream: boolean) =>
        await gateway().call("POST", "/chat/completions", { key, body: { ...chat, stream } });
      expect(await limit({ timeout_seconds: 60 })).toEqual({ timeout_seconds: 60 });
      vendor().delay({ first: upstreamTimeout * 1_500 });
      const [embedded, whole, streamed] = await Promise.all([embed(key), call(false), call(true)]);
      expect([embedded.status, whole.status]).toEqual([200, 200]);
      expect(streamed.text).toContain("[DONE]");
      // It may pause as long within a stream: the time limit for a caller who does not read is another one.
      vendor().delay({});
      const goOn = vendor().hold();
      setTimeout(goOn, upstreamTimeout * 1_500);
      expect((await call(true)).text).toContain("[DONE]");
      expect(await limit({})).toEqual({});
      vendor().fail({ type: "hang" });
      expectError(await embed(key), "timeout", /acme/);
    });

    const words = (count: number, word: string) => Array.from({ length: count }, () => word);
    const stream = { ...chat, stream: true, max_tokens: 100_000 };
    it.each<
      [string, number | null, object, (vendor: FakeVendor) => void, metered: string, least: number, most: number]
    >([
      [
        "a chat at a vendor that does not answer in time pays like one who stays",
        1,
        chat,
        (slow) => slow.fail({ type: "hang" }),
        "gateway",
        4_096,
        100_000,
      ],
      [
        // It is waited for three times as long as a vendor may be silent, at 250 tokens a second.
        "a chat that is not answered pays for what may have been thought, where no limit counts it",
        null,
        chat,
        (slow) => slow.fail({ type: "dribble", everyMs: 100 }),
        "gateway",
        1,
        250 * upstreamTimeout * 3 * 4,
      ],
      [
        "a stream which does not end is charged a token for each byte, and the vendor is cut off",
        1,
        stream,
        (endless) => {
          endless.settings.words = words(10_000, "字".repeat(8));
          endless.delay({ between: 5 });
        },
        "gateway",
        24 * 10,
        100_000,
      ],
      [
        // It is listened to for two seconds here, at 250 tokens each; the word that came is five bytes.
        "a stream that is silent after its first word pays for the silence",
        1,
        stream,
        (silent) => void silent.hold(),
        "gateway",
        150,
        100_000,
      ],
    ])("a caller who leaves %s", async (_, limit, body, arrange, metered_by, least, most) => {
      const { key, record } = await makeKey(gateway(), { limit });
      arrange(vendor());
      const socket = await begin(key, body);
      if (body === stream) await once(socket, "data");
      socket.destroy();
      const row = await rowOf(record.hash);
      expect(row).toMatchObject({ cancelled: true, status: 499, metered_by });
      // Of a call without any answer there is the cost alone, 2,000 nano-dollars for a token.
      const tokens = Number(row["completion_tokens"]) || Number(row["cost"]) / 2_000;
      expect(tokens).toBeGreaterThan(least);
      expect(tokens).toBeLessThan(most);
      await expect.poll(() => vendor().abandoned()).toBeGreaterThan(0);
      await expectReleased(record.hash);
    });

    it("a caller who never reads its stream is left after a while, and pays", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      vendor().settings.words = words(2_000, "x".repeat(10_000));
      const socket = await begin(key, { ...stream, max_tokens: 4_000 });
      socket.pause();
      const row = await rowOf(record.hash);
      expect(row).toMatchObject({ cancelled: true, status: 499 });
      expect(Number(row["completion_tokens"])).toBeGreaterThan(1_000);
      await expectReleased(record.hash);
      socket.destroy();
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);

describeGateway("a caller at a patient gateway", (gateway) => {
  const vendor = withVendor(gateway);
  const { embed, usage, open, head, begin, leave, rowOf, expectReleased } = tools(gateway, vendor);

  it("that sends 100 MB: 413, before it was all taken", async () => {
    const { key } = await makeKey(gateway());
    const socket = await open();
    socket.write(head(key, 100_000_000));
    socket.write(Buffer.alloc(1_000_000, " "));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("that sends slowly is waited for, and keeps nobody else waiting", async () => {
    const { key } = await makeKey(gateway());
    const body = JSON.stringify(embedding());
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
    const body = JSON.stringify(embedding());
    for (const part of [head(key, body.length).slice(0, 60), head(key, body.length) + body.slice(0, 10)]) {
      const socket = await open();
      socket.write(part);
      await leave(socket);
    }
    expect((await embed(key)).status).toBe(200);
    expect(await usage(record.hash)).toBeCloseTo(0.000002, 12);
    expect(vendor().calls()).toBe(1);
  });

  it("that leaves while the vendor works pays what the vendor counts for an embedding", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const letGo = vendor().hold();
    await leave(await begin(key, embedding()));
    letGo();
    await expect.poll(() => usage(record.hash)).toBeCloseTo(0.000002, 12);
  });

  describe("that leaves a chat pays what the vendor counts, not what its words look like", () => {
    it("before it began", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      const letGo = vendor().hold();
      await leave(await begin(key, chat));
      letGo();
      const row = await rowOf(record.hash);
      expect(row).toMatchObject({ cancelled: true, status: 499, completion_tokens: 6, metered_by: "upstream" });
      await expectReleased(record.hash);
    });

    it("at the last word of its stream", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      vendor().settings.words = Array.from({ length: 20 }, () => "字".repeat(8));
      // After its beginning, each word, and the end of the last of them: the count is still to come.
      const letGo = vendor().hold(1 + 20 + 1);
      const socket = await begin(key, { ...chat, stream: true });
      let seen = "";
      socket.on("data", (piece) => (seen += piece.toString("utf8")));
      await expect.poll(() => seen).toContain('"finish_reason":"stop"');
      await leave(socket);
      letGo();
      expect(await rowOf(record.hash)).toMatchObject({
        cancelled: true,
        completion_tokens: 20,
        metered_by: "upstream",
      });
      await expectReleased(record.hash);
    });
  });
});
