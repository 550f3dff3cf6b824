/// <reference types="vitest/config" />
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkGroups } from "./setup/chunks.ts";
import { firstChunksInPage } from "./setup/first-chunks.ts";
import { precompress } from "./setup/precompress.ts";
import { ofEmbeddedStore, ofLongRun, ofPrograms, ofProcesses, onBothStores } from "./setup/test-files.ts";
import { withoutApiDocs } from "./setup/without-api-docs.ts";

const gateway = `http://127.0.0.1:${process.env["PORT"] ?? "8787"}`;

/** A busy machine with two cores takes half a minute to make a store, and may do nothing else for a while. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };
/** Several runs make up `npm test`; each but the first finds its modules transformed. */
const transformedOnce = {
  fsModuleCache: true,
  fsModuleCachePath: fileURLToPath(new URL(".cache/vitest", import.meta.url)),
};
const common = { ...patient, ...transformedOnce, setupFiles: ["setup/file-time.ts"] };
const withPostgres = { globalSetup: ["src/gateway/testing/vitest-setup.ts"] };

export default defineConfig({
  // Relative, so that one build works under any GATEHOUSE_BASE_PATH; the gateway puts the base path into index.html.
  base: "./",
  plugins: [react(), tailwindcss(), withoutApiDocs(), firstChunksInPage(), precompress()],
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    target: "es2023",
    // The first of each that knows light-dark(), which the tokens are written in; for older ones every color is written out again.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: false,
    assetsInlineLimit: 0,
    // every browser that the styles are for knows modulepreload
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups } } },
  },
  worker: { format: "es" },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: gateway, changeOrigin: false } } },
  test: {
    // Twice as many as there are cores: the tests wait for half of their time. Nothing else runs meanwhile.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      { test: { name: "setup", include: ["setup/**/*.test.ts"], ...common } },
      // Without a module graph for each file: these tests leave nothing behind, and loading took longer than some of them.
      { test: { name: "contract", isolate: false, include: ["src/contract/**/*.test.ts"], ...common } },
      {
        test: {
          name: "gateway",
          isolate: false,
          include: ["src/gateway/**/*.test.ts"],
          exclude: [...ofProcesses, ...ofLongRun, ...ofPrograms, ...ofEmbeddedStore],
          ...withPostgres,
          ...common,
        },
      },
      {
        test: {
          name: "engine",
          isolate: false,
          include: [...ofEmbeddedStore, ...onBothStores],
          env: { GATEHOUSE_TEST_ENGINE: "embedded" },
          ...withPostgres,
          ...common,
        },
      },
      {
        test: {
          name: "processes",
          include: ofProcesses,
          ...withPostgres,
          ...common,
          testTimeout: 3_600_000,
        },
      },
      { test: { name: "programs", include: ofPrograms, ...withPostgres, ...common } },
      {
        extends: true,
        test: { name: "console", isolate: false, include: ["src/console/**/*.test.{ts,tsx}"], ...common },
      },
    ],
  },
});
