import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { $ } from "bun";
import * as v from "valibot";
import { giveToServer, startCluster, startPostgresEngine } from "#tests/engines/postgres.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { copyCluster } from "./replica.ts";

const SLOW_MS = 60_000;
const document = readFileSync("deploy/backup.md", "utf8");
const folder = makeFileFolder();

function makeFolder(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { mode: 0o700 });
  giveToServer(made);
  return made;
}

const archive = makeFolder("archive");
async function cpBase(base: string, cluster: string): Promise<void> {
  await $`cp -a ${base}/. ${cluster}`.quiet();
}

/** A line of postgresql.conf in deploy/backup.md, for this archive. */
const settingOf = (name: string) =>
  (new RegExp(`^${name} = '?(.*?)'?$`, "m").exec(document)?.[1] ?? "").replaceAll("/archive", archive);

test(
  "a Postgres that archives its log goes back to the moment before a mistake, as deploy/backup.md says",
  async () => {
    const [mode, command] = [settingOf("archive_mode"), settingOf("archive_command")];
    const engine = await startPostgresEngine({ archive_mode: mode, archive_command: command });
    afterFile(() => engine.remove());
    const base = makeFolder("base");
    await copyCluster(engine, base, "recovery.signal");
    await engine.run("CREATE TABLE kept (what text)");
    await engine.run("INSERT INTO kept VALUES ('before')");
    const rows = v.tuple([v.object({ now: v.string() })]);
    const [{ now }] = v.parse(rows, await engine.run("SELECT clock_timestamp()::text AS now"));
    await engine.run("DELETE FROM kept");
    const files = v.tuple([v.object({ file: v.string() })]);
    const [{ file }] = v.parse(files, await engine.run("SELECT pg_walfile_name(pg_switch_wal()) AS file"));
    await waitFor("the archive", () => existsSync(path.join(archive, file)));
    await engine.stop();

    const restored = await startCluster(({ cluster }) => cpBase(base, cluster), {
      restore_command: settingOf("restore_command"),
      recovery_target_time: now,
      recovery_target_action: settingOf("recovery_target_action"),
    });
    afterFile(() => restored.remove());
    const isServing = "SELECT 1 WHERE NOT pg_is_in_recovery()";
    await waitFor("the end of the recovery", async () => (await restored.run(isServing)).length === 1);
    expect(await restored.run("SELECT what FROM kept")).toEqual([{ what: "before" }]);
  },
  SLOW_MS,
);
