import { writeFileSync } from "node:fs";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { asApplication } from "#tests/support/application.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { type Contract, contractFile, listUnprepared, readOffer } from "./contract.ts";

/**
 * Writes db/releases/<version>.json: what the processes of this release use of its database. Statements of functions are left out:
 * they name the function's variables, so they cannot be prepared, or the application may not send them. The commit follows when there is one (release.ts).
 */
export async function recordContract(deps: TestDeps, sent: Iterable<string>): Promise<void> {
  const byShape = new Map([...sent].map((statement) => [shapeOf(statement), statement.trim()]));
  const found = await listUnprepared(asApplication(deps).pool, [...byShape.values()]);
  const unprepared = new Set(found.map(({ statement }) => statement));
  const { version } = readRelease();
  const recorded: Omit<Contract, "commit"> = {
    version,
    ...(await readOffer(deps.pool.db, APPLICATION_ROLE)),
    statements: [...byShape.values()].filter((statement) => !unprepared.has(statement)).sort(),
  };
  writeFileSync(contractFile(version), `${JSON.stringify(recorded, null, 2)}\n`);
}

/** Statements that differ in the length of a list are one. */
const shapeOf = (statement: string) =>
  statement
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/(\(?\$\)?(, )?)+/g, "$")
    .replaceAll(/\s+/g, " ");
