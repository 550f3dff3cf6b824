import { expect, it } from "vitest";
import { callText } from "./api-call.ts";
import { createBody, newDraft } from "./draft.ts";

it("shows a call with a name in the place of each secret", () => {
  const fresh = newDraft("langfuse");
  const typed = (text: string) => ({ state: "typed", text }) as const;
  const draft = {
    ...fresh,
    config: {
      ...fresh.config,
      publicKey: "pk-lf",
      secretKey: typed("sk-canary"),
      headers: [{ name: "X-Team", value: typed("canary-too") }],
    },
  };
  const text = callText("POST", "/observability/destinations", createBody("langfuse", draft, undefined), draft);
  expect(text).toContain('"secretKey": "$SECRET_KEY"');
  expect(text).toContain('"X-Team": "$X_TEAM"');
  expect(text).toContain("pk-lf");
  expect(text).not.toContain("canary");
});
