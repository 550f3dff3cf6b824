import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../../node_modules/@electric-sql/pglite/dist/pglite.wasm", import.meta.url));

// The types of Node.js do not know it.
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } };

let held: Promise<object> | undefined;

/**
 * Keeps PGlite's program compiled for as long as this process lives: V8 shares a program's code among threads while one
 * of them has it, and otherwise each store compiles and optimizes the same functions again.
 */
export async function holdStoreProgram(): Promise<void> {
  held ??= readFile(file).then((bytes) => WebAssembly.compile(bytes));
  await held;
}
