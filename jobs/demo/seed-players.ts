import { eq } from "drizzle-orm";
import { type DatabasePool, inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { DEMO_PASSWORD, demoRobots, type DemoUser, demoUsers } from "#db/seeds/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { welcomePlayer } from "#src/people/users/create-guest.ts";
import { usernameColumns } from "#src/people/users/judge-username.ts";

const MEMBER_FOR_DAYS = 30;
const DAY_MS = 86_400_000;

type NewUser = typeof users.$inferInsert;

/** Inserts the demo's users and robots that do not exist yet, each with a wallet and $100.00 granted a month ago. */
export async function seedPlayers(past: Past, now: Date): Promise<void> {
  const since = new Date(now.getTime() - MEMBER_FOR_DAYS * DAY_MS);
  await past.setClock(since);
  const existing = await findUsernames(past.pool.db);
  const demoPeople = await Promise.all(
    demoUsers.filter((user) => !existing.has(user.username)).map((user) => describe(user, since)),
  );
  const robots = demoRobots
    .filter((robot) => !existing.has(robot.username))
    .map(({ username }) => ({
      row: { ...usernameColumns(username), robot: true, createdAt: since },
      roles: [],
    }));
  for (const { row, roles } of [...demoPeople, ...robots]) {
    await inTransaction(past.pool.db, (tx) => insertPlayer(tx, row, roles));
  }
}

async function findUsernames(db: Queryable): Promise<Set<string>> {
  const rows = await db.select({ username: users.username }).from(users);
  return new Set(rows.map((row) => row.username));
}

async function describe({ email, username, roles }: DemoUser, since: Date) {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  return { row: { email, username, passwordHash, confirmedAt: since, createdAt: since }, roles };
}

async function insertPlayer(tx: Transaction, row: NewUser, roles: DemoUser["roles"]): Promise<void> {
  const [user] = await tx.insert(users).values(row).onConflictDoNothing().returning({ id: users.id });
  // A user has taken the name or the address in the meantime: this demo user is left out.
  if (user === undefined) return;
  if (roles.length > 0) await tx.insert(userRoles).values(roles.map((role) => ({ userId: user.id, role })));
  await welcomePlayer(tx, user.id);
}

export async function findRobotIds(db: Queryable): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(eq(users.robot, true));
  return new Map(rows.map((row) => [row.username, row.id]));
}

/** The product at another time. Its verbs read `game_now()` and so write history as if it were happening. No job is queued. */
export type Past = {
  /** For the verbs: one connection with a stopped clock, without alarms and without a relay. */
  deps: Deps;
  pool: DatabasePool;
  /** Sets the clock of this connection only. */
  setClock: (moment: Date) => Promise<void>;
};

/** @param pool has one connection. */
export function inPast(deps: Deps, pool: DatabasePool): Past {
  return {
    pool,
    deps: {
      ...deps,
      pool,
      queues: {
        ...deps.queues,
        setAlarm: () => Promise.resolve(),
        paySettlement: () => Promise.resolve(),
      },
      notifyRelay: () => undefined,
    },
    setClock: async (moment) => {
      await pool.sql`SELECT set_config('called_it.clock', ${moment.toISOString()}, false)`;
    },
  };
}
