import { formatBytes, formatCount } from "../../format.ts";
import { smallerSide, type ImageFile, type ImagePart } from "./blocks.ts";

/** What a picture is and what of it is sent: type, size, bytes, and the bytes of the other choice. */
export function imageLabel({ sent, whole, reduced }: ImagePart, shrink: boolean): string {
  if (sent === null || whole === null)
    return "Fetched by the provider with the call. Not previewed: this page loads nothing from other servers.";
  const side = `${formatCount(smallerSide)} px`;
  if (sent === reduced) return `${sizeOf(sent)}, ${formatBytes(whole.bytes)} made ${formatBytes(sent.bytes)}`;
  const own = `${sizeOf(sent)}, ${formatBytes(sent.bytes)}, sent with the call`;
  if (reduced === null) return own;
  return shrink
    ? `${own} as it is: at ${side} it would be ${formatBytes(reduced.bytes)}`
    : `${own}; at ${side} it would be ${formatBytes(reduced.bytes)}`;
}

const sizeOf = ({ type, width, height }: ImageFile) =>
  `${type.replace(/^image\//, "").toUpperCase()}, ${formatCount(width)} × ${formatCount(height)}`;
