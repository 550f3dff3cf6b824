import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { chunkGroups } from "./setup/chunks.ts";
import { precompress } from "./setup/precompress.ts";

const gateway = `http://127.0.0.1:${process.env["PORT"] ?? "8787"}`;

export default defineConfig({
  // Relative, so that one build works under any GATEHOUSE_BASE_PATH; the gateway puts the base path into index.html.
  base: "./",
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    target: "es2023",
    // The first of each that knows light-dark(), which the tokens are written in; for older ones every colour is written out again.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: false,
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups } } },
  },
  worker: { format: "es" },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: gateway, changeOrigin: false } } },
  test: {
    projects: [
      { test: { name: "setup", include: ["setup/**/*.test.ts"] } },
      { test: { name: "contract", include: ["src/contract/**/*.test.ts"] } },
      {
        test: {
          name: "gateway",
          include: ["src/gateway/**/*.test.ts"],
          globalSetup: ["src/gateway/testing/vitest-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { name: "console", include: ["src/console/**/*.test.{ts,tsx}"] } },
    ],
  },
});
