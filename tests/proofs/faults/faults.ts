import { APPLICATION_ROLE as ROLE } from "#db/embedded/data-folder.ts";
import { neededRules } from "#src/base/watch-redis.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { readEvent } from "#tests/support/build.ts";
import { machineFaults } from "./machine-faults.ts";
import type { NightMachine } from "./night-machine.ts";
import {
  allPaid,
  asSaid,
  breakTable,
  decideUnpaid,
  type Fault,
  held,
  holdTransaction,
  repairTable,
  slowed,
  typed,
} from "./plant.ts";
import { serverFaults } from "./server-faults.ts";

/** Postgres is away. */
const databaseAway = (name: string, said: RegExp, [begin, end]: [Fault["begin"], Fault["end"]]): Fault => ({
  name: `Postgres: ${name}`,
  begin,
  end,
  part: "database",
  said,
  alert: "DatabaseAway",
});

/** Changes what the application's role may do, and ends its connections, as a restart of Postgres does. */
const alterRole =
  (change: string) =>
  ({ psql }: NightMachine) =>
    psql(`ALTER ROLE ${ROLE} ${change};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`);

/** A right that its role loses. */
const rightTaken = (right: string): Fault => ({
  name: `Postgres: its role loses ${right}`,
  begin: ({ psql }) => psql(`REVOKE ${right} FROM ${ROLE}`),
  part: "rights",
  ...asSaid("called-it migrate"),
  alert: "Degraded",
});

const archiveBy =
  (command: string) =>
  async ({ psql }: NightMachine) => {
    await psql(`ALTER SYSTEM SET archive_command = '${command}'`);
    await psql("SELECT pg_reload_conf()");
    await psql("SELECT pg_switch_wal()");
  };

const POSTGRES = "--uid postgres --exact postgres";
const REDIS = "--exact redis-server";

