import { expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";

const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const id = "00000000-0000-4000-8000-000000000000";

describeGateway("a value that only the store would refuse", (gateway) => {
  it.each([
    ["audit", "infinity", id],
    ["audit", "2026-99-01T00:00:00Z", id],
    ["audit", "2026-02-30T00:00:00Z", id],
    ["audit", "0000-01-01T00:00:00Z", id],
    ["generations", "-infinity", "gen-1"],
    ["generations", "2026-01-01T99:00:00Z", "gen-1"],
  ])("in a forged cursor of %s, %s: 400", async (list, at, tie) => {
    expectError(await gateway().call("GET", `/${list}?cursor=${cursor(list, at, tie)}`), "invalid_request", /cursor/);
  });

  it("in a cursor of keys: 400, while keys without an expiry have their place in the list", async () => {
    for (let count = 0; count < 3; count += 1) await makeKey(gateway());
    const list = async (query: string) => await gateway().call("GET", `/keys?sort=expires_at&limit=1&${query}`);
    const hash = "a".repeat(64);
    expectError(
      await list(`cursor=${cursor("keys:expires_at:desc", "2026-13-01 00:00:00+00", hash, hash)}`),
      "invalid_request",
      /cursor/,
    );
    const first = await list("");
    expect((await list(`cursor=${first.json.next_cursor}`)).json.data).toHaveLength(1);
  });

  it.each(["\u202eevil", "\u001b[31mred", "a\u0007b", "\u2066a", "Te\u00adam"])("in a name, %j: 400", async (name) => {
    for (const path of ["/keys", "/workspaces"]) {
      const refused = await gateway().call("POST", path, {
        body: { name, ...(path === "/workspaces" && { slug: "a" }) },
      });
      expectError(refused, "invalid_request", /^name must contain a visible character, and no control/);
    }
  });

  it("keeps names of any script", async () => {
    for (const name of ["שלום עולם", "مرحبا", "日本語", "👩‍👩‍👧 family", "naïve"]) {
      expect((await gateway().call("POST", "/keys", { body: { name } })).json.data.name).toBe(name);
    }
  });
});
