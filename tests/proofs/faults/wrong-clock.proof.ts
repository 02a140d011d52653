import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { type PartProcess, startWebProcess, startWorkerProcess } from "#tests/faults/worker-process.ts";
import { delayDue } from "#tests/jobs/due-events.ts";
import { announce, announcementOf, PNG_BYTES } from "#tests/people/storage/uploads.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { signedInClient } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

// Machines whose clocks are seven minutes wrong, each in another direction, beside a database whose clock is right. Events close by
// the database's clock, answers carry its time, and sign-ins expire by it.

/** Far below the seven minutes, and far above what a busy machine needs. */
const NEAR_MS = 60_000;

const { deps, build, read, db, signIn } = await testWorld();
/** A web process of a machine whose clock is right. */
const rightServer = createServer(deps);
let parts: PartProcess[] = [];
afterTest(async () => {
  const codes = await Promise.all(parts.map((part) => part.stop()));
  expect(codes).toEqual(parts.map(() => 0));
  parts = [];
  expect(await read.differences()).toEqual([]);
});

async function startWith({ web, worker }: { web: "ahead" | "behind"; worker: "ahead" | "behind" }) {
  const started = <Part extends PartProcess>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  const [{ origin }] = await Promise.all([
    startWebProcess(deps, { preload: `clock-${web}.ts` }).then(started),
    startWorkerProcess(deps, { preload: `clock-${worker}.ts` }).then(started),
  ]);
  return { origin, send: senderTo(origin) };
}

/** Sends JSON requests with these credentials. */
const senderTo =
  (origin: string) =>
  (credentials: Record<string, string>, method: string, target: string, body?: unknown): Promise<Response> =>
    fetch(origin + target, {
      method,
      headers: { accept: "application/json", "content-type": "application/json", origin, ...credentials },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

/** How far a time is from the database's. */
async function offBy(time: string): Promise<number> {
  const [row] = await db.execute(sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`);
  return Math.abs(Date.parse(time) - Number(row?.["ms"]));
}

const timeIn = (text: string) => /"serverTime":\s*"([^"]+)"/.exec(text)?.[1] ?? "";

type Started = Awaited<ReturnType<typeof startWith>>;

/** An event that a web of a wrong clock opens closes by the database's clock, also for a worker of another wrong clock. */
async function closeEvent({ send }: Started): Promise<void> {
  const session = await build.runningSession();
  const event = await build.event("visible", { sessionId: session.id, durationSeconds: 120 });
  const admin = await signIn(await build.admin());
  const player = await signIn(await build.player());
  const opening = { event: { state: "open" } };
  expect((await send(admin, "PATCH", `/api/v1/events/${event.id}/state`, opening)).status).toBe(200);
  const { openedAt } = await read.event(event.id);
  expect(await offBy(openedAt?.toISOString() ?? "")).toBeLessThan(NEAR_MS);
  const spotId = (await read.spots(event.id)).true.id;
  const call = () => send(player, "POST", "/api/v1/calls", { call: { spotId, wager: 1 } });
  expect((await call()).status).toBe(201);
  const { closesAt } = await delayDue(deps, event.id, 2_000);
  const closed = await waitFor("the event to close", async () => {
    const row = await read.event(event.id);
    return row.state === "closed" && row;
  });
  expect(closed.closesAt).toEqual(closesAt);
  const lateMs = (closed.closedAt?.getTime() ?? Number.NaN) - (closesAt?.getTime() ?? Number.NaN);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(NEAR_MS);
  expect((await call()).status).toBe(422);
}

async function expectDatabaseTime({ send }: Started, credentials: Record<string, string>): Promise<void> {
  const { slug } = await build.runningSession();
  const asPage = { ...credentials, accept: "text/html" };
  for (const [headers, target] of [
    [credentials, "/up"],
    [credentials, "/api/v1/sessions"],
    [asPage, `/sessions/${slug}`],
  ] as const) {
    const answer = await send(headers, "GET", target);
    expect([target, answer.status]).toEqual([target, 200]);
    expect(await offBy(timeIn(await answer.text()))).toBeLessThan(NEAR_MS);
  }
}

/** A sign-in at a web of a wrong clock is good everywhere, and the other way round. It expires by the database's clock. */
async function expectSignIns({ origin, send }: Started): Promise<void> {
  const user = await build.player();
  await givePassword(deps, user.id);
  const direct = await signIn(user);
  const statusOf = async () => (await send(direct, "GET", "/api/v1/users/me")).status;
  const person = new Person({ handle: (request) => fetch(request) }, origin);
  expect((await person.signIn(user.email)).status).toBe(200);
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { accept: "application/json", cookie };
  const elsewhere = new Request("http://localhost:3000/api/v1/users/me", { headers });
  expect((await rightServer.handle(elsewhere)).status).toBe(200);
  expect(await statusOf()).toBe(200);
  // Five minutes are less than the clock is wrong.
  const expireIn = (minutes: number) =>
    db
      .update(signIns)
      .set({ expiresAt: sql`clock_timestamp() + make_interval(mins => ${minutes})` })
      .where(eq(signIns.userId, user.id));
  await expireIn(5);
  expect(await statusOf()).toBe(200);
  await expireIn(-5);
  expect(await statusOf()).toBe(401);
}

/** An upload that a web of a right clock has announced is sent to one of a wrong clock: its address works for ten minutes. */
async function sendUpload({ origin }: Started): Promise<void> {
  const browser = await signedInClient(deps, rightServer, await build.player());
  const { directUpload } = await announce(browser, announcementOf(PNG_BYTES));
  const { pathname } = new URL(directUpload.url);
  const body = new Uint8Array(PNG_BYTES);
  const sent = await fetch(origin + pathname, { method: "PUT", headers: directUpload.headers, body });
  expect(sent.status).toBe(204);
}

const wrong = [
  ["ahead", "behind"],
  ["behind", "ahead"],
] as const;
for (const [web, worker] of wrong) {
  test(`with a web whose clock is ${web} and a worker whose clock is ${worker}, everything follows the database's clock`, async () => {
    const started = await startWith({ web, worker });
    await expectDatabaseTime(started, await signIn(await build.player()));
    await expectSignIns(started);
    await sendUpload(started);
    await closeEvent(started);
  });
}
