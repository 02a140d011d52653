import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "#db/client.ts";
import { ownsTables } from "#db/roles/missing-rights.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { startEmptyCluster } from "#tests/engines/postgres.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeCertificate } from "#tests/proofs/engines/nginx.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";

const TOP = path.join(import.meta.dir, "../../..");
const folder = makeFileFolder();

const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");

function run(command: readonly string[]): { code: number; output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: TOP });
  return { code: exitCode, output: `${stdout.toString()}${stderr.toString()}` };
}

test("systemd accepts the units, and finds little that they could do to the machine", () => {
  const analyze = requireProgram("systemd-analyze", "systemd");
  const names = readdirSync(path.join(TOP, "deploy/systemd")).filter((name) => name.endsWith(".service"));
  expect(names).toHaveLength(4);
  for (const name of names) {
    const unit = path.join(folder, name);
    // Bun may be elsewhere on this machine.
    writeFileSync(unit, read(`deploy/systemd/${name}`).replace("/usr/local/bin/bun", process.execPath));
    expect(run([analyze, "verify", "--recursive-errors=no", unit])).toEqual({ code: 0, output: "" });
    // Of 10, in tenths.
    expect(run([analyze, "security", "--offline=yes", "--threshold=20", unit]).code).toBe(0);
  }
});

test("nginx accepts its configuration", () => {
  const { certificate, key } = makeCertificate(folder);
  const site = read("deploy/nginx/called-it.conf")
    .replace("/etc/nginx/certificates/called-it.pem", certificate)
    .replace("/etc/nginx/certificates/called-it.key", key);
  writeFileSync(path.join(folder, "site.conf"), site);
  const all = `pid ${folder}/nginx.pid; events {} http { include ${TOP}/deploy/nginx/upstream.conf; include ${folder}/site.conf; }`;
  writeFileSync(path.join(folder, "nginx.conf"), all);
  const checked = run([requireProgram("nginx"), "-t", "-e", "stderr", "-c", path.join(folder, "nginx.conf")]);
  expect(checked.output).toContain("test is successful");
});

test("the script of compose.yaml makes an owner and an application that cannot change the books", async () => {
  const engine = await startEmptyCluster();
  afterFile(() => engine.remove());
  const psql = requireProgram("psql", "postgresql-client");
  const superuser = engine.ownerUrl.replace(/\w+$/, "postgres");
  const script = path.join(TOP, "deploy/postgres/roles.sql");
  // As the image runs it.
  const made = Bun.spawnSync([psql, "-v", "ON_ERROR_STOP=1", "--no-psqlrc", "-f", script, superuser], {
    env: { POSTGRES_PASSWORD: "of the owner", APPLICATION_PASSWORD: "it's of the application" },
  });
  expect([made.exitCode, made.stderr.toString()]).toEqual([0, ""]);
  // The superuser has none.
  const withPassword = "SELECT rolname FROM pg_authid WHERE rolpassword IS NOT NULL ORDER BY 1";
  expect(await engine.run(withPassword)).toEqual([{ rolname: "called_it" }, { rolname: "called_it_owner" }]);
  await migrate(`postgres://called_it_owner@127.0.0.1:${engine.port}/called_it`, {
    applicationRole: "called_it",
  });
  const { db, sql, close } = connect(`postgres://called_it@127.0.0.1:${engine.port}/called_it`);
  expect(await ownsTables(db)).toBe(false);
  const attempt = async () => {
    await sql`UPDATE accounts SET posted_cents = posted_cents + 100`;
  };
  expect(attempt()).rejects.toThrow("permission denied for table accounts");
  expect([...(await sql`SELECT sum(posted_cents)::text AS cents FROM accounts`)]).toEqual([{ cents: "0" }]);
  await close();
});
