import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/** What the worker is started with. `dataDir` null: everything in memory, for tests. */
export interface EmbeddedSettings {
  dataDir: string | null;
  socketPath: string;
}

// PGlite starts with fsync off (-F). Without that flag and with this method the WAL is opened with O_SYNC,
// the one way to a durable commit that its file system layer passes on.
const durable = ["-c", "wal_sync_method=open_datasync"];
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...durable,
  // Half of the resident memory is otherwise buffers that an idle gateway never fills.
  "-c",
  "shared_buffers=16MB",
  "-c",
  "TimeZone=UTC",
  // How much of its log is kept on disk for reuse after a checkpoint; when that is, upkeep.ts says.
  "-c",
  "max_wal_size=128MB",
];

async function serve(port: NonNullable<typeof parentPort>, settings: EmbeddedSettings): Promise<void> {
  const db = await PGlite.create({
    ...(settings.dataDir === null ? {} : { dataDir: settings.dataDir }),
    startParams: settings.dataDir === null ? PGlite.defaultStartParams : startParams,
    extensions: { pg_trgm, btree_gin },
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
