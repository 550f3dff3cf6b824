import OpenAI from "openai";
import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { startIssuer } from "../testing/issuer.ts";

/** The official client, two of its versions. They check answers against schemas of their own. */
const official: [string, typeof OpenRouter][] = [
  ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
  ["1.3.19", OpenRouter],
];
/** All entries of a list, page by page. */
async function pagesOf<Entry>(pages: AsyncIterable<{ result: { data: Entry[] } }>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { result } of pages) entries.push(...result.data);
  return entries;
}
// Without this they retry a 5xx for an hour.
const retryConfig = { strategy: "none" } as const;

const embed = { id: "acme/embed", upstream_id: "embed", context_length: 512, pricing: { prompt: "0.000001" } };

describeGateway("public clients", (gateway) => {
  const serverURL = () => `${gateway().url}/api/v1`;

  beforeAll(async () => {
    await makeProvider(gateway(), {
      slug: "mistral",
      base_url: "http://127.0.0.1:1/v1",
      zdr: true,
      models: [
        { ...embed, type: "embedding" },
        { id: "acme/talk", upstream_id: "talk", type: "chat", supported_parameters: ["tools", "tool_choice"] },
      ],
    });
  });

  describe.each(official)("the official client %s", (version, Client) => {
    const clientOf = (apiKey: string) => new Client({ apiKey, serverURL: serverURL(), retryConfig });
    const manage = () => clientOf(gateway().managementKey);

    it("creates, lists, reads, updates and deletes keys", async () => {
      const { apiKeys } = manage();
      const expiresAt = new Date("2099-01-31T23:59:59.000Z");
      const requestBody = { name: `by ${version}`, limit: 7.5, limitReset: "monthly" as const, expiresAt };
      const { data, key } = await apiKeys.create({ requestBody });
      expect([key, data]).toEqual([expect.stringMatching(/^sk-gh-v1-/), expect.objectContaining(requestBody)]);
      const { hash } = data;
      expect((await apiKeys.list()).data.map((each) => each.hash)).toContain(hash);
      expect((await apiKeys.list({ offset: 100, includeDisabled: true })).data).toEqual([]);
      expect((await apiKeys.get({ hash })).data).toEqual(data);
      const updated = await apiKeys.update({ hash, requestBody: { name: "renamed", limit: null, disabled: true } });
      expect(updated.data).toMatchObject({ name: "renamed", limit: null, disabled: true });
      expect((await apiKeys.delete({ hash })).deleted).toBe(true);
      await expect(apiKeys.get({ hash })).rejects.toMatchObject({ name: "NotFoundResponseError", statusCode: 404 });
    });

    it("reads the key that it uses", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 2 });
      const { data } = await clientOf(key).apiKeys.getCurrentKeyMetadata();
      expect(data).toMatchObject({ label: record.label, limitRemaining: 2, isManagementKey: false });
    });

    it("creates, lists, reads, updates and deletes workspaces", async () => {
      const { workspaces } = manage();
      const slug = `by-${version.replaceAll(".", "-")}`;
      const { data } = await workspaces.create({ createWorkspaceRequest: { name: "Lab", slug } });
      const listed = await pagesOf(await workspaces.list());
      expect(listed.map((workspace) => workspace.slug)).toEqual(expect.arrayContaining(["default", slug]));
      expect((await workspaces.get({ id: slug })).data).toEqual(data);
      const updated = await workspaces.update({ id: data.id, updateWorkspaceRequest: { name: "Lab 2" } });
      expect(updated.data.name).toBe("Lab 2");
      expect((await workspaces.delete({ id: data.id })).deleted).toBe(true);
    });

    it("lists the embedding models and calls one", async () => {
      const { key } = await makeKey(gateway());
      const { embeddings } = clientOf(key);
      expect((await pagesOf(await embeddings.listModels())).map(({ id }) => id)).toContain("gatehouse/lexical");
      const answer = await embeddings.generate({
        requestBody: { model: "gatehouse/lexical", input: ["one text", "another"], dimensions: 64 },
      });
      if (typeof answer === "string") throw new Error("the client did not read the answer as JSON");
      expect(answer.data.map((item) => [item.index, item.embedding.length])).toEqual([
        [0, 64],
        [1, 64],
      ]);
      expect(answer.usage?.promptTokens).toBeGreaterThan(0);
    });

    it("has a key made for an app: the consent page's address, a code, and its exchange, once", async () => {
      const { key, record } = await makeKey(gateway(), { creator_user_id: "ana" });
      const { oAuth } = clientOf(key);
      const { codeChallenge, codeVerifier } = await oAuth.createSHA256CodeChallenge();
      const bound = { callbackUrl: "http://localhost:3000/cb", codeChallenge, codeChallengeMethod: "S256" } as const;
      const page = new URL(await oAuth.createAuthorizationUrl({ ...bound, limit: 2.5 }));
      expect(page.origin + page.pathname).toBe(`${gateway().url}/auth`);
      const sent = { callback_url: bound.callbackUrl, code_challenge: codeChallenge, code_challenge_method: "S256" };
      expect(Object.fromEntries(page.searchParams)).toEqual({ ...sent, limit: "2.5" });

      const { data } = await oAuth.createAuthCode({ requestBody: { ...bound, limit: 1, keyLabel: version } });
      expect(data.createdAt).toBe(gateway().clock.now().toISOString());
      const requestBody = { code: data.id, codeVerifier, codeChallengeMethod: "S256" } as const;
      const exchange = () => oAuth.exchangeAuthCodeForAPIKey({ requestBody });
      const made = await exchange();
      expect(made.userId).toBe("ana");
      const app = clientOf(made.key);
      expect((await app.apiKeys.getCurrentKeyMetadata()).data).toMatchObject({ limit: 1, creatorUserId: "ana" });
      await expect(exchange()).rejects.toMatchObject({ name: "ForbiddenResponseError", statusCode: 403 });
      const listed = (await manage().apiKeys.list()).data.filter(({ name }) => name === version);
      expect(listed).toMatchObject([{ creatorUserId: "ana", workspaceId: record.workspace_id }]);

      const byAdmin = manage().oAuth.createAuthCode({ requestBody: bound });
      await expect(byAdmin).rejects.toMatchObject({ name: "ForbiddenResponseError" });
    });

    it("finds no organization without an identity provider, as with a personal account, and no members", async () => {
      const { organization, workspaces } = manage();
      await expect(organization.listMembers()).rejects.toMatchObject({ name: "NotFoundResponseError" });
      expect((await workspaces.listMembers({ id: "default" })).result).toEqual({ data: [], totalCount: 0 });
      const users = { userIds: ["user_1"] };
      const add = workspaces.bulkAddMembers({ id: "default", bulkAddWorkspaceMembersRequest: users });
      await expect(add).rejects.toMatchObject({ name: "BadRequestResponseError" });
      const remove = { id: "default", bulkRemoveWorkspaceMembersRequest: users };
      expect((await workspaces.bulkRemoveMembers(remove)).removedCount).toBe(0);
    });

    it("lists providers, models and what serves them", async () => {
      const { providers, models, endpoints } = manage();
      expect((await providers.list()).data.map(({ slug }) => slug)).toEqual(
        expect.arrayContaining(["gatehouse", "mistral"]),
      );
      expect((await pagesOf(await models.list({ outputModalities: "all" }))).map(({ id }) => id)).toEqual([
        "acme/embed",
        "acme/talk",
        "gatehouse/lexical",
        "gatehouse/lexical-visual",
        "gatehouse/semantic-en",
      ]);
      expect((await models.count({ outputModalities: "all" })).data.count).toBe(5);
      expect((await models.list()).result.data.map(({ id }) => id)).toEqual(["acme/talk"]);
      expect((await models.count()).data.count).toBe(1);
      expect((await models.list({ category: "programming" })).result.data).toEqual([]);
      expect((await models.get({ author: "acme", slug: "talk" })).data).toMatchObject({
        id: "acme/talk",
        name: "talk",
      });
      const { data } = await endpoints.list({ author: "acme", slug: "embed" });
      expect(data.endpoints).toMatchObject([{ tag: "mistral", modelId: "acme/embed", contextLength: 512 }]);
      expect((await endpoints.listZdrEndpoints()).data.map(({ modelId }) => modelId)).toContain("acme/embed");
    });

    it("lists what a key may use", async () => {
      const { key } = await makeKey(gateway());
      const listed = await pagesOf(await clientOf(key).models.listForUser({ bearer: key }));
      expect(listed.map(({ id }) => id)).toContain("acme/talk");
    });

    it("keeps provider keys", async () => {
      const { byok } = manage();
      const made = await byok.create({ createBYOKKeyRequest: { provider: "mistral", key: "sk-own-0123456789" } });
      expect(made.data).toMatchObject({ provider: "mistral", label: "sk-o...6789" });
      const { id } = made.data;
      expect((await byok.get({ id })).data).toEqual(made.data);
      const updated = await byok.update({ id, updateBYOKKeyRequest: { name: "ours", disabled: true } });
      expect(updated.data).toMatchObject({ name: "ours", disabled: true });
      expect((await pagesOf(await byok.list())).map((key) => key.id)).toEqual([id]);
      expect((await byok.delete({ id })).deleted).toBe(true);
    });

    it("tells our errors apart", async () => {
      const { key } = await makeKey(gateway());
      const ordinary = clientOf(key);
      const stranger = clientOf("sk-gh-v1-nothing");
      const create = (client: OpenRouter) => client.apiKeys.create({ requestBody: { name: "" } });
      await expect(create(ordinary)).rejects.toMatchObject({ name: "ForbiddenResponseError" });
      await expect(create(stranger)).rejects.toMatchObject({ name: "UnauthorizedResponseError" });
      await expect(create(manage())).rejects.toMatchObject({ name: "BadRequestResponseError" });
      const embed = ordinary.embeddings.generate({ requestBody: { model: "nobody/nothing", input: "a" } });
      await expect(embed).rejects.toMatchObject({ name: "NotFoundResponseError" });
    });
  });

  it("maps groups of an identity provider to workspaces, and has the members follow", async () => {
    const { organization, scim, workspaces } = new OpenRouter({
      apiKey: gateway().managementKey,
      serverURL: serverURL(),
      retryConfig,
    });
    const { json } = await gateway().call("POST", "/scim/tokens", { body: { name: "directory" } });
    const push = async (path: string, body: object) => {
      const response = await fetch(`${gateway().url}/scim/v2${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${json.token}`, "content-type": "application/scim+json" },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { id: string }).id;
    };
    const userId = await push("/Users", { userName: "ana@example.com", name: { givenName: "Ana" } });
    const scimGroupId = await push("/Groups", { displayName: "Team", members: [{ value: userId }] });
    const { data: workspace } = await workspaces.create({
      createWorkspaceRequest: { name: "Directory", slug: "directory" },
    });
    expect(await pagesOf(await scim.listGroups())).toMatchObject([{ id: scimGroupId, displayName: "Team" }]);

    const createScimGroupMappingRequest = { scimGroupId, workspaceId: workspace.id, role: "member" } as const;
    const { data: mapping } = await scim.create({ createScimGroupMappingRequest });
    expect(mapping).toMatchObject({ scimGroupId, workspaceId: workspace.id, role: "member" });
    await expect(scim.create({ createScimGroupMappingRequest })).rejects.toMatchObject({
      name: "ConflictResponseError",
    });
    const { id } = mapping;
    expect((await scim.read({ id })).data).toEqual(mapping);
    expect((await scim.update({ id, updateScimGroupMappingRequest: { role: "admin" } })).data.role).toBe("admin");
    expect(await pagesOf(await scim.listMappings())).toMatchObject([{ id, role: "admin" }]);
    expect(await pagesOf(await workspaces.listMembers({ id: workspace.id }))).toMatchObject([
      { userId, role: "admin" },
    ]);
    expect(await pagesOf(await organization.listMembers())).toMatchObject([
      { id: userId, email: "ana@example.com", firstName: "Ana" },
    ]);

    const { data: job } = (await scim.createSyncJob()).result;
    await eventually(
      async () => (await scim.getSyncJob({ id: job.id })).data,
      ({ status, syncedGroups }) => status === "succeeded" && syncedGroups === 1,
    );
    expect((await scim.delete({ id, keepMembers: false })).deleted).toBe(true);
    await expect(scim.read({ id })).rejects.toMatchObject({ name: "NotFoundResponseError" });
  });

  it("exchanges a workload's token for an access token, and calls with it", async () => {
    const issuer = await startIssuer();
    try {
      await issuer.addKey("ci", "RS256");
      const { record } = await makeKey(gateway());
      const bound = { issuer: issuer.issuer, jwks_url: issuer.jwksUrl, audience: "gateway", subject: "job" };
      const policy = { name: "CI", api_key_hash: record.hash, ...bound };
      const made = await gateway().call("POST", "/federation-policies", { body: policy });
      const now = Math.floor(gateway().clock.now().getTime() / 1_000);
      const exchange = async (sub: string) =>
        await new OpenRouter({ serverURL: serverURL(), retryConfig }).oAuth.createOauthToken({
          tokenExchangeRequest: {
            grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
            subjectToken: await issuer.sign("ci", { iss: issuer.issuer, aud: "gateway", sub, exp: now + 120 }),
            subjectTokenType: "urn:ietf:params:oauth:token-type:jwt",
            federationPolicyId: made.json.data.id as string,
            scope: "inference",
          },
        });
      const { accessToken, ...given } = await exchange("job");
      const issuedTokenType = "urn:ietf:params:oauth:token-type:access_token";
      expect(given).toEqual({ expiresIn: 120, issuedTokenType, scope: "inference", tokenType: "Bearer" });
      const client = new OpenRouter({ apiKey: accessToken, serverURL: serverURL(), retryConfig });
      expect((await client.apiKeys.getCurrentKeyMetadata()).data.label).toBe(record.label);
      const answer = await client.embeddings.generate({ requestBody: { model: "gatehouse/lexical", input: "a" } });
      expect(answer).toMatchObject({ object: "list" });
      const { keys } = await client.oAuth.listOauthJwks();
      expect(keys).toMatchObject([{ alg: "ES256", crv: "P-256", use: "sig" }]);
      await expect(exchange("stranger")).rejects.toMatchObject({
        name: "OAuthErrorResponse",
        statusCode: 400,
        error: "invalid_grant",
        errorDescription: "The sub of the subject_token is not what the federation policy asks for",
      });
    } finally {
      await issuer.close();
    }
  });

  describe("the openai client", () => {
    it("calls createEmbeddings as it does by default: base64, decoded to the same vector as float", async () => {
      const { key } = await makeKey(gateway());
      const client = new OpenAI({ apiKey: key, baseURL: serverURL(), maxRetries: 0 });
      const request = { model: "gatehouse/lexical", input: "the same text" };
      const [packed, plain] = [
        await client.embeddings.create(request),
        await client.embeddings.create({ ...request, encoding_format: "float" }),
      ];
      expect(packed.data[0]?.embedding.length).toBeGreaterThan(0);
      expect(packed.data[0]?.embedding).toEqual(plain.data[0]?.embedding.map(Math.fround));
      expect(packed.usage.total_tokens).toBeGreaterThan(0);
    });

    it("tells our errors apart", async () => {
      const client = new OpenAI({ apiKey: gateway().managementKey, baseURL: serverURL(), maxRetries: 0 });
      const call = client.embeddings.create({ model: "gatehouse/lexical", input: "a" });
      await expect(call).rejects.toMatchObject({ status: 403, code: 403 });
    });
  });
});
