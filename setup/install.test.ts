import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isInstalled } from "./install.js";

const wanted = {
  packages: {
    "": { version: "0.1.0" },
    "node_modules/fastify": { version: "5.12.8" },
    "node_modules/for-another-platform": { version: "1.0.0", optional: true },
    "node_modules/vitest": { version: "5.1.1", dev: true },
  },
};
const fastify = { "node_modules/fastify": { version: "5.12.8" } };
const vitest = { "node_modules/vitest": { version: "5.1.1" } };
const otherFastify = { "node_modules/fastify": { version: "5.12.7" } };
const otherOptional = { "node_modules/for-another-platform": { version: "0.9.0", optional: true } };

it.each([
  [true, "every package of this platform, in the wanted version", { ...fastify, ...vitest }, false],
  [false, "a package missing", vitest, false],
  [false, "another version of a package", { ...otherFastify, ...vitest }, false],
  [false, "another version of an optional package", { ...fastify, ...vitest, ...otherOptional }, false],
  // where the gateway only runs, no package for development is needed
  [true, "what runs, to run", fastify, true],
  [false, "what runs, for development", fastify, false],
  [false, "what is for development, to run", vitest, true],
])("an installation is satisfied: %s, with %s", (satisfied, _, packages, onlyRuns) =>
  expect(isInstalled(wanted, { packages }, onlyRuns)).toBe(satisfied),
);

interface Entry {
  integrity?: string;
  inBundle?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, Entry>;
};

it("package-lock.json has every package that anything may install, those of other platforms included", () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.devDependencies })
      .filter((name) => !placesFor(path, name).some((place) => place in packages))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});

it("package-lock.json has a hash for each, but for those that are inside another one's archive", () => {
  const unhashed = Object.entries(packages).filter(
    ([path, entry]) => path !== "" && entry.inBundle !== true && !entry.integrity?.startsWith("sha512-"),
  );
  expect(unhashed.map(([path]) => path)).toEqual([]);
});

it("package-lock.json pins every direct dependency to one version", () => {
  const { dependencies, devDependencies, optionalDependencies } = packages[""] ?? {};
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(direct.filter(([, range]) => !/^(npm:.*@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))).toEqual([]);
});

/** Where a package may lie that the one at `path` asks for: inside it, or beside any package that it lies in. */
function placesFor(path: string, name: string): string[] {
  const inside = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  const parent = path.includes("/node_modules/") ? path.slice(0, path.lastIndexOf("/node_modules/")) : "";
  return path === "" ? [inside] : [inside, ...placesFor(parent, name)];
}
