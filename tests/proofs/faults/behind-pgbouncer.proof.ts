import { expect, test } from "bun:test";
import { connect } from "#db/client.ts";
import { explainError } from "#src/base/describe-error.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { engineDeps, startProductOn } from "#tests/proofs/engines/engine-deps.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { expectRefusedMeanwhile, Load, openShow } from "../load.ts";

// The whole product behind a PgBouncer in transaction mode, whose four connections to Postgres all its processes share. That everything
// works there is in lost-processes.proof.ts.

const postgres = await startPostgresEngine();
afterFile(() => postgres.remove());
const bouncer = await startPgBouncer(postgres);
afterFile(() => bouncer.stop());
const deps = await engineDeps(postgres);
const product = startProductOn(deps, { databaseUrl: bouncer.url, ownerUrl: postgres.ownerUrl });
const origin = await product.url;

const show = await openShow(deps);
const startLoad = () => Load.start(deps, { origin, show, paths: [`/sessions/${show.slug}`] });

const losses = [
  { what: "PgBouncer", server: bouncer },
  { what: "Postgres behind it", server: postgres },
];
for (const { what, server } of losses) {
  test(`while ${what} is away requests are refused with 503, and afterwards nothing is lost`, async () =>
    expectRefusedMeanwhile(await startLoad(), {
      takeAway: () => server.kill(),
      giveBack: () => server.start(),
    }));
}

test("an address that does not name it is told how to", async () => {
  await using pool = connect(bouncer.url.replace(/[?&]pgbouncer=\w+/, ""), { poolSize: 1 });
  const said = await pool.sql`SELECT 1`.then(() => "It answers.", explainError);
  expect(said).toContain("add pgbouncer=true to DATABASE_URL");
});
