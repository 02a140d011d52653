import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { lateTime } from "#client/screens/operations/work-panels.tsx";
import { failingRows } from "#db/schema/failing-rows.ts";
import { mails } from "#db/schema/mails.ts";
import { pushMessages } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { troubles } from "#db/schema/troubles.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { readVersion } from "#src/base/read-version.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { recordProcess } from "#src/operate/work/starts.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import type { Person } from "#tests/people/users/person.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { buildDelivery, buildWebhook } from "#tests/webhooks/build-webhook.ts";
import { failJob, startWorking, untilFailed } from "./fail-job.ts";
import { buildStaff, lookTwice } from "./staff.ts";

const deps = await testDeps();
const { admin, operator, player, read, failedOf, postForm } = await buildStaff(deps);
const retryPath = ({ queue, id }: { queue: string; id: string }) =>
  `/api/v1/operations/queues/${queue}/jobs/${id}/retry`;

test("a failed close is listed with its event; an operator cannot retry it, an admin can, and then it is done", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildDueEvent(deps, -4_000, {
    sessionId: session.id,
    title: "Goal inside ten minutes?",
  });
  const stop = startWorking(deps, "setAlarm");
  await deps.pool.db.execute(sql`ALTER FUNCTION close_events RENAME TO lost_close_events`);
  await deps.queues.byName.transitions.add("close_event", alarmOf(event));
  const failed = await waitFor("the job to fail", async () => {
    const job = (await failedOf(operator)).find((each) => each.event?.id === event.id);
    return job ?? null;
  });
  await deps.pool.db.execute(sql`ALTER FUNCTION lost_close_events RENAME TO close_events`);
  expect(failed).toMatchObject({
    queue: "transitions",
    name: "close_event",
    event: { title: "Goal inside ten minutes?", sessionSlug: session.slug },
    isOpen: true,
    attempts: 1,
  });
  expect(failed.lateMs).toBeGreaterThanOrEqual(4_000);
  const html = await (await operator.get("/admin", { accept: "text/html" })).text();
  expect(html).toMatch(/Close of “Goal inside ten minutes\?”, \d+ s late/);
  expect(html).toContain(`href="/sessions/${session.slug}/events/${event.id}"`);
  expect(html).toContain('href="/admin/queues/queue/Event%20timers?status=failed"');

  expect((await operator.send("POST", retryPath(failed))).status).toBe(403);
  expect((await player.send("POST", retryPath(failed))).status).toBe(403);
  expect((await failedOf(operator)).map(({ id }) => id)).toContain(failed.id);
  expect((await readEvent(deps, event.id)).state).toBe("open");

  expect((await admin.send("POST", retryPath(failed))).status).toBe(204);
  await waitFor("the close", async () => (await readEvent(deps, event.id)).state === "closed");
  await waitFor("the job", async () => (await failedOf(admin)).every(({ id }) => id !== failed.id));
  await stop();
});

test("only what has failed is retried, and only what exists", async () => {
  const job = await failJob(deps);
  const path = `/api/v1/operations/queues/pictures/jobs/${job.id}/retry`;
  expect((await admin.send("POST", path)).status).toBe(204);
  const again = await admin.send("POST", path);
  expect([again.status, await again.json()]).toMatchObject([409, { code: "not_failed" }]);
  for (const nowhere of ["pictures/jobs/999999", "no-queue/jobs/1"])
    expect((await admin.send("POST", `/api/v1/operations/queues/${nowhere}/retry`)).status).toBe(404);
});

test("failed jobs of one kind are one row with their number; one act of an admin, on record, runs all of them again, and no others", async () => {
  const { pictures } = deps.queues.byName;
  const stop = startWorking(deps, "makeAvatar");
  const added = ["nobody 1", "nobody 2", "nobody 3"].map((userId) => pictures.add("make_avatar", { userId }));
  const alike = await Promise.all(added);
  const other = await pictures.add("make_avatar", { userId: 1, blobId: null });
  await untilFailed(...alike, other);
  await stop();
  const states = () => Promise.all([...alike, other].map((job) => job.getState()));
  const [newest] = (await failedOf(operator)).filter(({ count }) => count === 3);
  const fields = { intent: "retry", queue: "pictures", job: newest?.id ?? "" };
  const html = await (await admin.get("/admin", { accept: "text/html" })).text();
  expect(html).toMatch(/Pictures: 3 jobs failed/);
  expect(html).toContain(`href="/admin/queues/queue/Pictures/${newest?.id}?status=failed"`);
  expect((await postForm(operator, fields)).status).toBe(403);
  expect((await postForm(player, fields)).status).toBe(404);
  expect(await states()).toEqual(["failed", "failed", "failed", "failed"]);
  expect((await postForm(admin, fields)).status).toBe(303);
  expect(await states()).toEqual(["waiting", "waiting", "waiting", "failed"]);
  const again = await postForm(admin, fields);
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("was retried already")]);
  const { switches = [] } = await read(operator);
  expect(switches.filter(({ action }) => action === "retry_jobs")[0]).toMatchObject({ name: "pictures" });
});

