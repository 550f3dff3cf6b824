import type { Config } from "./config.ts";
import type { FirstStart } from "./domain/instance/bootstrap.ts";
import { version } from "./version.ts";

/** Prints for people and scripts, on standard output, which the log never uses. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Tells of a step once it takes long, on standard error unless it says otherwise. */
export async function progress<T>(
  doing: string,
  work: () => Promise<T>,
  tell: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
): Promise<T> {
  const timer = setTimeout(() => tell(`${doing} …`), 700);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** The console's address with a trailing slash; `port` if the settings left it open. */
export function consoleUrl(config: Config, port = config.port): string {
  if (config.publicUrl !== null) return `${config.publicUrl.origin}${config.basePath}/`;
  const everywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = everywhere ? "127.0.0.1" : config.host.includes(":") ? `[${config.host}]` : config.host;
  return `http://${host}:${port}${config.basePath}/`;
}

/** What the program says once it listens. The secrets in it are printed here and nowhere else. */
export function startupMessage(
  console: string,
  listening: string,
  firstStart: FirstStart | null,
  built: boolean,
): string {
  const lines = [
    `Gatehouse ${version} listens on ${listening}`,
    built ? `Console  ${console}` : "Console  not built: start with `npm start`, which builds it",
    `API      ${console}api/v1`,
  ];
  if (firstStart !== null) {
    lines.push("", "This is the first start. The following is shown only once:");
    if (firstStart.managementKey !== null) lines.push(`Management key  ${firstStart.managementKey}`);
    lines.push(`Sign-in link    ${console}sign-in#token=${firstStart.signInToken}  (once, within 15 minutes)`);
  }
  return lines.join("\n");
}
