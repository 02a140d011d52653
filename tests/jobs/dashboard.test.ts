import { expect, test } from "bun:test";
import * as v from "valibot";
import { createDashboard } from "#jobs/dashboard.ts";
import { queueTitle } from "#src/operate/operations/contract.ts";
import { createServer } from "#src/server.ts";
import { startWorking } from "#tests/operate/operations/fail-job.ts";
import { buildStaff } from "#tests/operate/operations/staff.ts";
import { Person } from "#tests/people/users/person.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const BOARD = "/admin/queues";
const QUEUE = `${BOARD}/api/queues/Event%20timers`;

const { deps } = await testWorld();
const server = createServer(deps, { dashboard: createDashboard(deps.queues) });
const { admin, operator, player, read } = await buildStaff(deps, server);
const others: [who: string, person: Person][] = [
  ["a player", player],
  ["a signed-out visitor", new Person(server)],
];

const metric = v.object({ meta: v.object({ count: v.number() }) });
const queueMetrics = v.object({ completed: metric, failed: metric });

const boardQueues = v.object({
  queues: v.array(
    v.object({
      name: v.string(),
      statuses: v.array(v.string()),
      readOnlyMode: v.boolean(),
      allowRetries: v.boolean(),
    }),
  ),
});

const page = (person: Person, path = BOARD) => person.get(path, { accept: "text/html" });
/** A job for an event that does not exist, so that it has nothing to do. */
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
    expect((await person.send("PUT", `${QUEUE}/${job.id}/promote`)).status).toBe(404);
  }
  expect(await job.state()).toBe("delayed");
});

test("it has the queues of the operators' home, by the same names in the same order, without states that no job is in", async () => {
  const shown = v.parse(boardQueues, await (await operator.get(`${BOARD}/api/queues`)).json()).queues;
  const home = (await read(operator)).queues?.counts.map(({ name }) => queueTitle(name)) ?? [];
  expect(shown.map(({ name }) => name)).toEqual(home);
  // Bull Board sorts its overview itself.
  expect(home).toEqual(home.toSorted((one, other) => one.localeCompare(other)));
  const states = ["latest", "active", "waiting", "completed", "failed", "delayed"];
  for (const { name, statuses } of shown) expect([name, statuses]).toEqual([name, states]);
});

test("it changes nothing and offers nothing that would, to admins too", async () => {
  const job = await addJob({ delay: 3_600_000 });
  const changes: [method: string, path: string][] = [
    ["PUT", `${BOARD}/api/queues/pause`],
    ["PUT", `${BOARD}/api/queues/resume`],
    ...[
      "pause",
      "resume",
      "empty",
      "obliterate",
      "clean/delayed",
      "clean/retry",
      "retry/failed",
      "promote",
    ].map((what): [string, string] => ["PUT", `${QUEUE}/${what}`]),
    ...["concurrency", "rate-limit"].map((what): [string, string] => ["PUT", `${QUEUE}/${what}`]),
    ...["clean", "retry", "promote"].map((what): [string, string] => ["PUT", `${QUEUE}/${job.id}/${what}`]),
    ["PATCH", `${QUEUE}/${job.id}/update-data`],
    ["PATCH", `${QUEUE}/${job.id}/delay`],
    ["POST", `${QUEUE}/add`],
  ];
  const before = await deps.queues.byName.transitions.getJobCounts();
  for (const person of [admin, operator]) {
    const { queues } = v.parse(boardQueues, await (await person.get(`${BOARD}/api/queues`)).json());
    for (const queue of queues) expect(queue).toMatchObject({ readOnlyMode: true, allowRetries: false });
    for (const [method, path] of changes)
      expect([path, (await person.send(method, path)).status]).toEqual([path, 403]);
  }
  expect(await deps.queues.byName.transitions.getJobCounts()).toEqual(before);
  expect(await deps.queues.byName.transitions.isPaused()).toBe(false);
  expect(await job.state()).toBe("delayed");
});
