import { expect, it } from "vitest";
import { callOfId, signedCallId } from "./signed-call-id.ts";

const signed = (signature: string) => ({ google: { thought_signature: signature } });

it.each(["AAAA", "AA==", "ab+/cd==", "Zm9vLWJhci0tc2lnLXg="])(
  "carries Google's signature %s there and back",
  (signature) => {
    const id = signedCallId({ id: "call_1", extra_content: signed(signature) });
    expect(id).toMatch(/^call_1--sig-[A-Za-z0-9_-]+$/);
    expect(callOfId(id)).toEqual({ id: "call_1", extra_content: signed(signature) });
  },
);

it("leaves the ids of other calls as they are", () => {
  expect(signedCallId({ id: "call_1" })).toBe("call_1");
  expect(signedCallId({ id: "call_1", extra_content: signed("not base64!") })).toBe("call_1");
  expect(signedCallId({}, "toolu_2")).toBe("toolu_2");
  expect(callOfId("call_1")).toEqual({ id: "call_1" });
  expect(callOfId(7)).toEqual({ id: 7 });
});
