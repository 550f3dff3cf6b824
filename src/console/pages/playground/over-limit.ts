import { counted, formatCount } from "../../format.ts";
import { cutAt } from "../../vectors/tokens.ts";

const around = 24;

/** What is said of a text that is longer than its model takes, and where about it would be cut. */
export function overLimit(
  text: string,
  tokens: number,
  limit: number | null,
  cut: boolean,
): { short: string; long: string } | null {
  if (limit === null || tokens <= limit) return null;
  const at = cutAt(text, limit);
  const over = formatCount(tokens - limit);
  const where = `“…${text.slice(Math.max(0, at - around), at)} ┃ ${text.slice(at, at + around)}…”`;
  return cut
    ? {
        short: `last ≈ ${over} cut`,
        long: `Cut after about token ${formatCount(limit)}, the last ≈ ${counted(tokens - limit, "token is", "tokens are")} ignored: ${where}`,
      }
    : {
        short: `≈ ${over} too many`,
        long: `About ${counted(tokens - limit, "token")} too many; what fits ends here: ${where}`,
      };
}
