import cluster from "node:cluster";
import { readConfig } from "./config.ts";
import { openAhead } from "./storage/embedded.ts";

// The embedded store is opened in a thread of its own: a start loads the program meanwhile. With arguments it is another
// command, which may not need the store.
if (process.argv.length === 2) await beginToOpen();
const { runCommand } = await import("./commands.ts");
const code = await runCommand(process.argv.slice(2));
if (code !== 0) process.exitCode = code;
// The channel to the supervisor would keep the process.
if (cluster.isWorker && code !== 0) process.exit();

async function beginToOpen(): Promise<void> {
  let settings;
  try {
    settings = readConfig(process.env);
  } catch {
    // The command says what is wrong with the settings.
    return;
  }
  if (settings.databaseUrl === null) await openAhead(settings.dataDir);
}
