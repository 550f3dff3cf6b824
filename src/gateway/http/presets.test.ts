import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeAll, describe, expect, it } from "vitest";
import type { PresetWithVersion } from "#contract/presets.ts";
import { createPresetCache } from "../domain/workspaces/preset-cache.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { insertCopies } from "../testing/insert-copies.ts";
import type { CallOptions } from "../testing/gateway.ts";
import { answeringWhole } from "../testing/messages-answers.ts";
import { withClaude } from "../testing/scripted-setup.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user" as const, content: "Say hello" }];
const brief = { role: "system" as const, content: "Be brief." };

describeGateway("presets", (gateway) => {
  const vendor = withVendor(gateway);
  const claude = withClaude(gateway);
  let key = "";
  let workspace = "";
  let made = 0;

  beforeAll(async () => {
    const own = await makeKey(gateway());
    key = own.key;
    workspace = own.record.workspace_id;
  });

  const slug = () => `preset-${(made += 1)}`;
  const call = async (method: string, path: string, options: CallOptions = {}) =>
    await gateway().call(method, path, options);
  const read = async (path: string) => (await call("GET", path)).json.data;
  const ofKey = async (method: string, path: string, body?: unknown) =>
    await call(method, path, { key, ...(body === undefined ? {} : { body }) });

  /** Makes one through the console's operation. */
  async function preset(
    config: object,
    more: { slug?: string; system_prompt?: string; workspace_id?: string } = {},
  ): Promise<PresetWithVersion> {
    const answer = await call("POST", "/presets", { body: { slug: slug(), config, ...more } });
    expect(answer.text).toSatisfy(() => answer.status === 201);
    return answer.json.data;
  }

  const sent = () => vendor().requests.at(-1)?.body as Record<string, unknown>;
  const callOf = async (headers: Headers) => (await read(`/generations?id=${headers.get("x-generation-id")}`))[0];

  describe("the seven operations of the public API, with an API key", () => {
    it("are typed and accepted by the official client: savePresetFromChat, savePresetFromMessage, savePresetFromResponse, listPresets, getPreset, listPresetVersions, getPresetVersion", async () => {
      const { presets } = new OpenRouter({ apiKey: key, serverURL: `${gateway().url}/api/v1` });
      const name = slug();
      const first = await presets.createPresetsChatCompletions({
        slug: name,
        chatRequest: { model: "acme/talk", temperature: 0.2, messages: [brief, ...messages] },
      });
      const talk = { model: "acme/talk", temperature: 0.2 };
      const designatedVersion = { version: 1, systemPrompt: "Be brief.", config: talk };
      expect(first.data).toMatchObject({ slug: name, name, status: "active", designatedVersion });
      await presets.createPresetsMessages({
        slug: name,
        messagesRequest: { model: "acme/talk", maxTokens: 50, system: "Be kind.", messages },
      });
      const third = await presets.createPresetsResponses({
        slug: name,
        responsesRequest: { model: "acme/talk", instructions: "Be quick.", input: "Hello", maxOutputTokens: 60 },
      });
      const quick = { version: 3, systemPrompt: "Be quick.", config: { model: "acme/talk", max_tokens: 60 } };
      expect(third.data.designatedVersion).toMatchObject(quick);
      const { result } = await presets.list({ limit: 1 });
      expect(result.data.map((each) => each.slug)).toEqual([name]);
      expect(result.totalCount).toBeGreaterThan(0);
      expect((await presets.get({ slug: name })).data.designatedVersionId).toBe(third.data.designatedVersion?.id);
      const { result: versions } = await presets.listVersions({ slug: name });
      expect(versions.data.map((one) => one?.systemPrompt)).toEqual(["Be brief.", "Be kind.", "Be quick."]);
      expect(versions.totalCount).toBe(3);
      const second = (await presets.getVersion({ slug: name, version: "2" })).data;
      expect(second?.config).toEqual({ model: "acme/talk", max_tokens: 50 });
    });

    it("run no inference and keep nothing of the conversation", async () => {
      const calls = vendor().calls();
      const body = { model: "acme/talk", messages, stream: true, user: "someone" };
      const answer = await ofKey("POST", `/presets/${slug()}/chat/completions`, body);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("json")]);
      const saved = { config: { model: "acme/talk" }, system_prompt: null };
      expect(answer.json.data.designated_version).toMatchObject(saved);
      expect(vendor().calls()).toBe(calls);
    });

    it("see the key's own workspace only", async () => {
      const other = await makeWorkspace(gateway());
      const { slug: theirs } = await preset({}, { workspace_id: other.id });
      expectError(await ofKey("GET", `/presets/${theirs}`), "not_found", `This workspace has no preset ${theirs}`);
      expectError(await ofKey("GET", `/presets/${theirs}/versions`), "not_found", theirs);
      expectError(await ofKey("GET", `/presets/${theirs}/versions/1`), "not_found", theirs);
      for (const path of [`/presets?workspace_id=${other.id}`, `/presets/${theirs}?workspace_id=${other.id}`]) {
        expectError(await ofKey("GET", path), "permission_denied", "presets of its own workspace only");
      }
      const all = await ofKey("GET", "/presets?limit=100");
      expect(all.json.data.every((each: PresetWithVersion) => each.workspace_id === workspace)).toBe(true);
      // The same slug is another preset in another workspace.
      const mine = await ofKey("POST", `/presets/${theirs}/chat/completions`, { model: "acme/talk", messages });
      expect(mine.json.data).toMatchObject({ workspace_id: workspace, version_count: 1 });
    });

    it("404: a version that there is not", async () => {
      const { slug: name } = await preset({});
      expectError(await ofKey("GET", `/presets/${name}/versions/2`), "not_found", "has no version 2");
    });

    it("429: an API key that saves more than 30 times a minute", async () => {
      const path = `/presets/${slug()}/chat/completions`;
      const { key, record } = await makeKey(gateway());
      const save = async () => await call("POST", path, { key, body: { model: "acme/talk", messages } });
      const { presetRates, now } = gateway().deps;
      for (let saved = 1; saved < 30; saved += 1) presetRates.count(record.hash, now());
      expect((await save()).status).toBe(200);
      const answer = await save();
      expectError(answer, "rate_limit_exceeded", /A key may save presets 30 times a minute/);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    });

    it("400: a tool with what a provider signs in with, which every key of the workspace would read", async () => {
      const tool = { type: "mcp", server_label: "a", server_url: "https://example.com", authorization: "secret-1234" };
      const body = { model: "acme/talk", input: "a", tools: [tool] };
      expectIssues(await ofKey("POST", `/presets/${slug()}/responses`, body), "tools.0.authorization");
      expect(gateway().log()).not.toContain("secret-1234");
    });

    it("refuse a preset in a preset, and settings that are not valid", async () => {
      const path = `/presets/${slug()}/chat/completions`;
      expectIssues(await ofKey("POST", path, { model: "@preset/other", messages }), "model");
      expectIssues(await ofKey("POST", path, { models: ["acme/talk@preset/other"], messages }), "models.0");
      expectIssues(await ofKey("POST", path, { preset: "other", messages }), "preset");
      expectIssues(await ofKey("POST", path, { temperature: "warm", messages }), "temperature");
      expectIssues(await ofKey("POST", path, { provider: { nobody: true }, messages }), "provider.nobody");
      expectIssues(await ofKey("POST", path, { model: "acme/talk" }), "messages");
      const long = [{ role: "system", content: "x".repeat(32_769) }];
      expectIssues(await ofKey("POST", path, { messages: long }), "system_prompt");
      expectError(await ofKey("GET", path.replace("/chat/completions", "")), "not_found", "no preset");
    });
  });

  describe("calls with a preset", () => {
    it("complete a chat by `model`, beside a model, and by `preset`, and say so on the call", async () => {
      const { id, slug: name } = await preset({ model: "acme/talk", temperature: 0.2 }, { system_prompt: "Be brief." });
      for (const request of [
        { model: `@preset/${name}` },
        { model: `acme/talk@preset/${name}` },
        { model: "acme/talk", preset: name },
        { preset: name },
      ]) {
        const answer = await ofKey("POST", "/chat/completions", { ...request, messages });
        expect(answer.text).toSatisfy(() => answer.status === 200);
        expect(sent()).toMatchObject({ model: "talk", temperature: 0.2, messages: [brief, ...messages] });
        expect(sent()).not.toHaveProperty("preset");
        expect(answer.json.model).toBe("acme/talk");
        expect(await callOf(answer.headers)).toMatchObject({ model: "acme/talk", preset: name, preset_version: 1 });
        const generation = await ofKey("GET", `/generation?id=${answer.headers.get("x-generation-id")}`);
        expect(generation.json.data.preset_id).toBe(id);
      }
    });

    it("stream as any other call", async () => {
      const { slug: name } = await preset({ model: "acme/talk" });
      const answer = await ofKey("POST", "/chat/completions", { model: `@preset/${name}`, messages, stream: true });
      expect(answer.text).toContain("data: [DONE]");
      expect(await callOf(answer.headers)).toMatchObject({ streamed: true, preset: name });
    });

    it("understand a slash that is written with a backslash", async () => {
      const { slug: name } = await preset({ model: "acme/talk", temperature: 0.3 });
      const raw = `{"model":"@preset\\/${name}","messages":${JSON.stringify(messages)}}`;
      expect((await call("POST", "/chat/completions", { key, raw })).status).toBe(200);
      expect(sent()).toMatchObject({ temperature: 0.3 });
    });

    it("leave a call alone whose text alone names one", async () => {
      const text = [{ role: "user", content: 'What does "preset" and @preset/mail mean?' }];
      const answer = await ofKey("POST", "/chat/completions", { model: "acme/talk", messages: text });
      expect([answer.status, sent()["messages"]]).toEqual([200, text]);
      expect(await callOf(answer.headers)).toMatchObject({ preset: null, preset_version: null });
    });

    it("complete messages in Anthropic's form, for a provider of that dialect too", async () => {
      const { slug: name } = await preset(
        { model: "acme/claude", max_tokens: 77, stop: ["END"] },
        { system_prompt: "Be brief." },
      );
      claude().answer(answeringWhole());
      const answer = await ofKey("POST", "/messages", { model: `@preset/${name}`, messages });
      expect(answer.text).toSatisfy(() => answer.status === 200);
      expect(JSON.parse(claude().requests.at(-1)?.body ?? "")).toEqual({
        messages,
        model: "claude-upstream",
        max_tokens: 77,
        stop_sequences: ["END"],
        system: "Be brief.",
      });
      expect(await callOf(answer.headers)).toMatchObject({ api_type: "messages", preset: name });
      const counted = await ofKey("POST", "/messages/count_tokens", { model: `@preset/${name}`, messages });
      const bare = await ofKey("POST", "/messages/count_tokens", { model: "acme/claude", messages });
      expect(counted.json.input_tokens).toBeGreaterThan(bare.json.input_tokens);
      const refused = await ofKey("POST", "/messages", { model: "@preset/nothing-here", messages });
      expect([refused.status, refused.json.error.type]).toEqual([404, "not_found_error"]);
    });

    it("complete responses", async () => {
      const { slug: name } = await preset({ model: "acme/talk", max_tokens: 77 }, { system_prompt: "Be brief." });
      const answer = await ofKey("POST", "/responses", { model: `@preset/${name}`, input: "Say hello" });
      expect(answer.text).toSatisfy(() => answer.status === 200);
      expect(answer.json).toMatchObject({ object: "response", model: "acme/talk", status: "completed" });
      expect(sent()["messages"]).toEqual([brief, ...messages]);
      expect(await callOf(answer.headers)).toMatchObject({ api_type: "responses", preset: name, preset_version: 1 });
      const refused = await ofKey("POST", "/responses", { model: "@preset/nothing-here", input: "Say hello" });
      expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("no preset nothing-here")]);
    });

    it("complete embeddings and rerank calls", async () => {
      const { slug: name } = await preset({ model: "acme/embed", top_n: 1 }, { system_prompt: "Be brief." });
      const vectors = await ofKey("POST", "/embeddings", { model: `@preset/${name}`, input: "one" });
      expect([vectors.status, vectors.json.model]).toEqual([200, "acme/embed"]);
      expect(await callOf(vectors.headers)).toMatchObject({ preset: name, preset_version: 1 });
      const documents = ["one", "two"];
      const ranked = await ofKey("POST", "/rerank", { preset: name, query: "one", documents });
      expect([ranked.status, ranked.json.results.length]).toEqual([200, 1]);
      expect(await callOf(ranked.headers)).toMatchObject({ api_type: "rerank", preset: name });
    });

    it("count the completed request: its price is reserved, and its provider preferences exclude", async () => {
      const poor = await makeKey(gateway(), { limit: 0.0001 });
      const { slug: long } = await preset({ model: "acme/talk", max_tokens: 4_000 });
      const request = { messages, max_tokens: 5 };
      const body = { model: `@preset/${long}`, messages };
      const beyond = await call("POST", "/chat/completions", { key: poor.key, body });
      expectError(beyond, "payment_required", /limit|credits/i);
      const fits = await call("POST", "/chat/completions", { key: poor.key, body: { ...request, model: body.model } });
      expect(fits.status).toBe(200);
      for (const [config, message] of [
        [{ model: "acme/talk", provider: { only: ["nobody"] } }, "acme/talk"],
        [{ model: "acme/nothing" }, "acme/nothing"],
        [{ model: "acme/talk", logprobs: true, provider: { max_price: { prompt: 0 } } }, "price"],
      ] as const) {
        const { slug: picky } = await preset(config);
        const refused = await ofKey("POST", "/chat/completions", { model: `@preset/${picky}`, messages });
        expectError(refused, "not_found", message);
      }
    });

    it("are refused with words where there is no such preset, or none to be used", async () => {
      const { slug: name } = await preset({ model: "acme/talk" });
      const ask = async (request: object) => await ofKey("POST", "/chat/completions", { messages, ...request });
      expectError(await ask({ model: "@preset/nothing-here" }), "not_found", "no preset nothing-here");
      expectIssues(await ask({ model: `@preset/${name}`, preset: "other" }), "preset");
      for (const status of ["disabled", "archived"]) {
        await call("PATCH", `/presets/${name}`, { body: { status } });
        expectError(await ask({ model: `@preset/${name}` }), "not_found", `The preset ${name} is ${status}`);
      }
      await call("PATCH", `/presets/${name}`, { body: { status: "active" } });
      expect((await ask({ model: `@preset/${name}` })).status).toBe(200);
      const other = await makeWorkspace(gateway());
      const { slug: theirs } = await preset({ model: "acme/talk" }, { workspace_id: other.id });
      expectError(await ask({ model: `@preset/${theirs}` }), "not_found", `no preset ${theirs}`);
    });

    it("use what was saved last, and what an admin chooses", async () => {
      const name = slug();
      const save = async (temperature: number) =>
        await ofKey("POST", `/presets/${name}/chat/completions`, { model: "acme/talk", temperature, messages });
      const used = async () => {
        const answer = await ofKey("POST", "/chat/completions", { model: `@preset/${name}`, messages });
        return [sent()["temperature"], (await callOf(answer.headers)).preset_version];
      };
      await save(0.1);
      expect(await used()).toEqual([0.1, 1]);
      await save(0.2);
      expect(await used()).toEqual([0.2, 2]);
      await call("PATCH", `/presets/${name}`, { body: { designated_version: 1 } });
      expect(await used()).toEqual([0.1, 1]);
      await save(0.3);
      expect(await used()).toEqual([0.3, 3]);
      await call("DELETE", `/presets/${name}`);
      const gone = await ofKey("POST", "/chat/completions", { model: `@preset/${name}`, messages });
      expectError(gone, "not_found", "no preset");
    });

    it("are found by their preset among the calls, and counted", async () => {
      const { slug: name } = await preset({ model: "acme/talk" });
      const { headers } = await ofKey("POST", "/chat/completions", { model: `@preset/${name}`, messages });
      await ofKey("POST", "/chat/completions", { model: "acme/talk", messages });
      const found = await call("GET", `/generations?preset=${name}&workspace_id=all`);
      expect(found.json.data.map((one: { id: string }) => one.id)).toEqual([headers.get("x-generation-id")]);
      const counted = await call("GET", `/generations/count?preset=${name}&workspace_id=all`);
      expect(counted.json.total).toMatchObject({ answered: 1, refused: null });
    });
  });

  describe("what an admin does: createPreset, updatePreset, createPresetVersion, deletePreset", () => {
    it("409: a slug that is taken", async () => {
      const { slug: name } = await preset({ model: "acme/talk", temperature: null }, { system_prompt: "" });
      const { data } = (await call("GET", `/presets/${name}`)).json;
      expect(data).toMatchObject({ name, model: "acme/talk", version_count: 1, designated_version_number: 1 });
      expect(data.designated_version).toMatchObject({
        version: 1,
        config: { model: "acme/talk" },
        system_prompt: null,
      });
      const again = await call("POST", "/presets", { body: { slug: name, config: {} } });
      expectError(again, "conflict", `The slug ${name} belongs to another preset`);
    });

    it("400: a workspace and a version that there are not", async () => {
      const body = { slug: slug(), config: {}, workspace_id: crypto.randomUUID() };
      expectIssues(await call("POST", "/presets", { body }), "workspace_id");
      const { slug: name } = await preset({});
      expectIssues(await call("PATCH", `/presets/${name}`, { body: { designated_version: 2 } }), "designated_version");
    });

    it("adds no version to an archived one", async () => {
      const { slug: name } = await preset({});
      const archived = await call("PATCH", `/presets/${name}`, { body: { status: "archived" } });
      expect(archived.json.data.status_updated_at).toBe(gateway().clock.now().toISOString());
      const message = `The preset ${name} is archived`;
      expectError(await call("POST", `/presets/${name}/versions`, { body: { config: {} } }), "conflict", message);
      expectError(await ofKey("POST", `/presets/${name}/chat/completions`, { messages }), "conflict", message);
    });

    it("finds saved settings in the audit log, under their operation, with what changed", async () => {
      const { id, slug: name } = await preset({ temperature: 0.1 }, { system_prompt: "Be brief." });
      await ofKey("POST", `/presets/${name}/chat/completions`, { temperature: 0.2, messages });
      const [saved, first] = await read(`/audit?target_id=${id}`);
      expect(first.after).toMatchObject({ slug: name, temperature: 0.1, system_prompt: "Be brief." });
      expect(saved).toMatchObject({
        action: "createPresetsChatCompletions",
        before: { temperature: 0.1, designated_version: 1, system_prompt: "Be brief." },
        after: { temperature: 0.2, designated_version: 2, system_prompt: null },
      });
    });

    it("lists them by workspace or all together, the last changed first", async () => {
      const other = await makeWorkspace(gateway());
      const first = await preset({ model: "acme/talk" }, { workspace_id: other.id });
      gateway().clock.advance(1_000);
      const second = await preset({}, { workspace_id: other.id });
      const slugs = async (query: string) =>
        (await read(`/presets?${query}`)).map((each: PresetWithVersion) => each.slug);
      expect(await slugs(`workspace_id=${other.id}`)).toEqual([second.slug, first.slug]);
      gateway().clock.advance(1_000);
      await call("PATCH", `/presets/${first.slug}?workspace_id=${other.id}`, { body: { name: "Changed" } });
      expect(await slugs(`workspace_id=${other.id}`)).toEqual([first.slug, second.slug]);
      expect(await slugs("workspace_id=all&limit=2")).toEqual([first.slug, second.slug]);
      expect(await slugs("limit=100")).not.toContain(first.slug);
    });
  });

  it("keep the newest 200 versions, and count on", async () => {
    const { slug: name, id, designated_version } = await preset({});
    await gateway().deps.store.pool.query("update presets set last_version = 300 where id = $1", [id]);
    const others = { version: "100 + n" };
    await insertCopies(gateway(), "preset_versions", { id: designated_version?.id ?? "", count: 200, others });
    const added = await call("POST", `/presets/${name}/versions`, { body: { config: { seed: 1 } } });
    expect(added.json.data).toMatchObject({ designated_version_number: 301, version_count: 200 });
    const page = await call("GET", `/presets/${name}/versions?limit=2`);
    expect(page.json).toMatchObject({ total_count: 200, data: [{ version: 102 }, { version: 103 }] });
  });

  it("are at most 200 in a workspace", async () => {
    const full = await makeWorkspace(gateway());
    const { id } = await preset({}, { workspace_id: full.id });
    await insertCopies(gateway(), "presets", { id, count: 199, others: { slug: "'one-' || n" } });
    const own = await makeKey(gateway(), { workspace_id: full.id });
    const answer = await call("POST", "/presets/one-more/chat/completions", { key: own.key, body: { messages } });
    expectError(answer, "conflict", "This workspace has 200 presets, which is the most");
  });

  it("are saved once each where two save at the same time", async () => {
    const name = slug();
    const answers = await Promise.all(
      [1, 2, 3].map((seed) => ofKey("POST", `/presets/${name}/chat/completions`, { seed, messages })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { data } = (await ofKey("GET", `/presets/${name}/versions`)).json;
    expect(data.map((one: { version: number }) => one.version)).toEqual([1, 2, 3]);
    expect(data.map((one: { config: { seed: number } }) => one.config.seed).toSorted()).toEqual([1, 2, 3]);
  });

  it("are read anew in another process after a change", async () => {
    const { deps } = gateway();
    const other = createPresetCache();
    other.watch(deps);
    const { slug: name } = await preset({ seed: 1 });
    const read = async () => (await other.of(deps, workspace, name))?.config;
    expect(await other.of(deps, workspace, "nothing-here")).toBeNull();
    expect(await read()).toEqual({ seed: 1 });
    await call("POST", `/presets/${name}/versions`, { body: { config: { seed: 2 } } });
    expect(await read()).toEqual({ seed: 2 });
    await call("DELETE", `/presets/${name}`);
    expect(await read()).toBeUndefined();
  });
});
