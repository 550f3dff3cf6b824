import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/** What the worker is started with. */
export interface EmbeddedSettings {
  dataDir: string;
  socketPath: string;
}

export const extensions = { pg_trgm, btree_gin };

// PGlite starts with fsync off (-F). Without that flag and with this method the WAL is opened with O_SYNC,
// the one way to a durable commit that its file system layer passes on.
const durable = ["-c", "wal_sync_method=open_datasync"];
// There is no process that writes the log ahead of a commit: once its buffers are full, each further page is a write of
// its own that waits for the disk. The default, 512 kB, made 10,000 rows of two tables take three times as long.
const wholeTransactions = ["-c", "wal_buffers=8MB"];
// Otherwise half of the resident memory is buffers that an idle gateway never fills; and setting up 128 MB of them takes
// half of the processor time of opening a store.
const fewBuffers = ["-c", "shared_buffers=16MB"];
const inFolder = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...durable,
  ...wholeTransactions,
  ...fewBuffers,
  "-c",
  "TimeZone=UTC",
  // How much of its log is kept on disk for reuse after a checkpoint; maintenance.ts decides when that is.
  "-c",
  "max_wal_size=128MB",
];

async function serve(port: NonNullable<typeof parentPort>, settings: EmbeddedSettings): Promise<void> {
  const db = await PGlite.create({
    dataDir: settings.dataDir,
    startParams: inFolder,
    extensions,
  });
  const server = new PGLiteSocketServer({ db, path: settings.socketPath, maxConnections: 1 });
  await server.start();
  port.once("message", () => {
    void server
      .stop()
      .then(() => db.close())
      .then(() => {
        port.postMessage("closed");
        port.close();
      });
  });
  port.postMessage("ready");
}

if (parentPort !== null) await serve(parentPort, workerData as EmbeddedSettings);
