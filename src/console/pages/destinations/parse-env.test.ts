import { expect, it } from "vitest";
import { formMembers } from "./kinds.ts";
import { parseEnv } from "./parse-env.ts";

const texts = (text: string, kind: Parameters<typeof formMembers>[0] = "langfuse") =>
  Object.fromEntries(Object.entries(parseEnv(text, formMembers(kind))).map(([name, { text: value }]) => [name, value]));

it("recognises the lines of an environment file", () => {
  expect(texts('LANGFUSE_SECRET_KEY="sk-lf-1"\nexport LANGFUSE_PUBLIC_KEY=pk-lf-1\nOTHER=x\n')).toEqual({
    secretKey: "sk-lf-1",
    publicKey: "pk-lf-1",
  });
  expect(texts("AWS_ACCESS_KEY_ID=AK\nAWS_SECRET_ACCESS_KEY=SK\nAWS_REGION='eu-west-1'", "s3")).toEqual({
    accessKeyId: "AK",
    secretAccessKey: "SK",
    region: "eu-west-1",
  });
});

it("recognises an object of JSON", () =>
  expect(texts('{"baseUrl": "https://l.example.com", "secretKey": "sk", "n": 1}')).toEqual({
    baseUrl: "https://l.example.com",
    secretKey: "sk",
  }));

it("takes one value, a sentence or broken JSON for what they are", () => {
  for (const text of ["sk-lf-1", "SECRET_KEY=sk-lf-1", '{"secretKey": ', "a = b"]) expect(texts(text)).toEqual({});
});