test("what has happened is read by pages, each line once, also without JavaScript", async () => {
  const minutes = Array.from({ length: 70 }, (_, index) => index + 1);
  const ago = (of: number) => sql`clock_timestamp() - ${of} * interval '1 minute'`;
  const rows = minutes.map((of) => ({ process: `web-${of}`, since: ago(of), endedAt: ago(of - 0.5) }));
  const disk = { part: "disk", what: "disk full", cure: "Make room." };
  await deps.pool.db.insert(troubles).values(rows.map((row) => ({ ...disk, ...row })));
  const told: string[] = [];
  let pages = 0;
  for (let path: string | undefined = "/admin"; path !== undefined; pages += 1) {
    const html = await (await operator.get(path, { accept: "text/html" })).text();
    told.push(...[...html.matchAll(/A disk is full: (web-\d+), for 30 s/g)].map(([, name = ""]) => name));
    path = /href="(\/admin\?before=[^"#]+)/.exec(html)?.[1];
  }
  expect(told).toEqual(minutes.map((of) => `web-${of}`));
  expect(pages).toBeGreaterThan(2);
  const wrong = await operator.get("/admin?before=yesterday", { accept: "text/html" });
  expect([wrong.status, await wrong.text()]).toEqual([200, expect.stringContaining("web-1,")]);
});

test("sessions that begin and end are told, a private one without its name", async () => {
  const session = await buildRunningSession(deps);
  const own = await buildRunningSession(deps);
  const ended = { state: "stopped", active: false, stoppedAt: sql`clock_timestamp()` } as const;
  await deps.pool.db.update(sessions).set(ended).where(eq(sessions.id, session.id));
  await deps.pool.db
    .update(sessions)
    .set({ settings: { private: true } })
    .where(eq(sessions.id, own.id));
  const { shows = [] } = await read(operator);
  const of = shows.filter(({ slug }) => slug === session.slug);
  expect(of.map(({ what }) => what)).toEqual(["ended", "began"]);
  expect(shows.filter(({ name }) => name === null)).toMatchObject([{ slug: null, what: "began" }]);
});

test("what is due and not done is listed with how late it is", async () => {
  const event = await buildDueEvent(deps, -5_000, { title: "Still open?" });
  const late = (await read(operator)).lateTimers.find((timer) => timer.event.id === event.id);
  expect(late).toMatchObject({
    transition: "close_event",
    event: { title: "Still open?", sessionSlug: null },
  });
  expect(late?.lateMs).toBeGreaterThanOrEqual(5_000);
});

test("each start of a process is on record", async () => {
  await recordProcess(deps, "start_process", "web-2");
  await recordProcess(deps, "start_process", "worker");
  const { starts } = await read(operator);
  const { release } = readVersion(deps.env);
  expect(starts.slice(0, 2)).toMatchObject([
    { process: "worker", pid: process.pid, release },
    { process: "web-2", pid: process.pid, release },
  ]);
});

test("while no worker runs the page says so first, and does not blame the mail server", async () => {
  await deps.pool.db.insert(mails).values({
    kind: "password_changed",
    recipient: "ana@example.test",
    attempts: 1,
    error: "connect ECONNREFUSED",
    dueAt: sql`clock_timestamp() + interval '1 hour'`,
  });
  const textOf = async (person: Person) => (await person.get("/admin", { accept: "text/html" })).text();
  const workersAre = (count: number) =>
    waitFor("the list of workers", async () => (await read(operator)).workers === count);
  const stop = startWorking(deps, "setAlarm");
  await workersAre(1);
  await lookTwice(deps);
  expect((await read(operator)).mails).toMatchObject({ waiting: 1, reason: "connect ECONNREFUSED" });
  const running = await textOf(admin);
  expect(running).not.toContain("No worker runs");
  expect(running).toContain("Mails are not sent");
  expect(running).toMatch(/The last attempt failed: (<[^>]*>)*connect ECONNREFUSED/);
  expect(running).toContain('value="send_waiting"');
  await stop();
  await workersAre(0);
  await lookTwice(deps);
  const stopped = await textOf(admin);
  expect(stopped).toContain("No worker runs");
  expect(stopped).toMatch(/No worker runs.*<b>What follows from it:<\/b> (<[^>]*>)*Mails are not sent/);
  expect(stopped).not.toContain("The last attempt failed");
});

