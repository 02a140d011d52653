import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { userRoles } from "#db/schema/users.ts";
import { createDashboard } from "#jobs/dashboard.ts";
import { withLock } from "#src/base/lock.ts";
import { createServer } from "#src/server.ts";
import { startWorking } from "#tests/operate/operations/fail-job.ts";
import { buildStaff } from "#tests/operate/operations/staff.ts";
import { givePassword, Person } from "#tests/people/users/person.ts";
import { buildAdmin, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { alarmOf, buildDueEvent } from "./due-events.ts";

const ORIGIN = "http://localhost:3000";
const BOARD = "/admin/queues";
const QUEUE = `${BOARD}/api/queues/transitions`;

const deps = await testDeps();
const server = createServer(deps, { dashboard: createDashboard(deps.queues) });
const { admin, operator, player } = await buildStaff(deps, server);
const others: [who: string, person: Person][] = [
  ["a player", player],
  ["a signed-out visitor", new Person(server)],
];

const metric = v.object({ meta: v.object({ count: v.number() }) });
const queueMetrics = v.object({ completed: metric, failed: metric });

const page = (person: Person, path = BOARD) => person.get(path, { accept: "text/html" });
const change = (person: Person, method: string, path: string, headers: Record<string, string> = {}) =>
  person.send(method, path, { headers: { origin: ORIGIN, ...headers } });
/** A job for an event that does not exist, so that a promoted or retried one has nothing to do. */
const addJob = async (options: { delay: number }) => {
  const alarm = { eventId: 999_999_999, transition: "close_event", version: 0 };
  const job = await deps.queues.byName.transitions.add("close_event", alarm, options);
  if (job.id === undefined) throw new Error("the job has no id");
  return { id: job.id, state: () => job.getState() };
};
const startAlarmWorker = () => startWorking(deps, "setAlarm");

test("admins and operators see the dashboard, which loads nothing from other hosts", async () => {
  for (const person of [admin, operator]) {
    const response = await page(person);
    expect(response.status).toBe(200);
    const policy = String(response.headers.get("content-security-policy"));
    const html = await response.text();
    expect(policy).not.toContain("http");
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(policy).toContain("script-src 'self';");
    const files = [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map((match) => String(match[1]));
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const { status, headers } = await person.get(`${BOARD}/${file}`);
      const caching = /^static\/(js|css)\//.test(file) ? "private, max-age=31536000, immutable" : "no-store";
      expect([file, status, headers.get("cache-control")]).toEqual([file, 200, caching]);
    }
  }
});

test("a job shows its event and version", async () => {
  const event = await buildDueEvent(deps, 3_600_000);
  await deps.queues.setAlarm(alarmOf(event), 3_600_000);
  const delayed = await deps.queues.byName.transitions.getDelayed();
  const job = delayed.find(({ data }) => Bun.deepEquals(data, alarmOf(event)));
  const response = await operator.get(`${QUEUE}/${job?.id}`);
  expect(await response.json()).toMatchObject({
    job: {
      name: "close_event",
      data: { eventId: event.id, transition: "close_event", version: event.scheduleVersion },
    },
    status: "delayed",
  });
});

test("operators see how many jobs were done and failed, and the newest that are done", async () => {
  const shown = async () => {
    const response = await operator.get(`${QUEUE}/metrics`);
    const { completed, failed } = v.parse(queueMetrics, await response.json());
    return { completed: completed.meta.count, failed: failed.meta.count };
  };
  const stop = startAlarmWorker();
  const before = await shown();
  const alarm = { eventId: 999_999_998, transition: "close_event", version: 0 } as const;
  const doneBefore = await deps.queues.byName.transitions.getCompletedCount();
  for (let version = 0; version < 3; version += 1) await deps.queues.setAlarm({ ...alarm, version }, 0);
  await deps.queues.byName.transitions.add("close_event", { eventId: "no number" });
  await waitFor("the jobs", async () => {
    const { completed, failed } = await shown();
    return completed === before.completed + 3 && failed === before.failed + 1;
  });
  expect(await deps.queues.byName.transitions.getCompletedCount()).toBe(doneBefore + 3);
  // BullMQ keeps as many as it is told with each job.
  const [newest] = await deps.queues.byName.transitions.getCompleted(0, 0);
  expect(newest?.opts.removeOnComplete).toEqual({ count: 1_000 });
  await stop();
});

test("for all others it is a 404", async () => {
  const job = await addJob({ delay: 3_600_000 });
  for (const [who, person] of others) {
    const nowhere = await page(person, "/nowhere");
    const hidden = await page(person);
    expect([who, hidden.status, nowhere.status]).toEqual([who, 404, 404]);
    expect(hidden.headers.get("content-security-policy")).toContain("'nonce-");
    expect(await hidden.text()).not.toContain("static/js");
    for (const path of [`${BOARD}/`, `${BOARD}/static/images/logo.svg`, `${BOARD}/api/queues`, QUEUE]) {
      const response = await person.get(path);
      expect([who, path, response.status]).toEqual([who, path, 404]);
      expect(await response.json()).toMatchObject({ error: "not found", code: "not_found" });
    }
    expect((await change(person, "PUT", `${QUEUE}/${job.id}/promote`)).status).toBe(404);
    expect((await person.send("PUT", `${QUEUE}/${job.id}/promote`)).status).toBe(404);
  }
  expect(await job.state()).toBe("delayed");
});

test("after the loss of a role it is a 404 at once", async () => {
  const user = await buildAdmin(deps);
  await givePassword(deps, user.id);
  const person = new Person(createServer(deps, { dashboard: createDashboard(deps.queues) }));
  await person.signIn(user.email);
  expect((await page(person)).status).toBe(200);
  await deps.pool.db.delete(userRoles).where(eq(userRoles.userId, user.id));
  expect((await page(person)).status).toBe(404);
});

test("an admin retries a failed job, and it runs", async () => {
  const event = await buildDueEvent(deps, -10);
  const stop = startAlarmWorker();
  // Holds the lock of the event until the job has failed.
  const job = await withLock(deps, `event:${event.id}`, async () => {
    const added = await deps.queues.byName.transitions.add("close_event", alarmOf(event));
    await waitFor("the job to fail", async () => (await added.getState()) === "failed");
    return added;
  });

  const refused = await change(operator, "PUT", `${QUEUE}/${job.id}/retry`);
  expect(refused.status).toBe(403);
  expect(await job.getState()).toBe("failed");
  expect((await readEvent(deps, event.id)).state).toBe("open");

  expect((await change(admin, "PUT", `${QUEUE}/${job.id}/retry`)).status).toBe(204);
  await waitFor("the close", async () => (await readEvent(deps, event.id)).state === "closed");
  await stop();
});

test("an admin can promote a delayed job, an operator cannot", async () => {
  const job = await addJob({ delay: 3_600_000 });
  expect((await change(operator, "PUT", `${QUEUE}/${job.id}/promote`)).status).toBe(403);
  expect(await job.state()).toBe("delayed");
  expect((await change(admin, "PUT", `${QUEUE}/${job.id}/promote`)).status).toBe(204);
  expect(await job.state()).toBe("waiting");
});

test("a change without a same-origin header is refused", async () => {
  const job = await addJob({ delay: 3_600_000 });
  const path = `${QUEUE}/${job.id}/promote`;
  const foreign: Record<string, string>[] = [
    {},
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: ORIGIN, "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of foreign) expect((await admin.send("PUT", path, { headers })).status).toBe(422);
  expect(await job.state()).toBe("delayed");
  expect((await admin.send("PUT", path, { headers: { "sec-fetch-site": "same-origin" } })).status).toBe(204);
});

test("all other actions of the dashboard are refused, to admins too", async () => {
  const job = await addJob({ delay: 3_600_000 });
  const dangerous: [method: string, path: string][] = [
    ["PUT", `${BOARD}/api/queues/pause`],
    ["PUT", `${BOARD}/api/queues/resume`],
    ["PUT", `${QUEUE}/pause`],
    ["PUT", `${QUEUE}/resume`],
    ["PUT", `${QUEUE}/empty`],
    ["PUT", `${QUEUE}/obliterate`],
    ["PUT", `${QUEUE}/clean/delayed`],
    ["PUT", `${QUEUE}/clean/retry`],
    ["PUT", `${QUEUE}/concurrency`],
    ["PUT", `${QUEUE}/rate-limit`],
    ["PUT", `${QUEUE}/${job.id}/clean`],
    ["PATCH", `${QUEUE}/${job.id}/update-data`],
    ["PATCH", `${QUEUE}/${job.id}/delay`],
    ["POST", `${QUEUE}/add`],
  ];
  const before = await deps.queues.byName.transitions.getJobCounts();
  for (const person of [admin, operator]) {
    for (const [method, path] of dangerous) {
      expect([path, (await change(person, method, path)).status]).toEqual([path, 403]);
    }
  }
  expect(await deps.queues.byName.transitions.getJobCounts()).toEqual(before);
  expect(await deps.queues.byName.transitions.isPaused()).toBe(false);
  expect(await job.state()).toBe("delayed");
});

test("without a dashboard it is a 404 for admins too", async () => {
  const user = await buildAdmin(deps);
  await givePassword(deps, user.id);
  const person = new Person(createServer(deps));
  await person.signIn(user.email);
  expect((await page(person)).status).toBe(404);
  expect((await change(person, "PUT", `${QUEUE}/pause`)).status).toBe(404);
});
