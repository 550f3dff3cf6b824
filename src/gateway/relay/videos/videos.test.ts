import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { VideoJob } from "#contract/videos.ts";
import { verifyLedger } from "../../domain/ledger/verify.ts";
import { claimDueJobs, type JobKey } from "../../domain/calls/video-jobs.ts";
import { sealAddresses } from "../../domain/workspaces/video-webhook.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { vendorsKey, withMediaVendor, withOperation } from "../../testing/scripted-setup.ts";
import { json, type ReceivedRequest, type ScriptedAnswer, type ScriptedVendor } from "../../testing/scripted-vendor.ts";
import { createKeeper } from "./keeper.ts";
import { pollDelayMs } from "./poll.ts";

const prompt = "A red gate opens";
/** 100,000,000 nano-dollars a second, 300,000,000 at 1080p */
const pricing = { prompt: "0", second: "0.1", seconds: [{ size: "1080p", price: "0.3" }] };
const films = (id: string, more: object = {}) => ({
  id,
  upstream_id: "sora-2",
  type: "video" as const,
  pricing,
  ...more,
});

const film = Buffer.from("0000001866747970", "hex");
const filmed: ScriptedAnswer = { headers: { "content-type": "video/mp4" }, pieces: [film] };

/** A vendor of OpenAI's dialect whose jobs are all in this state. */
const inState =
  (state: object, content: ScriptedAnswer = filmed) =>
  ({ path }: ReceivedRequest): ScriptedAnswer => {
    if (path.includes("/content")) return content;
    return json(path.endsWith("/videos") ? { id: "video_1", status: "queued" } : { id: "video_1", ...state });
  };

