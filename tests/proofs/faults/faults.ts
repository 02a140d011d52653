import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { describePostgresRights } from "#src/operate/checks/describe-rights.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { readEvent } from "#tests/support/build.ts";
import {
  allPaid,
  alterRole,
  breakTable,
  decideUnpaid,
  type Fault,
  held,
  holdTransaction,
  mailsSent,
  memory,
  repairTable,
  writeMails,
} from "./plant.ts";
import { serverFaults } from "./server-faults.ts";

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

/** A command that changes Redis, and what is said of it. */
const changed = (
  name: string,
  { begin, end, said }: { begin: [string, ...string[]]; end: [string, ...string[]]; said: RegExp },
): Fault => ({
  name: `Redis: ${name}`,
  begin: ({ redis }) => redis.command(...begin),
  end: ({ redis }) => redis.command(...end),
  part: "redis",
  said,
  alert: "Degraded",
});

/** A right that its user loses. */
const rightLost = (name: string, rule: string, back: string): Fault =>
  changed(`its user loses ${name}`, {
    begin: ["ACL", "SETUSER", "default", rule],
    end: ["ACL", "SETUSER", "default", "allchannels", "+@all"],
    said: new RegExp(`ACL SETUSER default ${RegExp.escape(back)}`),
  });

/** What happens to Redis. */
const redisFaults: readonly Fault[] = [
  {
    name: "Redis: stopped",
    begin: ({ redis }) => process.kill(redis.pid, "SIGSTOP"),
    end: ({ redis }) => process.kill(redis.pid, "SIGCONT"),
    part: "redis",
    said: /Redis is away/,
    alert: "RedisAway",
  },
  {
    name: "Redis: answers after 3 s",
    begin: ({ redisLine }) => redisLine.delay(3_000),
    end: ({ redisLine }) => redisLine.delay(0),
    part: "redis",
    said: /Redis is away .*what slows it/,
    alert: "RedisAway",
  },
  {
    name: "Redis: its memory is full",
    begin: memory("1"),
    end: memory("0"),
    part: "redis",
    said: /its memory is full/,
    alert: "Degraded",
  },
  {
    name: "Redis: may drop alarms",
    begin: ({ redis }) => redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"),
    end: ({ redis }) => redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction"),
    part: "evictions",
    said: /evictions allowed/,
    alert: "Degraded",
  },
  {
    name: "Redis: a replica that takes no writes",
    begin: ({ redis }) => redis.command("REPLICAOF", "127.0.0.1", "1"),
    end: ({ redis }) => redis.command("REPLICAOF", "NO", "ONE"),
    part: "redis",
    said: /it is a replica/,
    alert: "Degraded",
  },
  {
    name: "Redis: its disk is full",
    begin: ({ redis }) => redis.fillDisk(),
    end: ({ redis }) => redis.emptyDisk(),
    part: "redis",
    said: /could not save its data/,
    alert: "Degraded",
  },
  changed("has another password", {
    begin: ["CONFIG", "SET", "requirepass", "another"],
    end: ["CONFIG", "SET", "requirepass", ""],
    said: /asks for a password/,
  }),
  changed("has no connection left", {
    begin: ["CONFIG", "SET", "maxclients", "1"],
    end: ["CONFIG", "SET", "maxclients", "10000"],
    said: /Raise its maxclients/,
  }),
  rightLost("its channels", "resetchannels", "&*"),
  rightLost("scripts", "-eval", "+eval"),
];

/** All that is tried. Each begins where all is well, and ends there. */
export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...redisFaults,
  ...serverFaults,
  {
    name: "worker: frozen",
    begin: (product) => process.kill(product.worker().pid, "SIGSTOP"),
    end: (product) => process.kill(product.worker().pid, "SIGCONT"),
    part: "processes",
    said: /worker \(process \d+ on .* has said nothing/,
    alert: "ProcessSilent",
  },
  {
    name: "web process: frozen",
    begin: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGSTOP"),
    end: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGCONT"),
    part: "processes",
    said: /web \(process \d+ on .* has said nothing/,
    alert: "ProcessSilent",
  },
  {
    name: "worker: killed",
    begin: async (product) => {
      await product.worker().kill();
      await writeMails(product);
    },
    end: (product) => product.startWorker(),
    part: "worker",
    said: /worker missing/,
    alert: "WorkerStopped",
    caughtUp: mailsSent,
  },
  {
    name: "queue: paused",
    begin: ({ admin }) => admin("POST", "/api/v1/operations/queues/pushes/pause"),
    end: ({ admin }) => admin("POST", "/api/v1/operations/queues/pushes/resume"),
    part: "queues",
    said: /Paused: pushes/,
    alert: "QueuePaused",
  },
  {
    name: "result: does not pay",
    begin: (product) => decideUnpaid(product),
    end: (product) => repairTable(product, "settlements"),
    part: "rows",
    said: /settlements unpaid/,
    alert: "SettlementStuck",
    caughtUp: allPaid,
  },
  {
    name: "action: does not close",
    begin: async (product) => {
      const { id } = await buildDueEvent(product.deps, -1_000);
      held.eventId = id;
      await breakTable(product, "events", { condition: `OLD.id = ${id}` });
    },
    end: (product) => repairTable(product, "events"),
    part: "rows",
    said: /due_event \d+ failed/,
    alert: "TimerLate",
    caughtUp: async ({ deps }) => (await readEvent(deps, held.eventId)).state === "closed",
  },
  {
    name: "transaction: forgotten in a psql",
    begin: holdTransaction,
    end: () => held.connection?.close(),
    part: "transactions",
    said: /transactions held/,
    alert: "TransactionHeld",
  },
];
