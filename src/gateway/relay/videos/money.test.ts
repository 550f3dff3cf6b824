import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyLedger } from "../../domain/ledger/verify.ts";
import { bodyOf } from "../../testing/billing-vendor.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";

/** What becomes of a submission, in turn; a vendor that is cut off or says nonsense makes the video all the same. */
const fates = [
  "completed",
  "shorter",
  "longer",
  "failed",
  "cancelled",
  "expired",
  "silent",
  "forgotten",
  "killed",
  "broken",
  "garbage",
  "refused",
] as const;
type Fate = (typeof fates)[number];
const free: ReadonlySet<Fate> = new Set(["failed", "cancelled", "expired", "refused"]);
const states: ReadonlyMap<Fate, string> = new Map(
  (["failed", "cancelled", "expired"] as const).map((fate) => [fate, fate]),
);

const presets = ["openai", "xai", "openrouter", "gemini"] as const;
/** nano-dollars: 100,000 a second, 300,000 at 1080p, 10,000 an image, 3,000 a video */
const pricing = {
  prompt: "0",
  second: "0.0001",
  seconds: [{ size: "1080p", price: "0.0003" }],
  image: "0.00001",
  request: "0.000003",
};

interface Job {
  readonly fate: Fate;
  readonly seconds: number;
  readonly large: boolean;
}

