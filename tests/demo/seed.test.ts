import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { messages } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { demoForDays, demoHistory } from "#db/seeds/history.ts";
import { DEMO_PASSWORD, demoPayer, demoRobots } from "#db/seeds/users.ts";
import { seedDemo } from "#jobs/demo/seed-demo.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { verifyPassword } from "#src/people/sign-ins/passwords.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { selectSeasons } from "#src/play/find-season.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { showSeason } from "#src/play/seasons/show-season.ts";
import { findRecords } from "#src/profiles/find-records.ts";
import { createServer } from "#src/server.ts";
import { findFrontDoor } from "#src/show/front-door/find-front-door.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { Person } from "#tests/people/users/person.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, read } = await testWorld();
await seedDemo(deps);

async function findPlayer(username: string) {
  const [user] = await db.select().from(users).where(eq(users.username, username));
  if (user === undefined) throw new Error(`no ${username}`);
  return user;
}

/** All rows that a second seeding could have changed. */
async function fingerprint(): Promise<string> {
  const tables = [
    "users",
    "user_roles",
    "blueprints",
    "blueprint_events",
    "sessions",
    "events",
    "spots",
    "calls",
  ];
  const more = [
    "journal",
    "entries",
    "accounts",
    "settlements",
    "registrations",
    "messages",
    "seasons",
    "outbox",
    "audit",
  ];
  const sums = [...tables, ...more].map(
    (table) => `(SELECT count(*) || md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${table} t)`,
  );
  const [row] = await deps.pool.sql.unsafe(`SELECT concat_ws(' ', ${sums.join(", ")}) AS sum`);
  return v.parse(v.object({ sum: v.string() }), row).sum;
}

test("the users of the demo can sign in, and their wallets agree with the ledger", async () => {
  const ana = await findPlayer("ana");
  expect(ana.email).toBe("ana@example.test");
  expect(await verifyPassword(DEMO_PASSWORD, ana.passwordHash)).toBe(true);
  expect(await read.differences()).toEqual([]);
});

test("production refuses the password that everybody knows, also in a database that was seeded before", async () => {
  const email = "admin@example.test";
  const inProduction = createServer({ ...deps, env: { ...deps.env, production: true } });
  expect((await new Person(createServer(deps)).signIn(email, DEMO_PASSWORD)).status).toBe(200);
  const before = await db.$count(signIns);
  const refused = await new Person(inProduction).signIn(email, DEMO_PASSWORD);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: "Invalid credentials or password." });
  expect(await db.$count(signIns)).toBe(before);
});

test("production is not seeded", async () => {
  const before = await fingerprint();
  const { databaseUrl, redisUrl, secretKey, dataDir } = deps.env;
  const seeding = Bun.spawn([process.execPath, "jobs/demo/seed.ts"], {
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SECRET_KEY: secretKey,
      DATA_DIR: dataDir,
    },
    stderr: "pipe",
  });
  expect(await new Response(seeding.stderr).text()).toContain("Production has no demo");
  expect([await seeding.exited, await fingerprint()]).toEqual([1, before]);
});

test("every past session has chat messages of its players, from the time when it was played", async () => {
  for (const { slug } of demoHistory) {
    const said = await db
      .select({ at: messages.createdAt, from: sessions.startedAt, to: sessions.stoppedAt })
      .from(messages)
      .innerJoin(sessions, eq(sessions.id, messages.sessionId))
      .where(eq(sessions.slug, slug));
    expect(said.length).toBeGreaterThan(2);
    for (const { at, from, to } of said) {
      expect([from !== null && at >= from, to !== null && at <= to]).toEqual([true, true]);
    }
  }
});

