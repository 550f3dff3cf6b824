/** What a broken connection means for the person who entered the address: the codes of Node, OpenSSL and undici. */
const meanings: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^ENOTFOUND$/, (host) => `No such host name: ${host}. Check its spelling`],
  [/^EAI_AGAIN$/, (host) => `DNS did not answer for ${host}. Try again`],
  [/^ECONNREFUSED$/, (host) => `Nothing is listening at ${host}. Check the port, and that the program is running`],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, (host) => `No route leads to ${host}. Check the network`],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, (host) => `${host} did not accept the connection in time`],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/,
    (host) => `That port of ${host} speaks plain HTTP. Use http instead of https`,
  ],
  [/^HPE_/, (host) => `What answers at ${host} does not speak HTTP. Check the port`],
  [/^CERT_HAS_EXPIRED$/, (host) => `The certificate of ${host} has expired`],
  [/ALTNAME_INVALID/, (host) => `The certificate at ${host} is for another host name`],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
    (host) => `The certificate of ${host} is not signed by an authority that this machine trusts`,
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, (host) => `${host} closed the connection before it answered`],
];

/** The same after an answer has begun. */
const meaningsMidway: typeof meanings = [
  [
    /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_(SOCKET|ABORTED|RES_CONTENT_LENGTH_MISMATCH)|ERR_STREAM_PREMATURE_CLOSE)$/,
    (host) => `${host} closed the connection in the middle of its answer`,
  ],
  [/^HPE_/, (host) => `What ${host} sent in the middle of its answer is not HTTP`],
];

/**
 * A sentence for a code; null where there is none, and the raw message has to do.
 * @param begun whether the headers of an answer had come
 */
export function connectionMessage(code: string | null, host: string, begun = false): string | null {
  if (code === null) return null;
  return (begun ? meaningsMidway : meanings).find(([pattern]) => pattern.test(code))?.[1](host) ?? null;
}
