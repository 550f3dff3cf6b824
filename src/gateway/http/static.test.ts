import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, describe, expect, it } from "vitest";
import { withGateway } from "../testing/describe-gateway.ts";

const index = `<!doctype html><html><head>
<meta name="gatehouse-base" content="" /><meta name="csp-nonce" content="" /><meta name="gatehouse-session" content="" />
<link rel="icon" href="./favicon.svg" /><script type="module" crossorigin src="./assets/app-1a2b.js"></script>
</head></html>`;
const script = "console.log('the console');\n".repeat(50);

const folder = await mkdtemp(join(tmpdir(), "gatehouse-console-"));
const plain = withGateway({ consoleFolder: folder });
const below = withGateway({ consoleFolder: folder, env: { GATEHOUSE_PUBLIC_URL: "https://example.com/gate" } });

await mkdir(join(folder, "assets"));
await mkdir(join(folder, ".vite"));
await writeFile(join(folder, "index.html"), index);
await writeFile(join(folder, "favicon.svg"), "<svg/>");
await writeFile(join(folder, ".vite", "manifest.json"), "{}");
await writeFile(join(folder, "assets", "app-1a2b.js"), script);
await writeFile(join(folder, "assets", "app-1a2b.js.br"), brotliCompressSync(script));
await writeFile(join(folder, "assets", "app-1a2b.js.gz"), gzipSync(script));
afterAll(() => rm(folder, { recursive: true }));

const nonceIn = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? "")?.[1];

describe("the console's page", () => {
  it.each(["/", "/w/all/keys", "/w/all/models/acme/talk-4.1?tab=usage", "/sign-in?to=%2Fw%2Fall"])(
    "is served at %s",
    async (path) => {
      const answer = await fetch(plain().url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).toContain('src="/assets/app-1a2b.js"');
    },
  );

  it("is served with 404 to a browser at an address that is none of the console's", async () => {
    const answer = await fetch(`${plain().url}/keys`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it.each(["/metricz", "/v1/nothing", "/v1x/models", "/keys", "/w"])(
    "is not served to a program at %s: 404",
    async (path) => {
      const answer = await fetch(plain().url + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 404 } });
    },
  );

  it("has a new nonce each time, the same in the page as in the policy", async () => {
    const nonces = [];
    for (let time = 0; time < 2; time += 1) {
      const answer = await fetch(plain().url);
      const nonce = nonceIn(answer.headers.get("content-security-policy"));
      expect(await answer.text()).toContain(`<meta name="csp-nonce" content="${nonce}" />`);
      nonces.push(nonce);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it("may run no script but its own files, be framed by nobody, and make no HTML from text", async () => {
    const policy = (await fetch(plain().url)).headers.get("content-security-policy");
    for (const rule of ["script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policy?.split("; ")).toContain(rule);
    }
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
  });

  it.each([
    ["of someone who typed the address, without a cookie", { "sec-fetch-site": "none" }, "none"],
    ["from our own pages, without a cookie", { "sec-fetch-site": "same-origin" }, "none"],
    ["with a cookie of no session", { "sec-fetch-site": "none", cookie: "gatehouse_session=x" }, "none"],
    ["from another site, which a strict cookie does not come along on", { "sec-fetch-site": "cross-site" }, ""],
    ["of a browser that does not say", {}, ""],
  ])("tells a visit %s whether somebody may be signed in", async (_, headers, content) => {
    const { body } = await request(plain().url, { headers });
    expect(await body.text()).toContain(`<meta name="gatehouse-session" content="${content}" />`);
  });

  it("knows its session, so that it need not ask, and is then stored nowhere", async () => {
    const name = 'a "quoted" & <tagged> $1 name';
    const made = await plain().call("POST", "/management-keys", { body: { name } });
    const { headers } = await request(`${plain().url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ management_key: made.json.key }),
    });
    const cookie = String(headers["set-cookie"]).split(";", 1)[0] ?? "";
    const page = await request(`${plain().url}/w/all/keys`, { headers: { cookie } });
    expect(page.headers["cache-control"]).toBe("no-store");
    const written = /<meta name="gatehouse-session" content="([^"]*)" \/>/.exec(await page.body.text())?.[1] ?? "";
    expect(written).not.toContain("<");
    const told = JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"));
    const asked = await request(`${plain().url}/api/v1/session`, { headers: { cookie } });
    expect({ data: told }).toEqual(await asked.body.json());
    expect(told.user).toBe(name);
    expect(String(page.headers["content-encoding"])).toBe("undefined");
  });

  it("knows the base path, under the path and where a proxy strips it", async () => {
    for (const url of [
      `${below().url}/w/all/keys`,
      `${below().url}/`,
      below().url,
      below().url.replace("/gate", "/w/all/keys"),
    ]) {
      const text = await (await fetch(url)).text();
      expect(text).toContain('<meta name="gatehouse-base" content="/gate" />');
      expect(text).toContain('src="/gate/assets/app-1a2b.js"');
    }
  });
});

describe("the console's files", () => {
  it.each([
    ["br", brotliCompressSync(script).length],
    ["gzip", gzipSync(script).length],
  ])("are served precompressed as %s and kept for good", async (encoding, length) => {
    const { statusCode, headers, body } = await request(`${below().url}/assets/app-1a2b.js`, {
      headers: { "accept-encoding": encoding },
    });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-encoding": encoding,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
    });
    expect((await body.arrayBuffer()).byteLength).toBe(length);
  });

  it("are served plain to those who take nothing else", async () => {
    const { headers, body } = await request(`${plain().url}/assets/app-1a2b.js`, {
      headers: { "accept-encoding": "identity" },
    });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(await body.text()).toBe(script);
  });

  it("are not sent again to those who have them", async () => {
    const first = await fetch(`${plain().url}/favicon.svg`);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    expect((await fetch(`${plain().url}/favicon.svg`, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it.each([
    "/assets/app-old.js",
    "/.vite/manifest.json",
    "/assets/app-1a2b.js.br",
    "/..%2f..%2fpackage.json",
    "/api/v2/keys",
  ])("%s is not there", async (path) => {
    const answer = await fetch(plain().url + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 404 } });
  });
});
