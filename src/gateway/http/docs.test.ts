import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { GATEHOUSE_BASE_PATH: "/gate" } });
});
afterAll(() => gateway.close());

it("serves the description to anyone", async () => {
  const answer = await gateway.call("GET", "/openapi.json", { key: null });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/gate/api/v1" }] });
});

it("serves a page to read it by, on which every operation has its place", async () => {
  const { status, text, headers } = await gateway.call("GET", "/docs", { key: null });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/html/);
  for (const endpoint of Object.values<Endpoint>(api)) {
    expect(text).toContain(`<article id="${endpoint.operationId}"`);
    expect(text).toContain(`<a href="#${endpoint.operationId}">`);
  }
  const nonce = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
  expect(text).toContain(`<style nonce="${nonce}">`);
});

it("shows a command for every operation that names what is required", async () => {
  const { text } = await gateway.call("GET", "/docs", { key: null });
  expect(text.split("<pre").length - 1).toBe(Object.keys(api).length);
  expect(text).toContain("-d &#39;{&quot;name&quot;:&quot;…&quot;}&#39;");
  expect(text).toContain(`curl -X DELETE &quot;${gateway.url}/api/v1/keys/HASH&quot;`);
});

it("loads nothing from anywhere else", async () => {
  const { text } = await gateway.call("GET", "/docs", { key: null });
  const loaded = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1]);
  expect(loaded.toSorted()).toEqual(["../../", "../../favicon.svg", "docs.js", "openapi.json"]);
  const script = await gateway.call("GET", "/docs.js", { key: null });
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});
