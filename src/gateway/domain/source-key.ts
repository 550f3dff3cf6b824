import { isIPv6 } from "node:net";

/** What failures of an address are counted under. A site has a whole IPv6 /64 (RFC 6177), so its addresses are one. */
export function sourceKey(source: string | null): string {
  if (source === null || !isIPv6(source)) return source ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(source)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = source.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