/** A vendor of four dialects that bills what it really makes. */
async function startVideoVendor() {
  const jobs: Job[] = [];
  let bill = 0;

  const answer = (response: ServerResponse, body: object, status = 200) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = await bodyOf(request.headers["content-type"] ?? "", Buffer.concat(pieces));
    const number = jobs.length;
    const fate = fates[number % fates.length] ?? "completed";
    const asked = Number(body.seconds ?? body.duration ?? body.parameters?.durationSeconds);
    const size = String(body.size ?? body.resolution ?? body.parameters?.resolution ?? (number % 2 ? "1080p" : "720p"));
    const images =
      (body.files?.length ?? 0) +
      (body.frame_images?.length ?? 0) +
      [body.image, body.instances?.[0].image].flat().filter(Boolean).length;
    const job = { fate, seconds: fate === "shorter" ? asked / 2 : asked, large: size.includes("1080") };
    jobs.push(job);
    if (!free.has(fate)) bill += job.seconds * (job.large ? 300_000 : 100_000) + images * 10_000 + 3_000;
    if (fate === "broken") return void response.socket?.destroy();
    if (fate === "garbage") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    if (fate === "refused") return answer(response, { error: { message: "no", code: 400 } }, 400);
    const name = `${fate}-${number}`;
    answer(response, { id: name, request_id: name, name: `operations/${name}` });
  }

  function tell(url: string, response: ServerResponse): void {
    const job = jobs[Number(/-(\d+)$/.exec(url)?.[1])];
    if (job === undefined || job.fate === "forgotten") return answer(response, { error: { message: "none" } }, 404);
    const { fate, large } = job;
    const seconds = fate === "longer" ? job.seconds * 10 : job.seconds;
    const isDone = fate === "completed" || fate === "shorter" || fate === "longer";
    const state = states.get(fate) ?? "in_progress";
    if (!isDone && state === "in_progress") return answer(response, { status: state, done: false });
    const film = "https://93.184.216.34/film.mp4";
    if (url.includes("/xai/"))
      return answer(
        response,
        isDone
          ? { status: "done", video: { url: film, duration: seconds } }
          : { status: state === "cancelled" ? "failed" : state },
      );
    if (url.includes("/gemini/"))
      return answer(response, {
        done: true,
        ...(isDone
          ? { response: { generateVideoResponse: { generatedSamples: [{ video: { uri: film } }] } } }
          : { error: { message: state } }),
      });
    answer(response, {
      status: isDone ? "completed" : state,
      seconds: String(seconds),
      size: large ? "1920x1080" : "1280x720",
    });
  }

  const server: Server = createServer((request, response) => {
    if (request.method === "GET") return tell(request.url ?? "", response);
    void begin(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    bill: () => bill,
    reset: () => void (bill = 0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const image = {
  type: "image_url",
  image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  frame_type: "first_frame",
};
const call = fc.record(
  {
    model: fc.constantFrom(...presets).map((preset) => `${preset}/camera`),
    prompt: fc.constantFrom("a", "A red gate opens in the snow"),
    duration: fc.integer({ min: 1, max: 8 }),
    resolution: fc.constantFrom("720p", "1080p"),
    aspect_ratio: fc.constantFrom("16:9", "9:16"),
    frame_images: fc.constant([image]),
  },
  { requiredKeys: ["model", "prompt", "duration"] },
);

describeGateway("videos of a key with a limit", (gateway) => {
  let vendor: Awaited<ReturnType<typeof startVideoVendor>>;
  beforeAll(async () => {
    vendor = await startVideoVendor();
    for (const preset of presets) {
      await makeProvider(gateway(), {
        slug: preset,
        preset,
        kind: preset === "gemini" ? "gemini" : "openai-compatible",
        base_url: `${vendor.url}/${preset}/v1`,
        api_key: "k",
        models: [{ id: `${preset}/camera`, upstream_id: "camera", type: "video", pricing }],
      });
    }
  });
  afterAll(() => vendor.close());

  it("are never billed beyond it, whatever becomes of 20 at once, and each ends and is charged once", async () => {
    const { db } = gateway().deps.store;
    let accepted = 0;
    const ended: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 20, maxLength: 20 }),
        fc.constantFrom(0.004, 0.02, 1),
        async (calls, limit) => {
          vendor.reset();
          const { key, record } = await makeKey(gateway(), { limit });
          const { spend_id: spendId } = await db
            .selectFrom("api_keys")
            .select("spend_id")
            .where("hash", "=", record.hash)
            .executeTakeFirstOrThrow();
          const usage = async () => (await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage * 1e9;
          const open = async () =>
            await db
              .selectFrom("video_jobs")
              .select(["id", "upstream_id"])
              .where("key_hash", "=", record.hash)
              .where("ended_at", "is", null)
              .execute();
          const answers = await Promise.all(
            calls.map(async (body) => await gateway().call("POST", "/videos", { key, body })),
          );
          for (const { status, text } of answers) expect([202, 400, 402, 404, 502], text).toContain(status);
          const jobs = answers.flatMap(({ status, json }) => (status === 202 ? [json.id as string] : []));
          accepted += jobs.length;
          for (const { id, upstream_id } of await open())
            if (upstream_id?.includes("killed"))
              await db.updateTable("video_jobs").set({ upstream_id: null }).where("id", "=", id).execute();
          for (let hours = 0; hours < 8; hours += 1) {
            gateway().clock.advance(hours < 6 ? 60_000 : 6 * 3_600_000);
            await Promise.all(jobs.map((id) => gateway().call("GET", `/videos/${id}`, { key })));
            // In this order: what is charged between the two would count twice otherwise.
            const used = await usage();
            const held = await db.selectFrom("spends").select("reserved").where("id", "=", spendId).executeTakeFirst();
            expect(Number(held?.reserved ?? 0n) + used).toBeLessThanOrEqual(limit * 1e9 + 1);
          }
          await eventually(open, ({ length }) => length === 0);
          for (const id of jobs) {
            const { status, cost, reserved } = await db
              .selectFrom("video_jobs")
              .selectAll()
              .where("id", "=", id)
              .executeTakeFirstOrThrow();
            ended[status] = (ended[status] ?? 0) + 1;
            expect([cost === null, reserved]).toEqual([false, 0n]);
          }
          const charged = await usage();
          expect(vendor.bill()).toBeLessThanOrEqual(limit * 1e9);
          expect(charged).toBeGreaterThanOrEqual(vendor.bill() - 1);
          expect(charged).toBeLessThanOrEqual(limit * 1e9);
          expect((await verifyLedger(gateway().deps)).differences).toEqual([]);
        },
      ),
      { seed: 20_261_126, numRuns: 5, endOnFailure: true },
    );
    const counts = JSON.stringify({ accepted, ended });
    expect(accepted, counts).toBeGreaterThan(20);
    for (const status of ["completed", "failed", "cancelled", "expired"])
      expect(ended[status], counts).toBeGreaterThan(0);
  }, 600_000);
});
