import { expect, test } from "bun:test";
import { connect } from "#db/client.ts";
import { describeFailure } from "#src/run/command-line.ts";
import { testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { databaseFaults } from "./database-faults.ts";

// What the commands print; failures.proof.ts runs them.
const deps = await testDeps();
const empty = await testDatabase({ empty: true });
const faults = {
  ...(await databaseFaults(deps)),
  "the database is empty": { url: empty.url, says: [/`bun run migrate`/] },
};

test.each(Object.entries(faults))(
  "%s: a command says the cause and the cure, and no query",
  async (_, { url, says }) => {
    const pool = connect(url, { poolSize: 1 });
    const failed = pool.db.transaction((tx) => tx.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE"));
    const output = await failed.then(
      () => "nothing",
      (error: unknown) => describeFailure(error, "The command failed."),
    );
    for (const line of says) expect(output).toMatch(line);
    expect(output).not.toMatch(/Failed query|LOCK TABLE|^\s+at /im);
    await pool.close();
  },
);
