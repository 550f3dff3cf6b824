import { describe, expect, it } from "vitest";
import { maskConfig, mergeConfig } from "./config.ts";
import { isMask, maskSecret } from "../secrets/mask.ts";
import { Refusal } from "../refusal.ts";
import type { DestinationType } from "#contract/destination-kinds.ts";

const secretKey = "sk-lf-0123456789abcdef";
const baseUrl = "https://fuse.example.com";
const langfuse = mergeConfig("langfuse", { secretKey, publicKey: "pk-lf-1", baseUrl }, null);

function issuesOf(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return (error.details.issues ?? []).map((issue) => `${issue.path}: ${issue.message}`);
    throw error;
  }
  throw new Error("was not refused");
}

it.each([
  ["four characters at each end of a long secret", "sk-live-0123456789AbCd", "sk-l...AbCd"],
  ["never half of a short one", "0123456789", "01...89"],
  ["nothing of a very short one", "short", "..."],
])("a mask shows %s", (_, secret, mask) => expect(maskSecret(secret)).toBe(mask));

describe("a new config", () => {
  it("is masked and completed with the defaults when shown", () => {
    const sent = { apiKey: secretKey, headers: { "x-team": "0123456789abcdefgh" } };
    expect(maskConfig("langsmith", mergeConfig("langsmith", sent, null))).toEqual({
      apiKey: "sk-l...cdef",
      endpoint: "https://api.smith.langchain.com",
      project: "main",
      headers: { "x-team": "0123...efgh" },
    });
  });
  it("names every missing and every foreign member at once", () => {
    expect(issuesOf(() => mergeConfig("langfuse", { secretKey, bucket: "b" }, null))).toEqual([
      "config.bucket: is not a member of langfuse; it has secretKey, publicKey, baseUrl, headers",
      "config.publicKey: is required for Langfuse",
    ]);
  });
  const masked = "is a masked value, not the secret: send the secret itself";
  const notSet = "is not a header that can be set";
  const hook = { url: "https://a.example" };
  it.each<[type: DestinationType, config: Record<string, unknown>, ...issues: string[]]>([
    [
      "otel-collector",
      { endpoint: "collector:4318" },
      "endpoint: must be an http or https URL, such as https://collector.example.com",
    ],
    ["otel-collector", { endpoint: "" }, "endpoint: must have at least one character"],
    ["webhook", { ...hook, method: "DELETE" }, "method: must be one of POST, PUT"],
    ["newrelic", { licenseKey: "k", region: "mars" }, "region: must be one of us, eu"],
    ["webhook", { ...hook, headers: ["x"] }, "headers: must be an object of header names and values"],
    ["langfuse", { secretKey: "sk-l...cdef", publicKey: "****" }, `secretKey: ${masked}`, `publicKey: ${masked}`],
    ["webhook", { ...hook, headers: { Host: "b" } }, `headers.Host: ${notSet}`],
    ["webhook", { ...hook, headers: { Expect: "x" } }, `headers.Expect: ${notSet}`],
    ["webhook", { ...hook, headers: { "keep-alive": "x" } }, `headers.keep-alive: ${notSet}`],
    ["webhook", { ...hook, headers: { "Proxy-Connection": "x" } }, `headers.Proxy-Connection: ${notSet}`],
    ["webhook", { ...hook, headers: { "X-A": "Bear…cdef" } }, `headers.X-A: ${masked}`],
  ])("of %s refuses %j", (type, config, ...issues) =>
    expect(issuesOf(() => mergeConfig(type, config, null))).toEqual(issues.map((issue) => `config.${issue}`)),
  );
});

describe("an update", () => {
  it("keeps what is left out and ignores the mask of the kept secret", () => {
    const merged = mergeConfig("langfuse", { secretKey: "sk-l...cdef", publicKey: "pk-lf-2" }, langfuse);
    expect(merged).toEqual({ secretKey, publicKey: "pk-lf-2", baseUrl });
  });
  it.each(["sk-x...cdef", "sk-l…cdef", "••••••••", "****", "sk-****cdef", "...", "01...89"])(
    "keeps the secret when %j is sent: no mask becomes a secret, whoever made it",
    (mask) => {
      expect(isMask(mask)).toBe(true);
      expect(mergeConfig("langfuse", { secretKey: mask, publicKey: mask }, langfuse)).toEqual(langfuse);
    },
  );
  it.each(["sk-lf-0123456789abcdef", "password", "a.b", "ab*cd", "one...and-more", "x.y.z"])("takes %j", (secret) => {
    expect(isMask(secret)).toBe(false);
    expect(mergeConfig("langfuse", { secretKey: secret }, langfuse)["secretKey"]).toBe(secret);
  });
  it("lays headers over the kept ones: left-out and masked ones stay, null and an empty value remove", () => {
    const sent = (headers: unknown, kept = { "X-A": "a-0123456789", "X-B": "b-0123456789" }) =>
      mergeConfig("webhook", { headers }, { url: "https://a.example", headers: kept })["headers"];
    expect(sent({ "X-C": "c" })).toEqual({ "X-A": "a-0123456789", "X-B": "b-0123456789", "X-C": "c" });
    expect(sent({ "X-A": "a-...6789", "x-b": "new" })).toEqual({ "X-A": "a-0123456789", "x-b": "new" });
    expect(sent({ "X-A": null })).toEqual({ "X-B": "b-0123456789" });
    expect(sent({ "X-A": "", "X-B": null })).toBeUndefined();
    expect(sent(null)).toBeUndefined();
  });
  it("removes an optional member with null and refuses that for a required one", () => {
    expect(mergeConfig("langfuse", { headers: { a: "b" } }, langfuse)["headers"]).toEqual({ a: "b" });
    expect(issuesOf(() => mergeConfig("langfuse", { secretKey: null }, langfuse))).toEqual([
      "config.secretKey: is required and cannot be removed",
    ]);
  });
  it("asks for the secret again when the host moves, and takes it when it comes", () => {
    const moved = { baseUrl: "https://thief.example.com" };
    expect(issuesOf(() => mergeConfig("langfuse", moved, langfuse))).toEqual([
      "config.secretKey: has to be sent again, because config.baseUrl now names another host",
      "config.publicKey: has to be sent again, because config.baseUrl now names another host",
    ]);
    const masked = { ...moved, secretKey: maskSecret(secretKey) };
    expect(issuesOf(() => mergeConfig("langfuse", masked, langfuse))).toHaveLength(2);
    const anew = { secretKey: "sk-lf-new", publicKey: "pk-lf-new" };
    expect(mergeConfig("langfuse", { ...moved, ...anew }, langfuse)).toEqual({ ...moved, ...anew });
  });
  it("does not take a path on the same host for a move", () =>
    expect(mergeConfig("langfuse", { baseUrl: "https://fuse.example.com/eu" }, langfuse)["secretKey"]).toBe(secretKey));
  it("never carries a masked header to another host", () => {
    const Authorization = "Bearer 0123456789abcdef";
    const kept = mergeConfig("webhook", { url: "https://a.example", headers: { Authorization } }, null);
    const sent = { url: "https://b.example", headers: { Authorization: maskSecret(Authorization) } };
    expect(issuesOf(() => mergeConfig("webhook", sent, kept))).toEqual([
      "config.headers.Authorization: has to be sent again, because config.url now names another host",
    ]);
  });
});
