import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SQL } from "bun";
import * as v from "valibot";
import {
  giveToServer,
  type PostgresEngine,
  type PostgresSettings,
  startCluster,
} from "#tests/engines/postgres.ts";

const labelRows = v.tuple([v.object({ labelfile: v.string() })]);

/** Name of the replica in `synchronous_standby_names`, and of its slot. */
export const REPLICA = "replica";

/**
 * Starts a streaming replica of an engine: a copy of its files, made while it runs, that follows it by a replication slot. The
 * package of the embedded Postgres has no pg_basebackup.
 */
export async function startReplica(
  primary: PostgresEngine,
  settings: PostgresSettings = {},
): Promise<PostgresEngine> {
  const copy = async ({ cluster }: { cluster: string }) => {
    await primary.run(
      `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '${REPLICA}'`,
    );
    await primary.run(`SELECT pg_create_physical_replication_slot('${REPLICA}', true)`);
    await copyCluster(primary, cluster);
  };
  return startCluster(copy, {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=owner application_name=${REPLICA}`,
    primary_slot_name: REPLICA,
    ...settings,
  });
}

/** Copies the files of an engine to an empty folder of the server's user, while it runs. */
async function copyCluster(primary: PostgresEngine, cluster: string): Promise<void> {
  // The copy's backup begins and ends on one connection.
  const sql = new SQL({ adapter: "postgres", url: primary.ownerUrl, max: 1 });
  try {
    await sql`SELECT pg_backup_start('copy', true)`;
    copyFiles(primary.cluster, cluster);
    const rows: unknown = await sql`SELECT labelfile FROM pg_backup_stop(false)`;
    const [{ labelfile }] = v.parse(labelRows, Array.isArray(rows) ? [...rows] : rows);
    writeFileSync(path.join(cluster, "backup_label"), labelfile);
    writeFileSync(path.join(cluster, "standby.signal"), "");
  } finally {
    await sql.close();
  }
  for (const name of ["backup_label", "standby.signal"]) giveToServer(path.join(cluster, name));
}

function copyFiles(from: string, to: string): void {
  // Files may vanish while they are copied, such as those of a sort: cp then ends with 1.
  const copied = Bun.spawnSync(["cp", "-a", `${from}/.`, to], { stderr: "pipe" });
  if (copied.exitCode !== 0 && !copied.stderr.toString().includes("No such file")) {
    throw new Error(copied.stderr.toString());
  }
  for (const own of ["postmaster.pid", "postmaster.opts", "pg_replslot", "pg_wal"]) {
    rmSync(path.join(to, own), { recursive: true, force: true });
  }
  for (const own of ["pg_replslot", "pg_wal"]) {
    cpSync(path.join(from, "pg_tblspc"), path.join(to, own), { recursive: true });
    giveToServer(path.join(to, own));
  }
}
