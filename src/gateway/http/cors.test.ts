import { describe, expect, it } from "vitest";
import { describeGateway, withGateway } from "../testing/describe-gateway.ts";
import { makeKey } from "../testing/factories.ts";
import type { Answer, TestGateway } from "../testing/gateway.ts";

const page = "https://app.example.com";
const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,x-title" };
/** What a browser asks before a call. */
const ask = async (gateway: TestGateway, origin: string): Promise<Answer> =>
  await gateway.call("OPTIONS", "/chat/completions", { key: null, headers: { origin, ...asked } });
const crossOrigin = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe.each([
  { origins: `https://other.example.com, ${page}`, from: page, allowed: page, vary: "Origin" },
  { origins: "*", from: "http://localhost:3000", allowed: "*", vary: null },
])("programs in pages of other origins, GATEHOUSE_CORS_ORIGINS=$origins", ({ origins, from, allowed, vary }) => {
  const gateway = withGateway({ env: { GATEHOUSE_CORS_ORIGINS: origins, GATEHOUSE_BASE_PATH: "/gate" } });

  it("answers what a browser asks before a call, and never lets cookies in", async () => {
    const answer = await ask(gateway(), from);
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": allowed,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "authorization,x-title",
    });
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    expect(answer.headers.get("vary")).toBe(vary);
  });

  it("lets the page read answers, refusals too", async () => {
    const { key } = await makeKey(gateway());
    const headers = { origin: from };
    const body = { model: "gatehouse/lexical", input: "a" };
    const answers = [
      await gateway().call("POST", "/embeddings", { key, body, headers }),
      await gateway().call("POST", "/embeddings", { key: null, body, headers }),
      await gateway().call("GET", "/nothing", { key, headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const answer of answers) {
      expect(answer.headers.get("access-control-allow-origin")).toBe(allowed);
      expect(answer.headers.get("access-control-expose-headers")).toContain("X-Generation-Id");
    }
  });

  it(`says ${allowed === "*" ? "the same" : "nothing"} to pages of further origins, and nothing outside the API`, async () => {
    const answer = await ask(gateway(), "https://evil.example.com");
    if (allowed === "*") expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    else expect(crossOrigin(answer)).toEqual([]);
    expect(crossOrigin(await fetch(`${gateway().url}/livez`, { headers: { origin: from } }))).toEqual([]);
  });
});

describeGateway("programs in pages of other origins, by default", (gateway) => {
  it("are not let in", async () => {
    const answer = await ask(gateway(), page);
    expect([answer.status, crossOrigin(answer)]).toEqual([204, []]);
  });
});