/** What happens to Postgres. */
const databaseFaults: readonly Fault[] = [
  databaseAway("stopped", /Start (it|Postgres)/, [
    typed("systemctl stop postgresql@15-main"),
    typed("systemctl start postgresql@15-main"),
  ]),
  databaseAway("silent", /see what slows it/, [
    typed(`pkill -STOP ${POSTGRES}`),
    typed(`pkill -CONT ${POSTGRES}`),
  ]),
  databaseAway("answers after 2.5 s", /Look at what Postgres does/, slowed("postgres", POSTGRES)),
  databaseAway("its role has another password", /password/, [
    alterRole("PASSWORD 'another'"),
    typed(
      "echo \"ALTER ROLE called_it PASSWORD '$(sed -nE 's#^DATABASE_URL=.*:([^@]*)@.*#\\1#p' /etc/called-it.env)'\" | called-it psql -q",
    ),
  ]),
  databaseAway("its role has no connection left", /too many connections/, [
    alterRole("CONNECTION LIMIT 0"),
    alterRole("CONNECTION LIMIT -1"),
  ]),
  {
    name: "Postgres: read-only",
    begin: alterRole("SET default_transaction_read_only = on"),
    end: alterRole("RESET default_transaction_read_only"),
    part: "writes",
    said: /take default_transaction_read_only back/,
    alert: "WritesRefused",
  },
  {
    name: "Postgres: its disk is full",
    begin: (night) =>
      decideUnpaid(night, "'could not extend file: No space left on device' USING ERRCODE = '53100'"),
    end: (night) => repairTable(night, "settlements"),
    part: "writes",
    said: /The disk is full/,
    alert: "WritesRefused",
    caughtUp: allPaid,
  },
  // The read of a sign-in includes the calls of its user.
  rightTaken("SELECT ON calls"),
  rightTaken("UPDATE (title) ON events"),
  rightTaken("EXECUTE ON FUNCTION event_gate"),
  {
    name: "Postgres: few connections are left",
    begin: ({ psql }) =>
      psql(`DO $$ BEGIN EXECUTE format('ALTER ROLE ${ROLE} CONNECTION LIMIT %s',
        (SELECT count(*) + 2 FROM pg_stat_activity WHERE usename = '${ROLE}')); END $$`),
    end: ({ psql }) => psql(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`),
    part: "connections",
    said: /the limit of the role/,
    alert: "RoomScarce",
  },
  {
    name: "Postgres: its log is not archived",
    begin: archiveBy("false"),
    end: archiveBy("true"),
    part: "archive",
    said: /archive_command/,
    alert: "Degraded",
  },
  {
    name: "Postgres: prepared for another release",
    begin: ({ psql }) =>
      psql("UPDATE upgrade.sql_sets SET hash = 'of another', version = '0.0.1', number = number + 1"),
    part: "migrations",
    // While its functions are replaced, what uses them waits.
    maybe: "database",
    ...asSaid("called-it migrate"),
    alert: "MigrationsPending",
  },
];

const PROMPT = "called-it redis-cli ";

/** A command that changes Redis, and the one that changes it back. */
const redisRefuses = (
  name: string,
  [begin, end]: [string, string],
  said: RegExp,
  more: Partial<Fault> = {},
): Fault => ({
  name: `Redis: ${name}`,
  begin: typed(`${PROMPT}${begin}`),
  end: typed(`${PROMPT}${end}`),
  part: "redis",
  said,
  alert: "Degraded",
  ...more,
});

/** Rights that its user loses. */
const rightsLost = (name: string, rules: string, back: string): Fault => ({
  name: `Redis: its user loses ${name}`,
  begin: typed(`${PROMPT}ACL SETUSER ${ROLE} ${rules}`),
  part: "redis",
  alert: "Degraded",
  ...asSaid(`ACL SETUSER ${ROLE} ${back}`, PROMPT),
});

const redisAway = (name: string, said: RegExp, [begin, end]: [Fault["begin"], Fault["end"]]): Fault => ({
  name: `Redis: ${name}`,
  begin,
  end,
  part: "redis",
  said,
  alert: "RedisAway",
});

/** What happens to Redis. */
const redisFaults: readonly Fault[] = [
  redisAway("stopped", /Start Redis/, [
    typed("systemctl stop redis-server"),
    typed("systemctl start redis-server"),
  ]),
  redisAway("silent", /what slows it/, [typed(`pkill -STOP ${REDIS}`), typed(`pkill -CONT ${REDIS}`)]),
  redisAway("answers after 2.5 s", /what slows it/, slowed("redis", REDIS)),
  redisAway("its user has another password", /refuses the user or the password/, [
    typed(
      `called-it redis-cli ACL SETUSER ${ROLE} resetpass '>another'; called-it redis-cli CLIENT KILL USER ${ROLE}`,
    ),
    typed("systemctl restart redis-server"),
  ]),
  redisRefuses(
    "its memory is full",
    ["CONFIG SET maxmemory 1", "CONFIG SET maxmemory 768mb"],
    /Raise maxmemory/,
    { maybe: "redis-memory" },
  ),
  {
    name: "Redis: may drop alarms",
    begin: typed(`${PROMPT}CONFIG SET maxmemory-policy allkeys-lru`),
    part: "evictions",
    alert: "Degraded",
    ...asSaid("CONFIG SET maxmemory-policy noeviction", PROMPT),
  },
  redisRefuses(
    "a replica that takes no writes",
    ["REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"],
    /promote this one/,
  ),
  {
    name: "Redis: has no connection left",
    begin: typed(`${PROMPT}CONFIG SET maxclients 1`),
    // It takes no administrator either.
    end: typed("systemctl restart redis-server"),
    part: "redis",
    said: /Raise its maxclients in its configuration and restart it/,
    alert: "Degraded",
  },
  rightsLost("its channels", "resetchannels", "&*"),
  rightsLost("scripts", "-eval -evalsha", "+eval +evalsha"),
  rightsLost("scripts that it knows", "-evalsha", "+evalsha"),
  rightsLost("writing", "-@write", neededRules),
  {
    name: "Redis: its disk is full",
    begin: typed(
      "chown root /var/lib/redis; chmod 755 /var/lib/redis; called-it redis-cli CONFIG SET save '3600 1'; called-it redis-cli BGSAVE",
    ),
    end: typed(
      "chown redis /var/lib/redis; chmod 750 /var/lib/redis; called-it redis-cli BGSAVE; called-it redis-cli CONFIG SET save ''",
    ),
    part: "redis",
    said: /could not save its data/,
    alert: "Degraded",
  },
  redisRefuses(
    "its memory is nearly full",
    [
      "CONFIG SET maxmemory $(called-it redis-cli INFO memory | sed -nE 's/^used_memory:([0-9]+).*/\\1/p' | awk '{ print int($1 * 1.08) }')",
      "CONFIG SET maxmemory 768mb",
    ],
    /Raise maxmemory/,
    { part: "redis-memory", alert: "RoomScarce" },
  ),
  redisRefuses("is emptied", ["FLUSHALL", "PING"], /./, { part: null }),
];

/** The work. */
const workFaults: readonly Fault[] = [
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
    begin: (night) => decideUnpaid(night),
    end: (night) => repairTable(night, "settlements"),
    part: "rows",
    said: /a fault that is planted/,
    alert: "RowsFail",
    caughtUp: allPaid,
  },
  {
    name: "action: does not close",
    begin: async (night) => {
      const { id } = await buildDueEvent(night.deps, -1_000);
      held.eventId = id;
      await breakTable(night, "events", { condition: `OLD.id = ${id}` });
    },
    end: (night) => repairTable(night, "events"),
    part: "rows",
    said: /due_event \d+ failed/,
    alert: "TimerLate",
    caughtUp: async ({ deps }) => (await readEvent(deps, held.eventId)).state === "closed",
  },
  {
    name: "transaction: forgotten in a psql",
    begin: holdTransaction,
    end: ({ psql }) =>
      psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'psql'"),
    part: "transactions",
    said: /end it with pg_terminate_backend/,
    alert: "TransactionHeld",
  },
];

/** All that is tried. Each begins where all is well, and ends there. */
export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...redisFaults,
  ...workFaults,
  ...machineFaults,
  ...serverFaults,
];
