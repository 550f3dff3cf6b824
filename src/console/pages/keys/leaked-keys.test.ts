import { threadCpuUsage } from "node:process";
import { expect, it } from "vitest";
import { sha256Hex } from "#contract/sha256.ts";
import { findLeakedKeys } from "./leaked-keys.ts";

const key = "sk-gh-v1-XYczEuhUFdZ94UmxXaaD6KSAngZXgOWvVFELyZb01o83qF9xp";
const hash = "655cfe38813f2beeed827808bf405ac0ac7e3e0dd43f8ec229c04f1f0fbad83c";
const management = "sk-gh-mgmt-v1-5o7ChClGMEETvpPyIVt8fqjByMYDABPjbSKHsqikCwv3SBX9N";
const managementHash = "0ae7c2bf23336d61a8540afae1c871aae79aca6be62ade6b590f2dbea464f837";
const nothing = { hashes: [], labels: [], broken: 0, words: [], partly: false };

it.each([
  key,
  ` ${key}\n`,
  `GATEHOUSE_API_KEY=${key}`,
  `export GATEHOUSE_API_KEY='${key}'`,
  `"${key}"`,
  `The key is ${key}.`,
  `Authorization: Bearer ${key}`,
  `{"authorization":"Bearer ${key}\\n"}`,
  `https://gw.example/?key=${key}&x=1`,
  `${key}AndMore`,
  `${key}${key}`,
  hash,
  hash.toUpperCase(),
  `key_hash=${hash},`,
])("finds the key in %j", (text) =>
  expect(findLeakedKeys(text)).toMatchObject({ hashes: [{ hash }], labels: [], broken: 0 }),
);

it("finds several at once, management keys included, and shows no more of a key than its label does", () => {
  const labels = "sk-gh-v1-XYc...F9xp sk-gh-mgmt-v1-5o7…BX9N";
  const found = findLeakedKeys(`${key} ${management} ${key} ${hash} ${labels}`);
  expect(found.hashes.map((one) => one.hash)).toEqual([hash, managementHash]);
  expect(found.labels.join(" ")).toBe(labels.replace("…", "..."));
  expect(JSON.stringify(findLeakedKeys(`${key} ${management}`))).not.toContain(key.slice(12, -4));
  expect(findLeakedKeys(management).hashes[0]?.shown).toBe("sk-gh-mgmt-v1-5o7…BX9N");
});

it("counts what is cut off or mistyped, does not take it for a key, and finds nothing where nothing is", () => {
  const cut = key.slice(0, -1);
  expect(findLeakedKeys(`${cut} and ${cut}Z and sk-gh-v1-`)).toEqual({ ...nothing, broken: 3 });
  expect(findLeakedKeys("sk-not-ours, a git commit 5716e22 and 12 words")).toEqual(nothing);
});

const free = "q0G/8Zk+wVb1=Xh4Ty7Lm2Nc5Rd9Pf3Sg6";

it.each([free, `GATEHOUSE_MANAGEMENT_KEY=${free}`, `Bearer ${free},`, `key: "${free}"`, `KEY='${free}'; run`])(
  "is among the words of %j",
  (text) => expect(findLeakedKeys(text).words).toContain(sha256Hex(free)),
);

it("a management key of a form of its own may look like a hash", () =>
  expect(findLeakedKeys(hash)).toMatchObject({ hashes: [{ hash, ofItself: sha256Hex(hash) }], words: [] }));

it.each([
  (k: string) => `{"management_key":"${k}"}`,
  (k: string) => JSON.stringify({ level: 30, msg: JSON.stringify({ management_key: k }) }),
  (k: string) => `["${k}"]`,
  (k: string) => `{token:${k}}`,
  (k: string) => `http://host/?key=${encodeURIComponent(k)}`,
  (k: string) => `https://user:${k}@host/x`,
  (k: string) => `key=${k}&x=1`,
  (k: string) => `--set=managementKey=${k}`,
  (k: string) => `KEY=${k};export KEY`,
  (k: string) => `<key>${k}</key>`,
  (k: string) => `**${k}**`,
  (k: string) => `a|${k}|b`,
  (k: string) => `/v1/${k}/keys`,
  (k: string) => `“${k}”`,
  (k: string) => `{"log":"token\\n${k}\\n","url":"http:\\/\\/host"}`,
  (k: string) => `{"own":"${key}","management":"${k}"}`,
])("a management key of a form of its own is found in the form %s", (form) => {
  for (const one of [free, "9f8b9e2c7a".repeat(5), `gatehouse-${hash}`])
    expect(findLeakedKeys(form(one)).words).toContain(sha256Hex(one));
});

it("a management key of its own form is found among much else, of which a thousand words are looked at, at once", () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `{"time":${at},"path":"/api/v1/keys","status":200}`);
  expect(findLeakedKeys(`${lines.join("\n")} {"token":"${free}"}`).words).toContain(sha256Hex(free));
  const began = threadCpuUsage();
  expect(findLeakedKeys("q0G/8Zk+".repeat(30_000)).partly).toBe(true);
  // Of work, in microseconds, whoever else works beside it.
  expect(threadCpuUsage(began).user).toBeLessThan(10_000_000);
  const text = Array.from({ length: 1_100 }, (_, at) => `${at}`.padStart(32, "w")).join(" ");
  expect(findLeakedKeys(text)).toMatchObject({ words: { length: 1_000 }, partly: true });
});
