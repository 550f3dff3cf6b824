import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { api } from "./api.ts";
import { list } from "./list.ts";

describe("a list in a request", () => {
  const colors = list(z.enum(["red", "blue"]), { least: 1, most: 3 });

  it("that is too long is refused by its length alone", () => {
    expect(z.safeParse(colors, ["red", "blue"]).success).toBe(true);
    const { error } = z.safeParse(z.object({ colors }), { colors: Array.from({ length: 400_000 }, () => 1) });
    expect(error?.issues.map(({ code, path }) => [code, path])).toEqual([["too_big", ["colors"]]]);
    expect(z.safeParse(colors, [1, 2]).error?.issues).toHaveLength(2);
    expect(z.safeParse(colors, []).error?.issues[0]?.code).toBe("too_small");
  });

  it("is looked at as a whole if it is not too long", () => {
    const together = { holds: (names: string[]) => new Set(names).size === names.length, message: "must be distinct" };
    const names = list(z.string(), { most: 2, together });
    expect(z.safeParse(names, ["a", "b"]).success).toBe(true);
    expect(z.safeParse(names, ["a", "a"]).error?.issues.map(({ message }) => message)).toEqual(["must be distinct"]);
    const { error } = z.safeParse(names, [null, null, null]);
    expect(error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
  });

  // Counted before the schema: the parts of a conversation, and the inputs to embed.
  const counted = ["messages", "messages.*.content", "input", "input.*", "input.*.content"];

  it.each(Object.values(api).flatMap((one) => (one.body === null ? [] : [[one.name, one.body] as const])))(
    "of %s has a maximum",
    (_, body) => expect(unbounded(body, "").filter((path) => !counted.includes(path))).toEqual([]),
  );
});

/** The paths of lists whose elements are looked at before their number is. */
function unbounded(schema: unknown, path: string, seen: ReadonlySet<unknown> = new Set()): string[] {
  if (seen.has(schema)) return [];
  const { _zod: internals } = schema as z.core.$ZodType;
  const { def, parse } = internals;
  const within = (inner: unknown, at = path) => unbounded(inner, at, new Set([...seen, schema]));
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const parts = def as unknown as Record<string, unknown>;
  if (def.type === "array") {
    const payload = { value: Array.from({ length: 100_001 }, () => Symbol("no element")), issues: [] };
    void parse(payload, {});
    return [...(payload.issues.length > 0 ? [path] : []), ...within(parts["element"], below("*"))];
  }
  if (def.type === "object")
    return Object.entries(parts["shape"] as object).flatMap(([name, inner]) => within(inner, below(name)));
  if (def.type === "union") return (parts["options"] as unknown[]).flatMap((inner) => within(inner));
  if (def.type === "record") return within(parts["valueType"], below("*"));
  if (def.type === "pipe") return [...within(parts["in"]), ...within(parts["out"])];
  return parts["innerType"] === undefined ? [] : within(parts["innerType"]);
}
