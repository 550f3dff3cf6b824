import { expect, it } from "vitest";
import { isInstalled } from "./install.js";

const wanted = {
  packages: {
    "": { version: "0.1.0" },
    "node_modules/fastify": { version: "5.12.8" },
    "node_modules/for-another-platform": { version: "1.0.0", optional: true },
  },
};
const fastify = { "node_modules/fastify": { version: "5.12.8" } };

it("is satisfied with every package of this platform, in the wanted version", () => {
  expect(isInstalled(wanted, { packages: fastify })).toBe(true);
});

it("is not satisfied with a missing package, or another version of one", () => {
  expect(isInstalled(wanted, { packages: {} })).toBe(false);
  expect(isInstalled(wanted, { packages: { "node_modules/fastify": { version: "5.12.7" } } })).toBe(false);
});

it("is not satisfied with another version of an optional package", () => {
  const other = { "node_modules/for-another-platform": { version: "0.9.0", optional: true } };
  expect(isInstalled(wanted, { packages: { ...fastify, ...other } })).toBe(false);
});