test("ana, ben and cleo have results, a balance and a rank", async () => {
  const { leaders } = await findLeaders(deps, { sessionId: null, limit: 100, viewerId: null });
  for (const username of ["ana", "ben", "cleo"]) {
    const { id } = await findPlayer(username);
    const wallet = await findWalletView(db, id);
    expect(wallet.metrics.won).toBeGreaterThan(0);
    expect(wallet.metrics.lost).toBeGreaterThan(0);
    expect(wallet.heldCents).toBe(0);
    const paidInCents = username === demoPayer ? 2_000 : 0;
    expect(wallet.balanceCents).toBe(10_000 + wallet.metrics.netCents + paidInCents);
    expect(leaders.find((score) => score.userId === id)).toMatchObject({
      wins: wallet.metrics.won,
      losses: wallet.metrics.lost,
      net: wallet.metrics.net,
    });
  }
});

test("past sessions have times in the past, and one session is planned for tomorrow, and a private one", async () => {
  const rows = await db.select().from(sessions);
  const now = Date.now();
  const stopped = rows.filter((row) => row.state === "stopped");
  expect(stopped).toHaveLength(3);
  for (const session of stopped) {
    expect(session.startedAt?.getTime()).toBeLessThan(now);
    expect(session.stoppedAt?.getTime()).toBeLessThan(now);
  }
  const pending = rows.filter((row) => row.state === "pending");
  expect(pending.map(({ settings }) => isPrivate(settings))).toEqual([false, true]);
  const brands = pending.map(({ settings }) => v.parse(sessionSettings, settings).brand);
  expect(brands).toEqual([
    undefined,
    expect.objectContaining({ accent: "#2f7d4f", logo: expect.any(String) }),
  ]);
  for (const { startsAt } of pending) expect(startsAt?.getTime()).toBeGreaterThan(now);
  const [late] = await db.execute(
    sql`SELECT count(*)::int AS n FROM calls c JOIN events e ON e.id = c.event_id
      WHERE e.state <> 'open' AND c.placed_at > now() - interval '3 hours' OR c.placed_at >= e.closes_at`,
  );
  expect(late).toEqual({ n: 0 });
  const [due] = await db.execute(
    sql`SELECT count(*)::int AS n FROM events WHERE due_at IS NOT NULL AND state <> 'open'`,
  );
  expect(due).toEqual({ n: 0 });
});

test("a session that runs beside the rehearsal has questions that are open for days, which robots have called", async () => {
  const running = await db.select().from(sessions).where(eq(sessions.state, "running"));
  expect(running).toMatchObject([{ slug: demoForDays.slug, active: false, rehearsal: false }]);
  const { openForDays } = await findFrontDoor(deps, new Date());
  expect(openForDays.map(({ slug }) => slug)).toEqual([demoForDays.slug, demoForDays.slug]);
  for (const { id, closesAt } of openForDays) {
    expect(Date.parse(closesAt) - Date.now()).toBeGreaterThan(5 * 86_400_000);
    expect(await db.$count(calls, eq(calls.eventId, id))).toBeGreaterThan(2);
  }
});

test("the robots have names of eight scripts", () => {
  const scripts = ["Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Devanagari", "Han", "Hiragana"];
  for (const script of scripts) {
    const ofScript = new RegExp(`\\p{Script=${script}}`, "u");
    expect([script, demoRobots.some(({ username }) => ofScript.test(username))]).toEqual([script, true]);
  }
});

test("ana, ben and cleo have records: a season that has ended with its podium, and one that runs", async () => {
  const known = await selectSeasons(db);
  expect(known.map(({ state }) => state)).toEqual(["ended", "running"]);
  for (const username of ["ana", "ben", "cleo"]) {
    const records = await findRecords(deps, { userId: (await findPlayer(username)).id });
    expect(records.longestStreak?.length ?? 0).toBeGreaterThan(1);
    expect(records.seasons.map(({ season }) => season.name)).toEqual(["Season two", "Season one"]);
  }
  expect((await showSeason(deps, "season-one")).podium.length).toBeGreaterThanOrEqual(3);
});

test("seeding again changes nothing", async () => {
  const before = await fingerprint();
  await seedDemo(deps);
  expect(await fingerprint()).toBe(before);
});
