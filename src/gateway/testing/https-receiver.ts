import { createServer } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";

/** Of 127.0.0.1 alone, until the year 2126; no program but a test trusts it. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmTCCAUCgAwIBAgIUQaS4fln/gJi/yjkcl/nx3ETxfTowCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOZ2F0ZWhvdXNlIHRlc3QwIBcNMjYxMTI2MTUzMTEzWhgPMjEy
NjExMDIxNTMxMTNaMBkxFzAVBgNVBAMMDmdhdGVob3VzZSB0ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEhiSJzuggaTVxQbUk+a3XkrMjOaPOibYQs1dDJtH5
DTMi1bEToN5v8HYN5lj9MnDnHiuej17Wf2CfB804eoVD5qNkMGIwHQYDVR0OBBYE
FDPLIZ2vrmnvtxFl51rT4YMFyhf3MB8GA1UdIwQYMBaAFDPLIZ2vrmnvtxFl51rT
4YMFyhf3MA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjO
PQQDAgNHADBEAiBMye8U91AHyHdS2MJctKWQXUDUSM53F6GeMwISAqMtugIgOND+
BLRlSyG5NbGSdtpIdX81baLeW1FLMGadKxFrHLU=
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPk1P8Iy7viAzhUim
WaFHJ9lg8P//UaHvVC6d8QgNkN6hRANCAASGJInO6CBpNXFBtST5rdeSsyM5o86J
thCzV0Mm0fkNMyLVsROg3m/wdg3mWP0ycOceK56PXtZ/YJ8HzTh6hUPm
-----END PRIVATE KEY-----
`;

export interface HttpsReceiver {
  readonly url: string;
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** what it answers from now on */
  status: number;
  body: string;
  /** it takes requests and does not answer */
  isSilent: boolean;
  close(): Promise<void>;
}

/** A program that is told something over https, which this process trusts. */
export async function startHttpsReceiver(): Promise<HttpsReceiver> {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), cert]);
  const server = createServer({ cert, key }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => void pieces.push(piece));
    request.on("end", () => {
      receiver.received.push({ headers: request.headers, body: Buffer.concat(pieces).toString("utf8") });
      if (receiver.isSilent) return;
      response.writeHead(receiver.status, { location: "https://127.0.0.1:9/elsewhere" }).end(receiver.body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const receiver: HttpsReceiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    received: [],
    status: 204,
    body: "",
    isSilent: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return receiver;
}
