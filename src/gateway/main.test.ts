import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { call, command, manage } from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess, unoptimized } from "./testing/process.ts";
import "./testing/vitest-setup.ts";

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-main-"));
  env = { GATEHOUSE_DATA_DIR: folder };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a data folder, from its first start on", () => {
  const secret = "sk-vendor-0123456789";
  const keyFile = () => join(folder, "secret.key");
  const keysInFile = async () => (await readFile(keyFile(), "utf8")).trim().split("\n");
  let vendor: FakeVendor;
  let gateway: RunningGateway;
  let managementKey = "";
  let secondKey = "";
  const start = async (more: Parameters<typeof startGatewayProcess>[0]) => {
    const started = await startGatewayProcess({ ...more, dataDir: folder });
    gateway = { ...started, managementKey };
  };
  const providers = async () =>
    (await manage(gateway, "GET", "/provider-settings")).data as unknown as {
      slug: string;
      api_key: string | null;
      models: { id: string }[];
    }[];
  beforeAll(async () => {
    vendor = await startFakeVendor({ apiKey: secret });
    const vendorKeys = { OPENAI_API_KEY: "sk-openai-0123456789", COHERE_API_KEY: "co-0123456789abcdef" };
    await start({ npm: true, env: { GATEHOUSE_MANAGEMENT_KEY: undefined, ...vendorKeys } });
    managementKey = /sk-gh-mgmt-v1-\w+/.exec(gateway.printed())?.[0] ?? "none";
    gateway = { ...gateway, managementKey };
  });
  afterAll(async () => {
    await gateway.stop();
    await vendor.close();
  });

  it("shows a management key and a sign-in link, and both work", async () => {
    const token = /\/sign-in#token=(\S+)/.exec(gateway.printed())?.[1];
    expect((await manage(gateway, "POST", "/keys", { name: "made just before" })).status).toBe(201);
    expect((await manage(gateway, "POST", "/session", { sign_in_token: token })).status).toBe(201);
  });

  it("keeps the folder to itself", async () => {
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toContain("secret.key");
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  });

  it("adds a provider for each vendor whose key is in the environment", async () => {
    const added = await providers();
    expect(added.map(({ slug, api_key }) => [slug, api_key])).toEqual([
      ["gatehouse", null],
      ["cohere", "co-0...cdef"],
      ["openai", "sk-o...6789"],
    ]);
    expect(added[2]?.models.map(({ id }) => id)).toContain("openai/text-embedding-3-small");
  });

  it("is refused to every other process, in a line", async () => {
    const second = await command([], { ...env, PORT: "0" });
    expect([second.code, second.err.split("\n").length]).toEqual([1, 2]);
    expect(second.err).toContain(`The data folder ${folder} is in use by another Gatehouse process.`);
    for (const words of ["verify", "prune --before 2020-01-01", "rotate-secret-key"]) {
      const { code, out, err } = await command(words.split(" "), env);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/this command needs exclusive access\. Stop the gateway, run the command/);
    }
  });

  it("is let go when npm start is told to end, which ends when the gateway has ended", async () => {
    const acme = { slug: "acme", name: "Acme", kind: "openai-compatible", base_url: vendor.baseUrl, api_key: secret };
    expect((await manage(gateway, "POST", "/providers", acme)).status).toBe(201);
    await manage(gateway, "DELETE", "/providers/cohere");
    await gateway.stop("SIGTERM");
    expect(gateway.process.exitCode).toBe(0);
    expect(gateway.printed()).toContain('"msg":"stopped"');
    await expect(fetch(gateway.url)).rejects.toThrow("fetch failed");
  });

  it("has its secrets encrypted with a new key by rotate-secret-key", async () => {
    const before = await keysInFile();
    expect(await command(["rotate-secret-key"], env)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^2 stored secrets/),
    });
    const after = await keysInFile();
    expect(after).toEqual([expect.any(String), ...before]);
    // The new one alone opens them from now on.
    await writeFile(keyFile(), `${after[0]}\n`);
  });

  it("gets one more management key from the command, which prints nothing else", async () => {
    const { code, out } = await command(["management-key", "--name", "second admin"], env);
    expect([code, out]).toEqual([0, expect.stringMatching(/^sk-gh-mgmt-v1-\w+\n$/)]);
    secondKey = out.trim();
  });

  it("has everything at the second start, which shows no secret and says which optional package is missing", async () => {
    const gone = `import Module from "node:module"; const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) => {
        if (name.startsWith("@energetic-ai/")) throw new Error("not installed");
        return resolve.call(Module, name, ...rest);
      };`;
    await start({
      nodeArguments: [unoptimized, "--import", `data:text/javascript,${encodeURIComponent(gone)}`],
      env: {
        GATEHOUSE_MANAGEMENT_KEY: undefined,
        COHERE_API_KEY: "co-0123456789abcdef",
        MISTRAL_API_KEY: "m-01234567",
      },
    });
    expect(gateway.printed()).not.toMatch(/sk-gh-|token=/);
    const ofModel = () =>
      gateway
        .printed()
        .split("\n")
        .filter((line) => line.includes("gatehouse/semantic-en"));
    const missing = /^The model gatehouse\/semantic-en is not there: the optional package .* is not installed/;
    await expect.poll(ofModel).toEqual([expect.stringMatching(missing)]);
    expect((await call(gateway, secondKey, "/key")).status).toBe(200);
    expect((await call(gateway, managementKey, "/keys")).text).toContain("made just before");
    // What was deleted does not come back, nor does a later key of a vendor add anything.
    expect((await providers()).map(({ slug }) => slug)).toEqual(["gatehouse", "acme", "openai"]);
    expect(await manage(gateway, "POST", "/providers/acme/test")).toMatchObject({ data: { ok: true } });
  });
});

