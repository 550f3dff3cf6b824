import fastify from "fastify";
import { expect, it } from "vitest";
import { api } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { withGateway } from "../testing/describe-gateway.ts";
import { docsScript } from "./docs-style.ts";
import { bindDocs } from "./docs.ts";

const gateway = withGateway({ env: { GATEHOUSE_BASE_PATH: "/gate" } });

it("serves the description to anyone", async () => {
  const answer = await gateway().call("GET", "/openapi.json", { key: null });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/gate/api/v1" }] });
});

it("serves a page to read it by, on which every operation has its place", async () => {
  const { status, text, headers } = await gateway().call("GET", "/docs", { key: null });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/html/);
  for (const endpoint of Object.values<Endpoint>(api)) {
    expect(text).toContain(`<article id="${endpoint.operationId}"`);
    expect(text).toContain(`<a href="#${endpoint.operationId}">`);
  }
  expect(headers.get("content-security-policy")).toContain("default-src 'self'");
});

it("shows a command for every operation that names what is required", async () => {
  const { text } = await gateway().call("GET", "/docs", { key: null });
  expect(text.split("<pre").length - 1).toBe(Object.keys(api).length);
  expect(text).toContain("-d &#39;{&quot;name&quot;:&quot;…&quot;}&#39;");
  expect(text).toContain("--data-urlencode &quot;subject_token=…&quot;");
  expect(text).toContain(
    'curl -X DELETE &quot;<span class="origin">https://GATEWAY</span>/gate/api/v1/keys/HASH&quot;',
  );
});

it("completes its commands with the address that it was loaded from", () => {
  const origin = { textContent: "https://GATEWAY" };
  const document = {
    querySelectorAll: (selector: string) => (selector === ".origin" ? [origin] : []),
    querySelector: () => ({ addEventListener: () => {} }),
  };
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the page's own script
  new Function("document", "localStorage", "location", docsScript)(
    document,
    { getItem: () => null },
    { origin: "https://one.example" },
  );
  expect(origin.textContent).toBe("https://one.example");
});

it("loads nothing from anywhere else", async () => {
  const { text } = await gateway().call("GET", "/docs", { key: null });
  const loaded = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1]);
  expect(loaded.toSorted()).toEqual([
    "../../",
    "../../favicon.svg",
    "docs.css",
    "docs.js",
    "docs/guides",
    "openapi.json",
  ]);
  const script = await gateway().call("GET", "/docs.js", { key: null });
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const style = await gateway().call("GET", "/docs.css", { key: null });
  expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
});

it.each(["/openapi.json", "/docs"])("compresses %s once for each encoding", async (path) => {
  const read = (encoding: string) =>
    gateway().call("GET", path, { key: null, headers: { "accept-encoding": encoding, host: "one.example" } });
  const plain = await read("identity");
  for (const encoding of ["gzip", "br"]) {
    const answers = [await read(encoding), await read(encoding)];
    for (const { headers, text } of answers) {
      expect(headers.get("content-encoding")).toBe(encoding);
      expect(headers.get("vary")).toContain("Accept-Encoding");
      expect(text).toBe(plain.text);
    }
  }
});

it("is compressed once, by whichever host it is asked for", async () => {
  const app = fastify();
  const sent = new Set<unknown>();
  app.addHook("onSend", async (_request, _reply, payload) => {
    sent.add(payload);
    return payload;
  });
  bindDocs(app, { publicUrl: null, basePath: "/api/v1" });
  for (const host of ["one.example", "two.example", "one.example", "two.example"]) {
    const answer = await app.inject({ path: "/docs", headers: { "accept-encoding": "br", host } });
    expect(answer.headers).toMatchObject({ "content-encoding": "br" });
  }
  // Not equal bytes, which each compression would make, but the very same.
  expect(sent.size).toBe(1);
  await app.close();
});
