import { Agent, request as send } from "node:http";
import { basePath } from "#contract/api.ts";
import { patience } from "./eventually.ts";
import { createFuzzer, type FuzzRequest, type Known } from "./fuzz.ts";

export interface FuzzResult {
  /** how many answers had each status */
  readonly statuses: ReadonlyMap<number, number>;
  /** requests that were answered with what no request may be answered with, or not at all */
  readonly unexpected: readonly string[];
}

/** What a vendor's failure, or too much to do, may be answered with. */
const expected = new Set([502, 503, 524, 529]);
const parallel = 8;
const longestNoted = 600;
const hashes = /"hash":"([^"]+)"/g;

/** Sends `count` generated requests to a running gateway. */
export async function fuzz(url: string, managementKey: string, seed: number, count: number): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const known: Known = { ids: [] };
  const next = createFuzzer(seed, known);
  const statuses = new Map<number, number>();
  const unexpected: string[] = [];
  const held = { ordinary: "", cookie: "", token: "" };
  /** what the run itself needs: no request may name it, since that may disable or delete it */
  const own = new Set<string>();

  const ask = async (path: string, method: string, body: string | undefined, headers: Record<string, string>) =>
    await new Promise<{ status: number; text: string; cookie: string }>((resolve) => {
      let status = 0;
      const sent = send(`${url}${path}`, { method, agent, headers, timeout: patience }, (answer) => {
        status = answer.statusCode ?? 0;
        let text = "";
        answer.on("data", (piece: Buffer) => (text += text.length < 65_536 ? piece.toString() : ""));
        answer.on("close", () =>
          resolve({
            status,
            text,
            cookie: answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "",
          }),
        );
      });
      sent.on("timeout", () => sent.destroy());
      // An answer that came before the body was sent whole counts.
      sent.on("error", (error) => resolve({ status, text: String(error), cookie: "" }));
      sent.end(body);
    });

  /** Sessions and spent limits are among what the requests leave behind. @throws when the run's own key is gone */
  async function renew(): Promise<void> {
    const headers = { authorization: `Bearer ${managementKey}`, "content-type": "application/json" };
    const listed = await ask(`${basePath}/management-keys`, "GET", undefined, headers);
    if (own.size === 0) for (const [, hash = ""] of listed.text.matchAll(hashes)) own.add(hash);
    const made = await ask(`${basePath}/keys`, "POST", '{"name":"fuzz","limit":1}', headers);
    held.ordinary = /"key":"([^"]+)"/.exec(made.text)?.[1] ?? "";
    if (held.ordinary === "") throw new Error(`The run cannot make a key of its own any more: ${made.text}`);
    for (const [, hash = ""] of made.text.matchAll(hashes)) own.add(hash);
    const body = JSON.stringify({ management_key: managementKey });
    const signedIn = await ask(`${basePath}/session`, "POST", body, { "content-type": "application/json" });
    held.cookie = signedIn.cookie;
    held.token = /"csrf_token":"([^"]+)"/.exec(signedIn.text)?.[1] ?? "";
  }

  function headersOf({ as, body, headers }: FuzzRequest): Record<string, string> {
    const credential: Record<FuzzRequest["as"], Record<string, string>> = {
      nobody: {},
      ordinary: { authorization: `Bearer ${held.ordinary}` },
      management: { authorization: `Bearer ${managementKey}` },
      session: { cookie: held.cookie, "x-csrf-token": held.token },
    };
    return { ...(body === undefined ? {} : { "content-type": "application/json" }), ...credential[as], ...headers };
  }

  await renew();
  let sent = 0;
  async function work(): Promise<void> {
    while (sent < count) {
      sent += 1;
      if (sent % 200 === 0) await renew();
      for (const id of own) if (known.ids.includes(id)) known.ids.splice(known.ids.indexOf(id), 1);
      const request = next();
      const { status, text } = await ask(request.path, request.method, request.body, headersOf(request));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const id = /"(?:hash|id|slug)":"([^"]{1,80})"/.exec(text)?.[1];
      if (id !== undefined && !own.has(id) && !known.ids.includes(id)) known.ids.push(id);
      if (known.ids.length > 200) known.ids.shift();
      if (status !== 0 && (status < 500 || expected.has(status))) continue;
      const said = `${status} ${request.method} ${request.path} as ${request.as}: ${request.body ?? ""} -> ${text}`;
      unexpected.push(said.slice(0, longestNoted));
    }
  }
  await Promise.all(Array.from({ length: parallel }, work));
  agent.destroy();
  return { statuses, unexpected };
}
