import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { createSignInToken } from "../domain/instance/sessions.ts";
import { engine } from "../testing/describe-gateway.ts";
import { type Answer, type CallOptions, send, startGateway } from "../testing/gateway.ts";
import { startGatewayProcess } from "../testing/process.ts";
import { putStore } from "../testing/store-template.ts";

type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

interface Secrets {
  managementKey: string;
  signInToken: string | null;
}

/** Takes secrets through everything that handles them, errors included. Returns each secret, and all that was answered. */
async function takeThrough(call: Call, { managementKey, signInToken }: Secrets) {
  const answers: string[] = [];
  const kept: Call = async (method, path, options) => {
    const answer = await call(method, path, options);
    answers.push(`${JSON.stringify([...answer.headers])}\n${answer.text}`);
    return answer;
  };
  const vendorKey = `vendor-${randomBytes(16).toString("hex")}`;
  const byokKey = `byok-${randomBytes(16).toString("hex")}`;
  const sinkKey = `sk-lf-${randomBytes(16).toString("hex")}`;

  const created = await call("POST", "/keys", { body: { name: "canary" }, headers: { "idempotency-key": "canary-1" } });
  const { hash } = created.json.data;
  const rotated = await call("POST", `/keys/${hash}/rotate`, { body: { grace_seconds: 3_600 } });
  const [plaintext, successor] = [created.json.key as string, rotated.json.key as string];
  await kept("POST", "/keys", { body: { name: "canary" }, headers: { "idempotency-key": "canary-1" } });

  // Where they belong.
  const embeddings = { model: "gatehouse/lexical", input: "a canary" };
  for (const key of [plaintext, successor]) await kept("POST", "/embeddings", { key, body: embeddings });
  await kept("GET", "/key", { key: plaintext });
  const signIn = async (body: object) => await call("POST", "/session", { key: null, body });
  for (const token of [signInToken, signInToken]) answers.push((await signIn({ sign_in_token: token })).text);
  const session = await signIn({ management_key: managementKey });
  answers.push(session.text);
  const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await kept("GET", "/session", { key: null, headers: { cookie } });
  const provider = { slug: "canary", name: "Canary", kind: "openai-compatible", base_url: "http://127.0.0.1:9/v1" };
  const models = [{ id: "canary/embed", upstream_id: "embed", type: "embedding" }];
  const stored = [
    await kept("POST", "/providers", { body: { ...provider, api_key: vendorKey, models } }),
    await kept("POST", "/byok", { body: { provider: "canary", key: byokKey } }),
  ];
  await kept("PATCH", "/providers/canary", { body: { name: "Canary 2" } });
  await kept("POST", "/providers/canary/test");
  await kept("POST", "/embeddings", { key: plaintext, body: { model: "canary/embed", input: "a" } });
  const config = { baseUrl: "http://127.0.0.1:9", publicKey: "pk-lf-1", secretKey: sinkKey };
  stored.push(await kept("POST", "/observability/destinations", { body: { name: "sink", type: "langfuse", config } }));
  expect(stored.map((answer) => answer.status)).toSatisfy((statuses: number[]) =>
    statuses.every((status) => status < 300),
  );

  // Where they do not.
  for (const secret of [plaintext, managementKey, vendorKey]) {
    await kept("GET", `/keys/${secret}`);
    await kept("GET", `/${secret}`);
    await kept("GET", `/keys?q=${secret}`);
    await kept("GET", `/keys?${secret}=1`.replace(secret, `cursor=${secret}`));
    await kept("POST", "/keys", { raw: `{"name": "${secret}` });
    await kept("POST", "/keys", { body: { name: "a", limit: secret } });
    await kept("POST", "/embeddings", { key: plaintext, raw: `{"model": ${secret}}` });
    await kept("POST", "/session", { key: null, body: { management_key: `${secret}x` } });
    await kept("GET", "/key", { key: `${secret}x` });
    await kept("GET", "/keys", { key: null, headers: { authorization: secret } });
    await kept("GET", "/session", { key: null, headers: { cookie: `gatehouse_session=${secret}` } });
  }
  for (const path of ["/keys", "/audit", "/providers", "/provider-settings", "/byok", "/observability/destinations"]) {
    await kept("GET", path);
  }
  await kept("GET", "/keys", { key: plaintext });
  await kept("DELETE", `/keys/${hash}`);
  await kept("GET", "/key", { key: plaintext });

  const kinds = { plaintext, successor, managementKey, vendorKey, byokKey, sinkKey };
  const secrets = { ...kinds, cookie: cookie.split("=")[1] ?? "" };
  // The hash is public: it is found wherever secrets are looked for, so that the looking itself is seen to work.
  return {
    hash,
    secrets: { ...secrets, ...(signInToken === null ? {} : { signInToken }) },
    answers: answers.join("\n"),
  };
}

function found(secrets: Record<string, string>, text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => (secret !== "" && text.includes(secret) ? [name] : []));
}

describe("secrets, in the store", () => {
  it("are in no answer, no log line and no row", async () => {
    const gateway = await startGateway({
      engine,
      postgresUrl: inject("postgresUrl"),
      postgresTemplate: inject("postgresTemplate"),
    });
    try {
      const { db, pool } = gateway.deps.store;
      const admin = await db
        .selectFrom("api_keys")
        .select("hash")
        .where("kind", "=", "management")
        .executeTakeFirstOrThrow();
      const signInToken = await createSignInToken(gateway.deps, admin.hash);
      const { hash, secrets, answers } = await takeThrough(gateway.call, {
        managementKey: gateway.managementKey,
        signInToken,
      });
      const tables = await pool.query<{ name: string }>(
        "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
      );
      const rows: string[] = [];
      for (const { name } of tables.rows) {
        const { rows: texts } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
        rows.push(...texts.map((row) => row.text));
      }
      expect(Object.values(secrets).every((secret) => secret.length >= 20)).toBe(true);
      expect(rows.join("\n")).toContain(hash);
      expect(answers).toContain(hash);
      expect(gateway.log().split("\n").length).toBeGreaterThan(30);
      expect(found(secrets, rows.join("\n"))).toEqual([]);
      expect(found(secrets, gateway.log())).toEqual([]);
      expect(found(secrets, answers)).toEqual([]);
    } finally {
      await gateway.close();
    }
  });
});

describe("secrets, in the real program", () => {
  it("are in no file of the data folder and in nothing that it prints", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-canary-"));
    await putStore(dataDir);
    const secretKey = randomBytes(32).toString("hex");
    const gateway = await startGatewayProcess({
      dataDir,
      env: { GATEHOUSE_LOG_LEVEL: "debug", GATEHOUSE_SECRET_KEY: secretKey },
    });
    const call: Call = (method, path, options) =>
      send(`${gateway.url}/api/v1${path}`, method, { key: gateway.managementKey, ...options });
    const { hash, secrets } = await takeThrough(call, { managementKey: gateway.managementKey, signInToken: null });
    await gateway.stop();
    const all = { ...secrets, secretKey };
    expect(found(all, gateway.printed())).toEqual([]);
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const leaks: string[] = [];
    let looked = 0;
    for (const file of files.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name), "latin1");
      leaks.push(...found(all, content).map((name) => `${name} in ${file.name}`));
      if (content.includes(hash)) looked += 1;
    }
    expect(looked).toBeGreaterThan(0);
    expect(leaks).toEqual([]);
    await rm(dataDir, { recursive: true });
  });
});