describeGateway(
  "videos",
  (gateway) => {
    const models = [films("acme/camera"), films("acme/by-video", { pricing: { prompt: "0", request: "0.5" } })];
    const { vendor, second, key, hash, spent, ...operation } = withOperation(gateway, {
      path: "/videos",
      preset: "openai",
      body: { prompt, duration: 4 },
      models,
      answer: inState({ status: "in_progress" }),
    });
    const submit = operation.ask;
    const begun = async (body: object = {}): Promise<string> => {
      const answer = await submit(body);
      expect(answer.status, answer.text).toBe(202);
      return answer.json.id;
    };
    /** Sooner than the gateway would ask by itself. */
    const see = async (id: string, more: object = {}): Promise<Answer> => {
      gateway().clock.advance(1_500);
      return await gateway().call("GET", `/videos/${id}`, { key: key(), ...more });
    };
    const row = async (id: string) => await ledgerRow(gateway(), id.replace("gen-vid-", "gen-"));
    const job = async (id: string) =>
      await gateway().deps.store.db.selectFrom("video_jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const ended = async (id: string) =>
      await eventually(
        () => job(id),
        ({ ended_at }) => ended_at !== null,
      );
    const fetchAt = async (url: string, headers: Record<string, string> = {}) => await fetch(url, { headers });
    // The jobs of other tests are asked about meanwhile.
    const submitted = (to = vendor()) => to.requests.filter(({ path }) => path.endsWith("/videos"));
    const fetched = () => vendor().requests.filter(({ path }) => path.includes("/content"));
    const sentField = (name: string) =>
      new RegExp(`name="${name}"\r\n\r\n([^\r]*)\r\n`).exec(submitted()[0]?.body ?? "")?.[1];

    it("createVideo, getVideo and getVideoContent: 202 a job, which ends with a video that needs no key, its cost and its row", async () => {
      const answer = await submit({ size: "1280x720" });
      expect(answer.status, answer.text).toBe(202);
      const { id } = answer.json;
      expect(id).toMatch(/^gen-vid-\d{13}-\w{18}$/);
      expect(answer.json).toEqual({
        id,
        status: "pending",
        polling_url: `${gateway().url}/api/v1/videos/${id}`,
      });
      expect(submitted()[0]?.headers["content-type"]).toMatch(/^multipart\/form-data/);
      expect(["model", "prompt", "seconds", "size"].map(sentField)).toEqual(["sora-2", prompt, "4", "1280x720"]);
      expect((await see(id)).json).toEqual({ ...answer.json, status: "in_progress" });
      expect(await row(id)).toBeUndefined();
      vendor().answer(inState({ status: "completed", seconds: "4", size: "1280x720" }));
      const done = (await see(id)).json;
      expect(VideoJob.parse(done)).toMatchObject({
        status: "completed",
        generation_id: id.replace("gen-vid-", "gen-"),
        usage: { cost: 0.4, is_byok: false },
      });
      expect(await row(id)).toMatchObject({
        api_type: "videos",
        provider: "acme",
        status: 202,
        unit: "second",
        units: 4,
        cost: 400_000_000n,
        metered_by: "upstream",
        upstream_id: "req_1",
      });
      expect(await spent()).toBe(0.4);
      const [url] = done.unsigned_urls;
      const content = await fetchAt(url);
      expect([content.status, content.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      expect(Buffer.from(await content.arrayBuffer())).toEqual(film);
      expect(fetched().at(-1)?.headers["authorization"]).toBe(`Bearer ${vendorsKey}`);
      const keyed = await gateway().call("GET", `/videos/${id}/content?index=0`, { key: key() });
      expect(keyed.status).toBe(200);
      const { data } = (await gateway().call("GET", `/generation?id=${done.generation_id}`)).json;
      expect(data).toMatchObject({ api_type: "video", total_cost: 0.4 });
      expect(gateway().log()).not.toContain(new URL(url).searchParams.get("token"));
    });

    it("holds the most that it can cost until it has ended", async () => {
      const poor = await makeKey(gateway(), { limit: 1 });
      const first = await submit({ resolution: "720p" }, { key: poor.key });
      expect(first.status).toBe(202);
      expect((await submit({ resolution: "720p" }, { key: poor.key })).status).toBe(202);
      const refused = await submit({ resolution: "720p" }, { key: poor.key });
      expect(refused.status).toBe(402);
      expect((await job(first.json.id)).reserved).toBe(400_000_000n);
      const { reserved } = await gateway()
        .deps.store.db.selectFrom("spends")
        .innerJoin("api_keys", "api_keys.spend_id", "spends.id")
        .select("reserved")
        .where("hash", "=", poor.record.hash)
        .executeTakeFirstOrThrow();
      expect(reserved).toBeGreaterThanOrEqual(800_000_000n);
      vendor().answer(inState({ status: "failed", error: { message: `refused by ${vendorsKey}` } }));
      gateway().clock.advance(1_500);
      const failed = (await gateway().call("GET", `/videos/${first.json.id}`, { key: poor.key })).json;
      expect(failed).toMatchObject({ status: "failed", usage: { cost: 0 }, error: expect.stringMatching(/refused/) });
      expect(JSON.stringify(failed)).not.toContain(vendorsKey);
      expect((await submit({ resolution: "720p" }, { key: poor.key })).status).toBe(202);
      expect((await verifyLedger(gateway().deps)).differences).toEqual([]);
    });

    it("is charged the size that the vendor made, the dearest that it can be until then, and a video by itself", async () => {
      const rich = await begun();
      expect((await job(rich)).reserved).toBe(1_200_000_000n);
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      expect((await see(rich)).json.usage.cost).toBe(0.4);
      const large = await begun({ resolution: "1080p" });
      expect((await see(large)).json.usage.cost).toBe(1.2);
      const each = await begun({ model: "acme/by-video", duration: 20 });
      expect((await see(each)).json.usage.cost).toBe(0.5);
    });

    it.each([
      ["400", 0.4],
      [-3, 0.4],
      [2.5, 0.25],
    ])("is charged no more seconds than were asked for where the vendor says %j", async (seconds, cost) => {
      vendor().answer(inState({ status: "completed", seconds, size: "1280x720", usage: { cost: -5 } }));
      expect((await see(await begun({ resolution: "720p" }))).json.usage.cost).toBe(cost);
    });

    it("is charged once, whoever asks at the same time", async () => {
      const id = await begun();
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      gateway().clock.advance(1_500);
      await Promise.all(Array.from({ length: 8 }, () => gateway().call("GET", `/videos/${id}`, { key: key() })));
      expect(await spent()).toBe(0.4);
      expect((await see(id)).json.usage.cost).toBe(0.4);
    });

    it("ends without anybody who asks", async () => {
      const id = await begun();
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      gateway().clock.advance(60_000);
      expect((await ended(id)).status).toBe("completed");
    });

    it("that never ends expires, and is charged what it may have cost, where a limit counts it", async () => {
      const id = await begun({ resolution: "720p" });
      const free = await makeKey(gateway());
      const unlimited = (await submit({}, { key: free.key })).json.id;
      gateway().clock.advance(7 * 3_600_000);
      for (const each of [id, unlimited]) await ended(each);
      expect((await see(id)).json).toMatchObject({ status: "expired", usage: { cost: 0.4 } });
      expect((await see(unlimited, { key: free.key })).json).toMatchObject({ status: "expired", usage: { cost: 0 } });
      expect(await row(id)).toMatchObject({ status: 524, error_type: "timeout", metered_by: "gateway" });
    });

    it("goes on through answers that say nothing, and words that nobody knows", async () => {
      const upstreamId = "video_odd";
      vendor().answer(json({ id: upstreamId, status: "queued" }));
      const id = await begun();
      const odd: ScriptedAnswer[] = [
        json({ status: "dreaming" }),
        json({}, 500),
        { headers: { "content-type": "text/html" }, pieces: ["<html>"] },
        json({ status: 7 }),
        json({ status: "constructor" }),
        { pieces: ["x".repeat(2_000_000)] },
        json({ error: "no" }, 401),
      ];
      // The gateway asks by itself as well, and keeps the job to itself while it does: then a caller sees what is known.
      for (const answer of odd) {
        let given = 0;
        vendor().answer(({ path }) => {
          given += path.endsWith(upstreamId) ? 1 : 0;
          return answer;
        });
        gateway().clock.advance(300_000);
        await eventually(
          async () => {
            expect(["in_progress", "pending"]).toContain((await see(id)).json.status);
            return given;
          },
          (times) => times > 0,
        );
      }
      vendor().answer(json({}, 404));
      gateway().clock.advance(300_000);
      const { json: last } = await eventually(
        async () => await see(id),
        (seen) => seen.json.status === "failed",
      );
      expect(last).toMatchObject({ error: "the provider does not know it" });
    });

    it("that was being submitted when the process was killed is charged at its most by the next one", async () => {
      const id = await begun({ resolution: "720p" });
      const { db } = gateway().deps.store;
      await db.updateTable("video_jobs").set({ upstream_id: null }).where("id", "=", id).execute();
      gateway().clock.advance(61_000);
      expect(await ended(id)).toMatchObject({ status: "failed", cost: 400_000_000n, reserved: 0n });
      expect(await spent()).toBe(0.4);
    });

    it("is a failed call where the provider refuses it, and another one is asked where it fails", async () => {
      vendor().answer(json({ error: { message: "too dark" } }, 400));
      expectError(await submit(), "invalid_request", /too dark/);
      expect(await spent()).toBe(0);
      vendor().answer(json({ error: { message: "broken" } }, 500));
      const answer = await submit({ provider: { order: ["acme", "second"] } });
      expect(answer.status, answer.text).toBe(202);
      expect(submitted(second())).toHaveLength(1);
      expect((await job(answer.json.id)).provider).toBe("second");
      vendor().answer({ pieces: [], end: "cut" });
      gateway().clock.advance(3_600_000);
      expect((await submit({ resolution: "720p" })).status).toBeGreaterThanOrEqual(500);
      expect(await spent()).toBe(0.4);
      const open = await gateway()
        .deps.store.db.selectFrom("video_jobs")
        .select("id")
        .where("upstream_id", "is", null)
        .where("ended_at", "is", null)
        .execute();
      expect(open).toEqual([]);
    });

    it("takes texts that the store cannot hold", async () => {
      const id = await begun({ user: "a\0b\ud800", trace: { trace_id: "\0" }, session_id: "s\0" });
      vendor().answer(inState({ status: "failed", error: { message: "no\0 \ud800" } }));
      expect((await see(id)).json.status).toBe("failed");
      expect(await row(id)).toMatchObject({
        external_user: "ab\ufffd",
        session_id: "s",
        trace: null,
        // the call's page says why, as the job does
        attempts: [{ provider: "acme", status: 200, error: "no \ufffd" }],
      });
    });

    it("takes members named like what every object has", async () => {
      const answer = await submit({ constructor: 1, toString: 1 });
      expect(answer.status, answer.text).toBe(202);
      const members = `"model":"acme/camera","prompt":"a","duration":4,"__proto__":{"seconds":60}`;
      const raw = `{${members},"provider":{"only":["acme"],"options":{"acme":{"__proto__":{"n":4},"valueOf":1}}}}`;
      const headers = { "content-type": "application/json" };
      const other = await gateway().call("POST", "/videos", { key: key(), raw, headers });
      expect(other.status, other.text).toBe(202);
      expect(sentField("seconds")).toBe("4");
    });

    /** Jobs like this one at the second provider. */
    const copies = async (id: string, count: number, pollAt: Date) =>
      await sql<JobKey>`
        insert into video_jobs (workspace_id, created_at, id, key_hash, spend_id, model, provider, upstream_id, status, call,
          pricing, api_url, limited, poll_at, expires_at)
        select workspace_id, created_at + n * interval '1 ms', id || '-copy-' || n, key_hash, spend_id, model, 'second', 'v',
          'pending', call, pricing, api_url, false, ${pollAt}, expires_at
        from video_jobs, generate_series(1, ${count}::integer) as n where id = ${id}
        returning workspace_id, created_at, id`.execute(gateway().deps.store.db);

    it("waits for no other provider that is slow", async () => {
      const id = await begun();
      const { db } = gateway().deps.store;
      const { rows } = await copies(id, 50, gateway().deps.now());
      second().answer({ headers: { "content-type": "application/json" }, pieces: [], end: "hang" });
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      gateway().clock.advance(30_000);
      await ended(id);
      expect(second().requests.length).toBeGreaterThan(0);
      const slow = rows.map((each) => each.id);
      await db.deleteFrom("video_jobs").where("id", "in", slow).execute();
    });

    it("is written together with the others that go on", async () => {
      const { db } = gateway().deps.store;
      const [pollAt, polledAt] = [new Date("2100-01-02"), gateway().deps.now()];
      const { rows } = await copies(await begun(), 200, new Date("2100-01-01"));
      const keeper = createKeeper({ domain: gateway().deps, warn: expect.unreachable, untilSettled: () => {} });
      for (const key of rows) keeper.keep({ key, status: "in_progress", failures: 3, polledAt, pollAt });
      await keeper.close();
      const ids = rows.map((each) => each.id);
      const { rows: written } = await sql`
        select count(*)::integer as jobs, count(distinct xmin::text)::integer as statements from video_jobs
        where id = any(${ids}::text[]) and poll_at = ${pollAt} and polled_at = ${polledAt} and failures = 3
          and status = 'in_progress' and claimed_until is null`.execute(db);
      expect(written).toEqual([{ jobs: 200, statements: 2 }]);
      await db.deleteFrom("video_jobs").where("id", "in", ids).execute();
    });

    it("is left to the process that has it, by the store's clock, however far ahead another one's is", async () => {
      const id = await begun();
      const { db } = gateway().deps.store;
      const claim = async (until: string) =>
        await sql`update video_jobs set claimed_until = now() + ${until}::interval where id = ${id}`.execute(db);
      await claim("1 hour");
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      gateway().clock.advance(4 * 3_600_000);
      const all = { most: 1_000, except: [] };
      expect((await claimDueJobs(gateway().deps, all)).map((each) => each.id)).not.toContain(id);
      expect((await see(id)).json.status).toBe("pending");
      await claim("-1 second");
      await eventually(
        async () => (await see(id)).json.status,
        (status) => status === "completed",
      );
    });

    it("ends without its body where that cannot be decrypted any more, and its addresses likewise are none", async () => {
      const workspace = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
      const own = await makeKey(gateway(), { workspace_id: workspace.id, limit: 10 });
      const { id } = (await submit({}, { key: own.key })).json;
      const { store, secrets } = gateway().deps;
      const strange = secrets.seal("[]", "elsewhere");
      expect((await job(id)).sealed).not.toBeNull();
      await store.db.updateTable("video_jobs").set({ sealed: strange }).where("id", "=", id).execute();
      vendor().answer(inState({ status: "completed", size: "1280x720" }));
      expect((await see(id, { key: own.key })).json).toMatchObject({ status: "completed", usage: { cost: 0.4 } });
      expect(await row(id)).toMatchObject({ cost: 400_000_000n });
      await store.db.updateTable("video_jobs").set({ result: strange }).where("id", "=", id).execute();
      const seen = await see(id, { key: own.key });
      expect([seen.status, seen.json.unsigned_urls]).toEqual([200, []]);
      const content = await gateway().call("GET", `/videos/${id}/content`, { key: own.key });
      expectError(content, "gone", /secret key/);
    });

    it("503: was given up by another process while its provider accepted it", async () => {
      const { db } = gateway().deps.store;
      vendor().answer(async () => {
        await db
          .updateTable("video_jobs")
          .set({ status: "failed", ended_at: gateway().deps.now() })
          .where("key_hash", "=", hash())
          .execute();
        return json({ id: "v" });
      });
      expectError(await submit(), "unavailable", /took too long to be recorded/);
      await db.deleteFrom("video_jobs").where("key_hash", "=", hash()).execute();
      expect((await verifyLedger(gateway().deps)).differences).toEqual([]);
    });

    it("is nobody else's: 404 for another key, and for what is no job", async () => {
      const id = await begun();
      const other = await makeKey(gateway());
      for (const path of [`/videos/${id}`, `/videos/${id}/content`]) {
        expectError(await gateway().call("GET", path, { key: other.key }), "not_found", /no video job/);
      }
      expect((await see("gen-vid-0")).status).toBe(404);
      expect((await see("x".repeat(300))).status).toBe(400);
      const turned = await gateway().call("POST", `/keys/${hash()}/rotate`, { body: { grace_seconds: 60 } });
      expect((await see(id, { key: turned.json.key })).status, turned.text).toBe(200);
    });

    describe("content", () => {
      const finished = async (content?: ScriptedAnswer) => {
        const id = await begun();
        vendor().answer(inState({ status: "completed", size: "1280x720" }, content));
        const { json: done } = await see(id);
        return { id, url: done.unsigned_urls[0] as string };
      };

      it("409 before it is there, 404 for a video that there is not, 400 for an index that is none", async () => {
        const id = await begun();
        expectError(await gateway().call("GET", `/videos/${id}/content`, { key: key() }), "conflict", /not finished/);
        const { url } = await finished();
        expect((await fetchAt(url.replace("index=0", "index=1"))).status).toBe(401);
        const done = new URL(url).pathname.replace("/api/v1", "");
        expect((await gateway().call("GET", `${done}?index=1`, { key: key() })).status).toBe(404);
        expectIssues(await gateway().call("GET", `${done}?index=-1`, { key: key() }), "index");
      });

      it("401 with a token that is altered, for another job, or older than a day", async () => {
        const one = await finished();
        const other = await finished();
        const token = new URL(one.url).searchParams.get("token") ?? "";
        expect((await fetchAt(`${one.url}x`)).status).toBe(401);
        expect((await fetchAt(other.url.replace(/token=.*/, `token=${token}`))).status).toBe(401);
        gateway().clock.advance(86_400_001);
        expect((await fetchAt(one.url)).status).toBe(401);
        expect(gateway().log()).not.toContain(token);
      });

      it("206 a range, as the vendor has it", async () => {
        const part = {
          ...filmed,
          status: 206,
          headers: { "content-type": "video/mp4", "content-range": "bytes 0-7/9" },
        };
        const { url } = await finished(part);
        const answer = await fetchAt(url, { range: "bytes=0-7" });
        expect([answer.status, answer.headers.get("content-range")]).toEqual([206, "bytes 0-7/9"]);
        expect(fetched().at(-1)?.headers["range"]).toBe("bytes=0-7");
        await fetchAt(url, { range: "bytes=0-1,4-5" });
        expect(fetched().at(-1)?.headers["range"]).toBeUndefined();
      });

      it.each([
        [404, json({}, 404), 410],
        [410, json({}, 410), 410],
        [500, json({}, 500), 502],
        ["text", { headers: { "content-type": "text/html" }, pieces: ["<html>"] }, 502],
        [
          "an address in a private network",
          { status: 302, headers: { location: "http://127.0.0.1:9/x" }, pieces: [] },
          502,
        ],
        ["a circle", { status: 302, headers: { location: "?again" }, pieces: [] }, 502],
      ] as const)("a vendor that answers %s", async (_, content, status) => {
        const { url } = await finished(content);
        const answer = await fetchAt(url);
        expect(answer.status, await answer.text()).toBe(status);
      });

      describe("at an address of its own", () => {
        const xai = withMediaVendor(gateway, { slug: "xai", preset: "xai", models: [films("xai/camera")] });
        const google = withMediaVendor(gateway, {
          slug: "google",
          kind: "gemini",
          preset: "gemini",
          models: [films("google/camera")],
        });
        /** The video of a job whose vendor gives these answers, one after another. */
        const filmedAt = async (vendor: () => ScriptedVendor, model: string, answers: ScriptedAnswer[]) => {
          vendor().requests.length = 0;
          vendor().answer(() => answers.shift() ?? json({}, 500));
          const id = await begun({ model, provider: {} });
          expect((await see(id)).json.status).toBe("completed");
          return await gateway().call("GET", `/videos/${id}/content`, { key: key() });
        };

        it("is fetched there with the vendor's key, through its redirects", async () => {
          const [job, at] = [json({ name: "models/camera/operations/op_1" }), `${google().url}/v1/files/f?alt=media`];
          const samples = { generateVideoResponse: { generatedSamples: [{ video: { uri: at } }] } };
          const stored: ScriptedAnswer = { status: 302, headers: { location: "/stored/f" }, pieces: [] };
          const state = json({ done: true, response: samples });
          const answer = await filmedAt(google, "google/camera", [job, state, stored, filmed]);
          expect(answer.status, answer.text).toBe(200);
          const paths = google().requests.map(({ path }) => path);
          expect(paths.slice(1)).toEqual(["/v1/models/camera/operations/op_1", "/v1/files/f?alt=media", "/stored/f"]);
          const keys = google().requests.map(({ headers }) => headers["x-goog-api-key"]);
          expect(new Set(keys)).toEqual(new Set([vendorsKey]));
        });

        it("502 elsewhere in a private network", async () => {
          const state = json({ status: "done", video: { url: "http://127.0.0.1:9/f.mp4" } });
          const answer = await filmedAt(xai, "xai/camera", [json({ request_id: "r" }), state]);
          expectError(answer, "provider_unavailable", /private network/);
        });
      });

      it("goes on as it comes, and ends where its caller leaves", async () => {
        const { url } = await finished({
          ...filmed,
          pieces: Array.from({ length: 100_000 }, () => film),
          betweenMs: 5,
        });
        const before = vendor().abandoned();
        const leaving = new AbortController();
        const answer = await fetch(url, { signal: leaving.signal });
        const reader = answer.body?.getReader();
        expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
        leaving.abort();
        await eventually(
          () => vendor().abandoned(),
          (left) => left > before,
        );
      });
    });

    it("400 and 404, and nothing is sent: addresses in a private network, and keeping nothing of what is kept until it is fetched", async () => {
      expectIssues(await submit({ callback_url: "https://127.0.0.1/x" }), "callback_url");
      const inside = [frame("first_frame", "http://10.0.0.1/a.png")];
      expectIssues(await submit({ frame_images: inside }), "frame_images.0.image_url.url");
      expectError(await submit({ provider: { zdr: true, only: ["acme"] } }), "not_found", /zdr/);
      expect(submitted()).toHaveLength(0);
    });

    it("goes to no provider that does not take its frames", async () => {
      expectError(await submit({ frame_images: [frame("last_frame")] }), "not_found", /takes no last_frame/);
      const both = { frame_images: [frame("last_frame")], provider: { only: ["acme", "second"] } };
      expectIssues(await submit(both), "model");
    });

    it("listVideoModels says what is known of each", async () => {
      const { data } = (await gateway().call("GET", "/videos/models", { key: null })).json;
      const camera = data.find(({ id }: { id: string }) => id === "acme/camera");
      expect(camera).toMatchObject({
        supported_durations: [4, 8, 12, 16, 20],
        supported_frame_images: ["first_frame"],
        pricing_skus: { duration_seconds: "0.1", duration_seconds_1080p: "0.3" },
      });
    });

    it("getVideoWebhook, updateVideoWebhook, rotateVideoWebhookSecret and deleteVideoWebhook: neither the secret nor the address is in the log or the store", async () => {
      const workspace = await makeWorkspace(gateway());
      const path = `/workspaces/${workspace.slug}/video-webhook`;
      expect((await gateway().call("GET", path)).json.data).toEqual({
        url: null,
        secret_label: null,
        secret_created_at: null,
      });
      expectIssues(await gateway().call("PATCH", path, { body: { url: "http://example.com" } }), "url");
      const url = "https://example.com/hook?token=t0ken";
      await gateway().call("PATCH", path, { body: { url } });
      await gateway().call("PATCH", path, { body: { url: `${url}-2` } });
      const made = await gateway().call("POST", `${path}/secret`);
      expect(made.json.secret).toMatch(/^whsec_/);
      const shown = await gateway().call("GET", path);
      expect(shown.json.data).toMatchObject({ url: `${url}-2` });
      const audit = await gateway().call("GET", "/audit");
      expect(shown.text + audit.text).not.toContain(made.json.secret);
      expect(audit.text).toContain("https://example.com/… (changed)");
      const { pool } = gateway().deps.store;
      const inStore = async () => {
        const { rows } = await pool.query<{ text: string }>(
          "select url as text from video_webhooks union all select concat(before, after) from audit",
        );
        return rows.map(({ text }) => text).join("\n");
      };
      expect(audit.text + (await inStore())).not.toContain("t0ken");
      // as a version before had it
      await pool.query("update video_webhooks set url = $1 where workspace_id = $2", [url, workspace.id]);
      expect((await gateway().call("GET", path)).json.data).toMatchObject({ url });
      await sealAddresses(gateway().deps);
      expect((await gateway().call("GET", path)).json.data).toMatchObject({ url });
      expect(await inStore()).not.toContain("t0ken");
      const none = { url: null, secret_label: null, secret_created_at: null };
      for (let times = 0; times < 2; times += 1) {
        expect((await gateway().call("DELETE", path)).json.data).toEqual(none);
        expect((await gateway().call("GET", path)).json.data).toEqual(none);
      }
      const { data } = (await gateway().call("GET", "/audit")).json;
      const removals = data.filter(
        ({ action, target_id: target }: { action: string; target_id: string }) =>
          action === "deleteVideoWebhook" && target === workspace.id,
      );
      expect(removals).toMatchObject([{ before: { url: "https://example.com/…" }, after: null }]);
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: "2", GATEHOUSE_ACCESS_LOG: "on" } },
);

function frame(type: string, url = "https://example.com/a.png") {
  return { type: "image_url", image_url: { url }, frame_type: type };
}

describe("pollDelayMs", () => {
  it("is a fifteenth of the age within bounds, and doubles with each failure up to its own", () => {
    expect([0, 60_000, 300_000, 86_400_000].map((age) => pollDelayMs(age, 0))).toEqual([2_000, 4_000, 20_000, 30_000]);
    expect([1, 3, 40].map((failures) => pollDelayMs(0, failures))).toEqual([4_000, 16_000, 300_000]);
  });
});
