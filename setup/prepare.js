// Runs on whatever Node.js the machine has, before anything is installed: plain JavaScript, no dependencies.
// Usage: node setup/prepare.js start | dev | test
const oldest = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Gatehouse needs Node.js ${oldest.join(".")} or later to set itself up; this is ${process.version}.`);
  console.error("Install a current Node.js (https://nodejs.org), then run the same command again.");
  process.exit(1);
}

const purpose = process.argv[2] ?? "start";
try {
  const { ensureInstalled } = await import("./install.js");
  await ensureInstalled(purpose === "start");
  if (purpose === "start") {
    const { ensureConsole } = await import("./console.js");
    await ensureConsole();
    const { ensureEmptyStore } = await import("./empty-store.js");
    await ensureEmptyStore();
  }
  if (purpose === "test") {
    const { ensureBrowser } = await import("./browser.js");
    await ensureBrowser();
    const { ensureLocalModelPackage } = await import("./local-model.js");
    await ensureLocalModelPackage();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
