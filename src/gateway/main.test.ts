import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startGatewayProcess, unoptimized } from "./testing/process.ts";
import { putStore } from "./testing/store-template.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const compileCache = new URL("../../setup/compile-cache.js", import.meta.url).href;
const madeHere = { GATEHOUSE_MANAGEMENT_KEY: undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-main-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the program to its end. */
function run(arguments_: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    // The OpenAPI document has more than the megabyte that is read by default.
    const options = { maxBuffer: 16_000_000, env: { PATH: process.env["PATH"], GATEHOUSE_DATA_DIR: folder, ...env } };
    const child = execFile(
      process.execPath,
      [unoptimized, "--import", compileCache, main, ...arguments_],
      options,
      (_, out, err) => {
        resolve({ code: child.exitCode, out, err });
      },
    );
  });
}

describe("serve", () => {
  it("shows a management key and a sign-in link on the first start only, and both work", async () => {
    const first = await startGatewayProcess({ dataDir: folder, env: madeHere });
    const key = /sk-gh-mgmt-v1-\w+/.exec(first.printed())?.[0];
    const token = /\/sign-in#token=(\S+)/.exec(first.printed())?.[1];
    const authorization = `Bearer ${key}`;
    expect((await fetch(`${first.url}/api/v1/keys`, { headers: { authorization } })).status).toBe(200);
    const signIn = await fetch(`${first.url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sign_in_token: token }),
    });
    expect(signIn.status).toBe(201);
    await first.stop();

    const second = await startGatewayProcess({ dataDir: folder, env: madeHere });
    expect(second.printed()).not.toMatch(/sk-gh-|token=/);
    expect((await fetch(`${second.url}/api/v1/keys`, { headers: { authorization } })).status).toBe(200);
    await second.stop();
  });

  it("keeps its folder to itself", async () => {
    const gateway = await startGatewayProcess({ dataDir: folder });
    await gateway.stop();
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toContain("secret.key");
    expect((await stat(join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
  });

  it("ends by itself when it is told to, with everything in the store", async () => {
    await putStore(folder);
    const gateway = await startGatewayProcess({ dataDir: folder });
    const headers = { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "made just before" });
    expect((await fetch(`${gateway.url}/api/v1/keys`, { method: "POST", headers, body })).status).toBe(201);
    await gateway.stop("SIGTERM");
    expect(gateway.process.exitCode).toBe(0);
    const again = await startGatewayProcess({
      dataDir: folder,
      env: { GATEHOUSE_MANAGEMENT_KEY: gateway.managementKey },
    });
    expect(await (await fetch(`${again.url}/api/v1/keys`, { headers })).text()).toContain("made just before");
    await again.stop();
  });

  it("refuses wrong settings, each by its name, without a stack", async () => {
    const { code, err } = await run([], { PORT: "http", GATEHOUSE_SECRET_KEY: "short-secret" });
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([
      "Gatehouse cannot start with these settings:",
      expect.stringMatching(/^PORT must be a whole number from 0 to 65535; not "http"$/),
      expect.stringMatching(/^GATEHOUSE_SECRET_KEY must be (?!.*short-secret)/),
    ]);
  });

  it("says in a line that the port is in use", async () => {
    await putStore(folder);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await run([], { PORT: String(port), GATEHOUSE_LOG_LEVEL: "silent" });
    other.close();
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} on 127.0.0.1 is in use: stop what uses it, or set PORT to another one.\n`);
    expect(err).not.toContain("    at ");
  });

  it("says in a line that another process has the data folder", async () => {
    await putStore(folder);
    const gateway = await startGatewayProcess({ dataDir: folder });
    const { code, err } = await run([], { PORT: "0" });
    const verify = await run(["verify"]);
    await gateway.stop();
    expect(verify.err).toMatch(/this command needs exclusive access\. Stop the gateway, run the command/);
    expect([code, verify.code]).toEqual([1, 1]);
    expect(err).toContain(`The data folder ${folder} is in use by another Gatehouse process.`);
    expect(err).not.toContain("    at ");
  });

  it("says in a line that the database does not answer, without its password", async () => {
    const { code, err } = await run([], { DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/db" });
    expect(code).toBe(1);
    expect(err).toMatch(/127\.0\.0\.1:1/);
    expect(err).not.toMatch(/hunter2| {4}at /);
  });
});

describe("the other commands", () => {
  it("recount says that no limit is ahead of the clock", async () => {
    await putStore(folder);
    const { code, out } = await run(["recount"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^No limit is ahead of this machine's clock \(\d{4}-.*Z\)\.\n$/);
  });

  it("openapi prints the description", async () => {
    const { code, out } = await run(["openapi"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ openapi: "3.1.0" });
  });

  it("migrate prepares a store and ends", async () => {
    const { code, out } = await run(["migrate"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^The embedded store is at version \d/)]);
  });

  it("management-key makes one more key, and sign-in-link a link that works once", async () => {
    await putStore(folder);
    const { out: key } = await run(["management-key", "--name", "second admin"]);
    expect(key).toMatch(/^sk-gh-mgmt-v1-\w+\n$/);
    const { out: link } = await run(["sign-in-link"]);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8787\/sign-in#token=\S{43}\n$/);
    const gateway = await startGatewayProcess({ dataDir: folder });
    const headers = { authorization: `Bearer ${key.trim()}` };
    expect((await fetch(`${gateway.url}/api/v1/key`, { headers })).status).toBe(200);
    await gateway.stop();
  });

  it("prune deletes beside nobody else, exports to a new file, and asks for a day that is over", async () => {
    await putStore(folder);
    const before = ["prune", "--before", "2020-01-01"];
    const file = join(folder, "calls.jsonl");
    const gateway = await startGatewayProcess({ dataDir: folder });
    const beside = await run(before);
    await gateway.stop();
    expect(beside).toMatchObject({ code: 1, out: "" });
    expect(await run([...before, "--export", file])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Deleted 0 calls from before 2020-01-01. They are in ${file}.`),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await run([...before, "--export", file])).err).toContain(
      `${file} exists already: name a new file with --export.`,
    );
    expect((await run(["prune", "--before", "2020-02-30"])).err).toContain("such as --before 2026-07-01");
    expect((await run(["prune", "--before", "9999-01-01"])).err).toContain("the latest date for --before is");
  });

  it("an unknown one is refused with those there are", async () => {
    const { code, err } = await run(["dance"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^"dance" is not a command\.\n[\s\S]*serve/);
  });
});
