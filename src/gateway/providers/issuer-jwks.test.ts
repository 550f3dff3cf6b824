import { exportJWK, generateKeyPair } from "jose";
import { afterEach, expect, it } from "vitest";
import { MockAgent } from "undici";
import { readIssuerJwks } from "./issuer-jwks.ts";

const origin = "https://issuer.example";
const key = { ...(await exportJWK((await generateKeyPair("ES256")).publicKey)), kid: "one", use: "sig" };
const agent = new MockAgent({ connections: 1 });
agent.disableNetConnect();
afterEach(() => agent.assertNoPendingInterceptors());

const read = async (status: number, body: string) => {
  agent.get(origin).intercept({ path: "/jwks" }).reply(status, body);
  return await readIssuerJwks(agent, `${origin}/jwks`);
};

it("reads the keys of kinds that are known here, and nothing else of them", async () => {
  const published = { keys: [{ kty: "oct", k: "AAAA" }, {}, { ...key, x5c: ["dropped"] }] };
  expect(await read(200, JSON.stringify(published))).toEqual({ keys: [key] });
});

const late = JSON.stringify({ keys: [...Array.from({ length: 500 }, () => ({})), key] });
it.each([
  ["a redirect", 302, "", /status 302/],
  ["an error", 404, "", /status 404/],
  ["no JSON", 200, "<html>", /does not answer with a set of keys/],
  ["another JSON", 200, '{"keys":{}}', /does not answer with a set of keys/],
  ["no key", 200, '{"keys":[]}', /no key that is known here/],
  ["secret keys only", 200, '{"keys":[{"kty":"oct","k":"AAAA"}]}', /no key that is known here/],
  ["a key after 500 that are none", 200, late, /no key that is known/],
  ["300 kB", 200, `{"keys":[${" ".repeat(300_000)}]}`, /longer than 262144 bytes/],
])("says what is wrong with an address that answers with %s", async (_, status, body, problem) => {
  expect(await read(status, body)).toEqual({ problem: expect.stringMatching(problem) as string });
});

it("gives up an address that answers nothing, after so long", async () => {
  agent.get(origin).intercept({ path: "/jwks" }).reply(200, "{}").delay(60_000);
  const answer = await readIssuerJwks(agent, `${origin}/jwks`, 20);
  expect(answer).toEqual({ problem: expect.stringMatching(/did not answer in time|TimeoutError|aborted/) as string });
});
