import { describe, expect, it } from "vitest";
import { exchange } from "../testing/exchange.ts";
import { type DialectName, dialects, members, membersPage, partners, type ProviderName } from "../testing/members.ts";

const providers = Object.keys(partners) as ProviderName[];
const answer = { status: 500, pieces: ["{}"] };

async function sentFor(dialect: DialectName, provider: ProviderName, more: object) {
  const { form, plain } = dialects[dialect];
  const { sent, refusal } = await exchange(form, { ...plain, ...more }, answer, partners[provider]);
  return { sent: sent[0] === undefined ? null : JSON.parse(sent[0].body), message: refusal?.message ?? "" };
}

/** What is at a path such as `messages.0.content`. */
const at = (value: unknown, path: string) =>
  path.split(".").reduce((held, name) => (held as Record<string, unknown> | undefined)?.[name], value);

describe.each(Object.keys(members) as DialectName[])("a request of %s", (dialect) => {
  it.each(members[dialect].map((row) => [row.member, row] as const))("%s", async (_, { example, without = {}, to }) => {
    for (const provider of providers) {
      const outcome = to[provider];
      const { sent, message } = await sentFor(dialect, provider, example);
      if (typeof outcome === "string" && outcome.startsWith("refused: ")) {
        expect([provider, sent], message).toEqual([provider, null]);
        expect(message).toContain(outcome.slice("refused: ".length).replace(/^no /, ""));
      } else if (outcome === "carried") expect(sent, provider).toMatchObject(example);
      else if (typeof outcome === "string") {
        expect(outcome).toMatch(/^left out: ./);
        expect(sent, provider).toEqual((await sentFor(dialect, provider, without)).sent);
      } else {
        for (const [path, value] of Object.entries(outcome))
          expect(at(sent, path), `${provider}: ${path}`).toEqual(value);
      }
    }
  });
});

it("has a page in the docs", async () => {
  await expect(membersPage()).toMatchFileSnapshot("../../../docs/members.md");
});
