import { describe, expect, it } from "vitest";
import { callBodyAad } from "../secrets/aad.ts";
import { createSecretBox, WrongSecretKey } from "../secrets/box.ts";
import { bodyIn, type CallWithBody, packBodies, unpackBlob } from "./store.ts";

const [old, current, foreign] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const secrets = createSecretBox([current]);
const [one, other] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];

function call(id: string, json: string, kept: Partial<CallWithBody["body"] & { workspaceId: string }> = {}) {
  const { workspaceId = one, forwarded = true, logged = false } = kept;
  return { id, workspaceId, createdAt: new Date("2026-11-21T12:00:00Z"), body: { json, forwarded, logged } };
}

/** What is in each blob, by call. */
const unpacked = (packed: ReturnType<typeof packBodies>) =>
  packed.blobs.map((blob) => [
    blob.workspace_id,
    Object.fromEntries(unpackBlob(secrets, blob.workspace_id, blob.sealed)),
  ]);

describe("packing bodies", () => {
  it("puts what destinations wait for into one blob, and what a workspace logs into a row of the call's own", () => {
    const packed = packBodies(secrets, [
      call("gen-1", '{"a":1}'),
      call("gen-2", '{"b":2}', { forwarded: false, logged: true }),
      call("gen-3", '{"c":3}', { logged: true }),
    ]);
    expect(unpacked(packed)).toEqual([[one, { "gen-1": '{"a":1}', "gen-3": '{"c":3}' }]]);
    const opened = packed.logged.map(({ id, sealed }) => `${id} ${secrets.open(sealed, callBodyAad(id))}`);
    expect(opened).toEqual(['gen-2 {"b":2}', 'gen-3 {"c":3}']);
    expect(packBodies(secrets, [])).toEqual({ blobs: [], logged: [] });
  });

  it("gives back what was put in, to the character, whatever it is", () => {
    const texts = ["", "\n", "日本語 🙂", "\u{1F600}".repeat(3), "half of a pair: \ud83d", '"],["gen-9",5]]\n'];
    const calls = texts.map((text, index) => call(`gen-${index}`, JSON.stringify({ input: [text] })));
    const [[, bodies] = []] = unpacked(packBodies(secrets, calls));
    expect(Object.values(bodies ?? {}).map((json) => bodyIn(json)?.input)).toEqual(texts.map((text) => [text]));
    expect(bodyIn(undefined)).toBeNull();
  });

  it("keeps workspaces apart, and numbers the blobs of a group", () => {
    const calls = [call("gen-1", "1"), call("gen-2", "2", { workspaceId: other }), call("gen-3", "3")];
    const packed = packBodies(secrets, calls);
    expect(Object.fromEntries(unpacked(packed))).toEqual({
      [one]: { "gen-1": "1", "gen-3": "3" },
      [other]: { "gen-2": "2" },
    });
    expect(packed.blobs.map(({ n }) => n)).toEqual([0, 1]);
    for (const { bytes, sealed } of packed.blobs) expect(bytes).toBe(sealed.length);
  });

  it("ends a blob with the body that takes it beyond a million characters", () => {
    const calls = [600_000, 400_000, 1, 1_000_001, 5].map((length, index) => call(`gen-${index}`, "x".repeat(length)));
    const ids = unpacked(packBodies(secrets, calls)).map(([, bodies]) => Object.keys(bodies as object));
    expect(ids).toEqual([["gen-0", "gen-1", "gen-2"], ["gen-3"], ["gen-4"]]);
  });
});

describe("a sealed body", () => {
  const { blobs, logged } = packBodies(secrets, [call("gen-1", "what was said", { logged: true })]);
  const blob = blobs[0]?.sealed ?? "";
  const row = logged[0]?.sealed ?? "";
  const tampered = (sealed: string, at: number) =>
    `${sealed.slice(0, at)}${sealed.charAt(at) === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;

  it("does not contain what was said", () => {
    expect(blob + row).not.toContain("said");
    expect(blob + row).not.toContain(Buffer.from("what was said").toString("base64url"));
  });

  it("opens with the key that sealed it, also when that is no longer the newest, and with no other", () => {
    expect(unpackBlob(createSecretBox([foreign, current]), one, blob).get("gen-1")).toBe("what was said");
    const wrong = () => unpackBlob(createSecretBox([foreign, old]), one, blob);
    expect(wrong).toThrow(WrongSecretKey);
    const why = `they were encrypted with the secret key ${secrets.mark.split(":")[1]}, which this gateway was not given`;
    expect(wrong).toThrow(expect.objectContaining({ why }));
  });

  it("opens for its own workspace and its own call alone", () => {
    expect(() => unpackBlob(secrets, other, blob)).toThrow(WrongSecretKey);
    expect(() => secrets.open(row, callBodyAad("gen-2"))).toThrow(WrongSecretKey);
    expect(() => unpackBlob(secrets, one, row)).toThrow(WrongSecretKey);
  });

  it.each(["nonce", "tag", "text", "key id", "version", "end"])("does not open when its %s was altered", (part) => {
    const begin = secrets.mark.length;
    const at = { nonce: begin, tag: begin + 20, text: begin + 45, "key id": 3, version: 0, end: -1 }[part] ?? 0;
    const altered = at === -1 ? blob.slice(0, -4) : tampered(blob, at);
    expect(altered).not.toBe(blob);
    expect(() => unpackBlob(secrets, one, altered)).toThrow(WrongSecretKey);
  });
});
