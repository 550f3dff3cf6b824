import { createHmac } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { type HttpsReceiver, startHttpsReceiver } from "../../testing/https-receiver.ts";
import { withMediaVendor } from "../../testing/scripted-setup.ts";
import type { ReceivedRequest, ScriptedAnswer } from "../../testing/scripted-vendor.ts";

const camera = {
  id: "acme/camera",
  upstream_id: "sora-2",
  type: "video" as const,
  name: "Camera",
  pricing: { prompt: "0", second: "0.1" },
};
/** Whatever it is asked: a job that has ended, or its video. */
const completed = ({ path }: ReceivedRequest): ScriptedAnswer =>
  path.includes("/content")
    ? { headers: { "content-type": "video/mp4" }, pieces: ["film"] }
    : {
        headers: { "content-type": "application/json" },
        pieces: [JSON.stringify({ id: "video_1", status: "completed", seconds: "4" })],
      };

describeGateway(
  "who is told of a video",
  (gateway) => {
    const vendor = withMediaVendor(gateway, { slug: "acme", preset: "openai", models: [camera] });
    let receiver: HttpsReceiver;
    let secret = "";
    let key = "";
    beforeAll(async () => {
      receiver = await startHttpsReceiver();
      const workspace = await makeWorkspace(gateway());
      const path = `/workspaces/${workspace.id}/video-webhook`;
      await gateway().call("PATCH", path, { body: { url: receiver.url } });
      ({ secret } = (await gateway().call("POST", `${path}/secret`)).json);
      ({ key } = await makeKey(gateway(), { workspace_id: workspace.id }));
    });
    afterAll(() => receiver.close());
    beforeEach(() => {
      receiver.received.length = 0;
      receiver.status = 204;
      vendor().answer(completed);
    });
    const ended = async (body: object = {}, by = key): Promise<string> => {
      const asked = { model: "acme/camera", prompt: "a", duration: 4, ...body };
      const answer = await gateway().call("POST", "/videos", { key: by, body: asked });
      expect(answer.status, answer.text).toBe(202);
      gateway().clock.advance(1_500);
      await gateway().call("GET", `/videos/${answer.json.id}`, { key: by });
      return answer.json.id;
    };
    const told = async (count: number) => {
      const all = await eventually(
        () => [...receiver.received],
        (received) => received.length >= count,
      );
      return all[count - 1] ?? { headers: {}, body: "" };
    };

    it("the workspace's address, signed, with an address of the video that needs no key", async () => {
      const id = await ended();
      const { headers, body } = await told(1);
      const { type, data } = JSON.parse(body);
      expect(type).toBe("video.generation.completed");
      expect(data).toMatchObject({ id, status: "completed", model: "acme/camera", usage: { cost: 0.4 }, error: null });
      const address = data.unsigned_urls[0].replace("https://gate.example.com", gateway().url);
      expect((await fetch(address)).status).toBe(200);
      expect(headers["x-openrouter-idempotency-key"]).toBe(`${id}-completed`);
      const [, seconds, digest] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["x-openrouter-signature"])) ?? [];
      expect(digest).toBe(createHmac("sha256", secret).update(`${seconds},${body}`).digest("hex"));
    });

    it("again until it answers, not at a redirect, and once then", async () => {
      receiver.status = 302;
      const id = await ended();
      const { db } = gateway().deps.store;
      const open = async () =>
        await db.selectFrom("video_jobs").select(["callback_at", "callback_tries"]).where("id", "=", id).execute();
      const tried = async (times: number) => await eventually(open, ([job]) => job?.callback_tries === times);
      await tried(1);
      receiver.status = 500;
      gateway().clock.advance(11_000);
      await tried(2);
      receiver.status = 200;
      gateway().clock.advance(61_000);
      const last = await told(3);
      expect(last.headers["x-openrouter-idempotency-key"]).toBe(`${id}-completed`);
      await eventually(open, ([job]) => job?.callback_at === null);
      expect(receiver.received).toHaveLength(3);
    });

    it("whoever else is slow", async () => {
      const workspace = await makeWorkspace(gateway());
      const slow = await makeKey(gateway(), { workspace_id: workspace.id });
      const silent = createServer(() => {});
      await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
      const callback_url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      for (let times = 0; times < 20; times += 1) await ended({ callback_url }, slow.key);
      const id = await ended();
      expect((await told(1)).body).toContain(id);
      silent.close();
    });

    it("the call's own address instead; in the log there is neither", async () => {
      const own = `${receiver.url}?own`;
      await ended({ callback_url: own });
      await told(1);
      expect(gateway().log()).not.toContain(receiver.url);
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8", GATEHOUSE_PUBLIC_URL: "https://gate.example.com" } },
);

describeGateway(
  "who is told of a video, without a public address",
  (gateway) => {
    const vendor = withMediaVendor(gateway, { slug: "acme", preset: "openai", models: [camera] });

    it("is not told an address that the call's Host header makes up", async () => {
      const receiver = await startHttpsReceiver();
      vendor().answer(completed);
      const { key } = await makeKey(gateway());
      const answer = await gateway().app.inject({
        method: "POST",
        url: "/api/v1/videos",
        headers: { host: "198.51.100.7", authorization: `Bearer ${key}` },
        payload: { model: "acme/camera", prompt: "a", duration: 4, callback_url: receiver.url },
      });
      const { id, polling_url } = answer.json();
      expect(polling_url).toMatch(/^http:\/\/198\.51\.100\.7\//);
      gateway().clock.advance(1_500);
      expect((await gateway().call("GET", `/videos/${id}`, { key })).json.status).toBe("completed");
      const [told] = await eventually(
        () => [...receiver.received],
        ({ length }) => length > 0,
      );
      expect(JSON.parse(told?.body ?? "").data).toMatchObject({ id, status: "completed" });
      expect(told?.body).not.toMatch(/unsigned_urls|198\.51/);
      await receiver.close();
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "127.0.0.0/8" } },
);