describe("a command", () => {
  let database: { url: string; drop(): Promise<void> };
  const run = (words: string, more: Record<string, string> = {}) =>
    command(words.split(" "), { ...env, DATABASE_URL: database.url, ...more });
  beforeAll(async () => {
    database = await createDatabase(inject("postgresUrl"));
  });
  afterAll(() => database.drop());

  it("migrate prepares a store and ends", async () => {
    const out = expect.stringMatching(/^The postgres store is at version \d[^\n]*\n$/);
    expect(await run("migrate")).toMatchObject({ code: 0, out });
  });

  it("recount says that no limit is ahead of the clock", async () => {
    const out = expect.stringMatching(/^No limit is ahead of this machine's clock \(\d{4}-.*Z\)\.\n$/);
    expect(await run("recount")).toMatchObject({ code: 0, out });
  });

  it("sign-in-link prints a link that works once", async () => {
    const out = expect.stringMatching(/^http:\/\/127\.0\.0\.1:8787\/sign-in#token=\S{43}\n$/);
    expect(await run("sign-in-link")).toMatchObject({ code: 0, out });
  });

  it("management-keys lists them, and delete-management-key deletes exactly the one that is named", async () => {
    await run("management-key --name one");
    const key = (await run("management-key --name other")).out.trim();
    const listed = (await run("management-keys")).out;
    const [hash = ""] =
      listed
        .split("\n")
        .find((line) => line.endsWith("other"))
        ?.split(" ") ?? [];
    expect(listed).not.toContain(key);
    expect((await run("delete-management-key")).err).toBe("Say which key with --key, as management-keys lists them.\n");
    expect((await run("delete-management-key --key nobody")).err).toMatch(/^No management key has the hash or label/);
    expect((await run(`delete-management-key --key ${hash.slice(0, 12)}`)).out).toMatch(/^Deleted .* \(other\)\./);
    expect((await run("management-keys")).out).not.toContain(hash);
  });

  it("prune exports to a new file that nobody else may read, and asks for a day that is over", async () => {
    const before = "prune --before 2020-01-01";
    const file = join(folder, "calls.jsonl");
    const out = expect.stringContaining(`Deleted 0 calls from before 2020-01-01. They are in ${file}.`);
    expect(await run(`${before} --export ${file}`)).toMatchObject({ code: 0, out });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const [words, said] of [
      [`${before} --export ${file}`, `${file} exists already: name a new file with --export.`],
      ["prune --before 2020-02-30", "such as --before 2026-07-01"],
      ["prune --before 9999-01-01", "the latest date for --before is"],
    ] as const) {
      expect(await run(words)).toMatchObject({ code: 1, out: "", err: expect.stringContaining(said) });
    }
  });

  it("that is unknown is refused with those there are", async () => {
    const err = expect.stringMatching(/^"dance" is not a command\.\n[\s\S]*serve/);
    expect(await run("dance")).toEqual({ code: 1, out: "", err });
  });

  it("with wrong settings is refused, each by its name, without a stack", async () => {
    const { code, err } = await run("serve", { PORT: "http", GATEHOUSE_SECRET_KEY: "short-secret" });
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([
      "Gatehouse cannot start with these settings:",
      expect.stringMatching(/^PORT must be a whole number from 0 to 65535; not "http"$/),
      expect.stringMatching(/^GATEHOUSE_SECRET_KEY must be (?!.*short-secret)/),
    ]);
  });

  it("serve says in a line that the port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const said = `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set PORT to another one.\n`;
    expect(await run("serve", { PORT: `${port}`, GATEHOUSE_LOG_LEVEL: "silent" })).toEqual({
      code: 1,
      out: "",
      err: said,
    });
    other.close();
  });

  it("says in a line that the database does not answer, without its password", async () => {
    const { code, err } = await run("serve", { DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/db" });
    expect(code).toBe(1);
    expect(err).toMatch(/127\.0\.0\.1:1/);
    expect(err).not.toMatch(/hunter2| {4}at /);
  });
});

describe("the program", () => {
  const setUp = ["--import", new URL("../../setup/compile-cache.js", import.meta.url).href];
  const program = fileURLToPath(new URL("main.ts", import.meta.url));
  /** Runs it to its end. */
  const run = (command: string, more: Record<string, string> = {}) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      // The OpenAPI document has more than the megabyte that is read by default.
      const options = { maxBuffer: 16_000_000, env: { PATH: process.env["PATH"], ...env, ...more } };
      const child = execFile(process.execPath, [...setUp, program, command], options, (_, out, err) =>
        resolve({ code: child.exitCode, out, err }),
      );
    });

  it("prints what a command prints, all of it, and ends with 0", async () => {
    const { code, out, err } = await run("openapi");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ openapi: "3.1.0" });
  });

  it("prints on standard error what is wrong, and ends with 1", async () => {
    expect(await run("openapi", { PORT: "http" })).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^Gatehouse cannot start with these settings:\nPORT must be [^\n]*\n$/),
    });
  });
});