test("an admin sends what waits; an operator and a player cannot, and nothing changes", async () => {
  const path = "/api/v1/operations/waiting/send";
  const asForm = { intent: "send_waiting" };
  const due = async () => (await read(operator)).mails.nextAt;
  const before = await due();
  for (const person of [operator, player]) expect((await person.send("POST", path)).status).toBe(403);
  expect((await postForm(operator, asForm)).status).toBe(403);
  expect((await postForm(player, asForm)).status).toBe(404);
  expect(await due()).toBe(before);
  const sent = await postForm(admin, asForm);
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/admin"]);
  expect(Date.parse((await due()) ?? "")).toBeLessThan(Date.parse(before ?? ""));
});

test("a job that a statement has failed says what the database said, without the statement and its values", async () => {
  const limited = await testDeps();
  await limited.pool.db.execute(sql`ALTER TABLE mails RENAME TO lost_mails`);
  const stop = startWorking(limited, "sendMail");
  await untilFailed(await limited.queues.byName.mails.add("send_mail", { mailId: 7 }));
  await stop();
  await limited.pool.db.execute(sql`ALTER TABLE lost_mails RENAME TO mails`);
  const { queues } = await showOperations(limited, new Date());
  expect(queues?.failed[0]?.reason).toMatch(/^relation "mails" does not exist/);
  expect(queues?.failed[0]?.reason).not.toMatch(/Failed query|update|params/i);
});

const other = await testDeps();
const { db } = other.pool;
const staff = await buildStaff(other);
const failed = { attempts: 1, error: "not today", dueAt: sql`game_now() + interval '1 hour'` };

/** What may wait, by the part that tells it. @returns ends it. */
const waiting: readonly [Part, () => Promise<() => Promise<unknown>>][] = [
  [
    "timers",
    async () => {
      const { id: eventId } = await buildDueEvent(other, -5_000);
      return () => closeEvent(other, { eventId, actor: null });
    },
  ],
  [
    "settlements",
    async () => {
      const { id: eventId } = await buildEvent(other, "open");
      await buildCall(other, { userId: (await buildPlayer(other)).id, eventId });
      await closeEvent(other, { eventId, actor: null });
      await resolveEvent(other, { eventId, actor: null, result: "true" });
      return () => payNow(other);
    },
  ],
  [
    "feed",
    async () => {
      await db.execute(sql`INSERT INTO outbox (kind, payload, created_at)
      VALUES ('wallet_changed', '{"userId": 1}', game_now() - interval '1 hour')`);
      return () => db.execute(sql`UPDATE outbox SET sent_at = game_now()`);
    },
  ],
  [
    "rows",
    async () => {
      await db
        .insert(failingRows)
        .values({ kind: "fact", rowId: 1, attempts: 2, reason: "broken", nextAt: new Date() });
      return () => db.delete(failingRows);
    },
  ],
  [
    "mails",
    async () => {
      await db.insert(mails).values({ kind: "password_changed", recipient: "ana@example.test", ...failed });
      return () => db.delete(mails);
    },
  ],
  [
    "pushes",
    async () => {
      const service = new PushService();
      afterFile(() => service.stop());
      const { id: subscriptionId } = await buildSubscriber(other, service);
      const about = { about: "event", aboutId: 1, service: service.origin } as const;
      await db.insert(pushMessages).values({ subscriptionId, ...about, ...failed });
      return () => db.delete(pushMessages);
    },
  ],
  // Its receiver has said when to ask again, so it does not fail.
  [
    "webhooks",
    async () => {
      const { id } = await buildWebhook(other, "http://127.0.0.1:1/");
      await buildDelivery(other, id);
      await db.update(webhookDeliveries).set(failed);
      return () => db.delete(webhookDeliveries);
    },
  ],
];

test.each(waiting)(
  "all is well, and nothing waits, only where no check and no list says otherwise: %s",
  async (part, plant) => {
    const says = async () => {
      const html = await (await staff.operator.get("/admin", { accept: "text/html" })).text();
      const { state } = await runCheck(other, part);
      return { isWell: html.includes("All is well"), state: state === "ok" };
    };
    await db.execute(sql`UPDATE outbox SET sent_at = game_now()`);
    await untilPasses(async () => expect(await says()).toEqual({ isWell: true, state: true }));
    const end = await plant();
    if (part !== "feed") await db.execute(sql`UPDATE outbox SET sent_at = game_now()`);
    await untilPasses(async () => expect(await says()).toEqual({ isWell: false, state: false }));
    await end();
  },
);

test("how late something is, is said in seconds, then in minutes, then in hours", () => {
  expect([200, 4_300, 720_000, 10_800_000].map(lateTime)).toEqual(["less than 1 s", "4 s", "12 min", "3 h"]);
});
