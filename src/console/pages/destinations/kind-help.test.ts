import { describe, expect, it } from "vitest";
import { allKinds, formMembers } from "./kinds.ts";
import { keyHelp, placeholderOf } from "./kind-help.ts";

describe.each(allKinds)("%s", (kind) => {
  const fields = formMembers(kind).filter(([, { form }]) => form !== "headers" && form !== "choice");

  it("says where its key is found, and links to the vendor's page", () => {
    const { where, page, pageTitle } = keyHelp(kind);
    expect(where).toMatch(/^[A-Z].{20,170}\.$/);
    expect(new URL(page).protocol).toBe("https:");
    expect(pageTitle).toMatch(/^[A-Z]/);
  });

  it("has an example for every field", () =>
    expect(fields.filter(([name, member]) => !placeholderOf(kind, name, member)).map(([name]) => name)).toEqual([]));

  it("has examples that would do, and none that passes for a secret", () => {
    for (const [name, member] of fields) {
      const example = placeholderOf(kind, name, member) ?? "";
      if (member.secret) expect(example, name).toContain("…");
      else if (member.form === "url" || member.form === "host") expect(new URL(example).pathname, name).toBeTruthy();
      else expect(example, name).toMatch(member.pattern?.test ?? /^[^…]+$/);
    }
  });
});
