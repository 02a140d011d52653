import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { describePostgresRights } from "#src/operate/checks/describe-rights.ts";
import type { Fault } from "./fault.ts";
import { allPaid, alterRole, decideUnpaid, repairTable } from "./plant.ts";

/** A right that its role loses. */
const rightTaken = (right: string, more: Partial<Fault> = {}): Fault => ({
  name: `Postgres: its role loses ${right}`,
  begin: ({ deps }) => deps.pool.sql.unsafe(`REVOKE ${right} FROM ${APPLICATION_ROLE}`),
  end: ({ deps }) => deps.pool.sql.unsafe(describePostgresRights(APPLICATION_ROLE)),
  part: "rights",
  said: new RegExp(`rights missing.*${RegExp.escape(right)}`),
  alert: "Degraded",
  ...more,
});

/** The role is changed, and what Postgres says to new connections. */
const roleAltered = (name: string, [change, back]: [string, string], said: RegExp): Fault => ({
  name: `Postgres: ${name}`,
  begin: (product) => alterRole(product, change),
  end: (product) => alterRole(product, back),
  part: "database",
  said,
  alert: "DatabaseAway",
  withoutHome: true,
});

/** What happens to Postgres. */
export const databaseFaults: readonly Fault[] = [
  {
    name: "Postgres: silent",
    begin: ({ database }) => database.freeze(),
    end: ({ database }) => database.thaw(),
    part: "database",
    said: /database away/,
    alert: "DatabaseAway",
    withoutHome: true,
  },
  {
    name: "Postgres: answers after 3 s",
    begin: ({ database }) => database.delay(3_000),
    end: ({ database }) => database.delay(0),
    part: "database",
    said: /database away/,
    alert: "DatabaseAway",
    withoutHome: true,
  },
  roleAltered("its role may not sign in", ["NOLOGIN", "LOGIN"], /not permitted to log in/),
  roleAltered(
    "its role has no connection left",
    ["CONNECTION LIMIT 0", "CONNECTION LIMIT -1"],
    /too many connections/,
  ),
  {
    name: "Postgres: read-only",
    begin: (product) => alterRole(product, "SET default_transaction_read_only = on"),
    end: (product) => alterRole(product, "RESET default_transaction_read_only"),
    part: "writes",
    said: /writes refused/,
    alert: "WritesRefused",
  },
  {
    name: "Postgres: its disk is full",
    begin: (product) =>
      decideUnpaid(product, "'could not extend file: No space left on device' USING ERRCODE = '53100'"),
    end: (product) => repairTable(product, "settlements"),
    part: "writes",
    said: /The disk is full/,
    alert: "WritesRefused",
    caughtUp: allPaid,
  },
  // The read of a sign-in includes the calls of its user.
  rightTaken("SELECT ON calls", { withoutHome: true }),
  rightTaken("UPDATE (title) ON events"),
  rightTaken("EXECUTE ON FUNCTION event_gate"),
];
