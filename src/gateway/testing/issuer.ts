import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWTPayload, SignJWT } from "jose";
import { type HttpsReceiver, startHttpsReceiver } from "./https-receiver.ts";

/** What issues tokens to workloads, such as a CI system: it publishes its keys over https. */
export interface Issuer {
  readonly server: HttpsReceiver;
  readonly issuer: string;
  readonly jwksUrl: string;
  /** makes a key and publishes it, in place of one of the same name; the alg is in the published key unless `isBare` */
  addKey(kid: string, alg: string, isBare?: boolean): Promise<void>;
  /** the published keys */
  keys(): object[];
  /** a token, signed with the key @param header further members of its header, of any type */
  sign(kid: string, claims: JWTPayload, header?: object): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const server = await startHttpsReceiver();
  const pairs = new Map<string, GenerateKeyPairResult & { alg: string }>();
  const published: { kid: string; use: string; alg?: string }[] = [];
  server.status = 200;
  server.body = JSON.stringify({ keys: published });
  return {
    server,
    issuer: new URL(server.url).origin,
    jwksUrl: server.url,
    async addKey(kid, alg, isBare = false) {
      const pair = await generateKeyPair(alg, { extractable: true });
      pairs.set(kid, { ...pair, alg });
      const before = published.findIndex((key) => key.kid === kid);
      if (before >= 0) published.splice(before, 1);
      published.push({ ...(await exportJWK(pair.publicKey)), kid, use: "sig", ...(isBare ? {} : { alg }) });
      server.body = JSON.stringify({ keys: published });
    },
    keys: () => published,
    async sign(kid, claims, header = {}) {
      const pair = pairs.get(kid);
      if (pair === undefined) throw new Error(`the issuer has no key ${kid}`);
      return await new SignJWT(claims).setProtectedHeader({ ...header, alg: pair.alg, kid }).sign(pair.privateKey);
    },
    close: () => server.close(),
  };
}
