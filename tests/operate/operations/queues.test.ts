import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { testDeps } from "#tests/support/deps.ts";
import { startWorking, untilFailed } from "./fail-job.ts";
import { buildStaff, lookTwice } from "./staff.ts";

const deps = await testDeps();
const { admin, operator, player, read, failedOf, postForm } = await buildStaff(deps);
/** A database without tables. */
const brokenDb = connect(deps.env.databaseUrl.replace(/(?<=@[^/]*\/)[^?]*/, "postgres")).db;

test("a queue is paused and resumed by an admin alone, says so, and the game's own are never paused", async () => {
  const path = (queue: string, what: string) => `/api/v1/operations/queues/${queue}/${what}`;
  const isPaused = () => deps.queues.byName.mails.isPaused();
  for (const person of [operator, player])
    expect((await person.send("POST", path("mails", "pause"))).status).toBe(403);
  expect((await postForm(operator, { intent: "pause", queue: "mails" })).status).toBe(403);
  expect(await isPaused()).toBe(false);
  expect((await postForm(admin, { intent: "pause", queue: "mails" })).status).toBe(303);
  expect(await isPaused()).toBe(true);
  expect((await admin.send("POST", path("mails", "pause"))).status).toBe(204);
  await lookTwice(deps);
  const shown = await read(operator);
  expect(shown.queues?.counts.find(({ name }) => name === "mails")?.paused).toBe(true);
  expect(shown.troubles?.find(({ part }) => part === "queues")).toMatchObject({
    what: "queues paused",
    detail: "Paused: mails.",
  });
  for (const person of [operator, player])
    expect((await person.send("POST", path("mails", "resume"))).status).toBe(403);
  expect(await isPaused()).toBe(true);
  expect((await admin.send("POST", path("mails", "resume"))).status).toBe(204);
  await lookTwice(deps);
  const resumed = await read(operator);
  expect(resumed.troubles?.some(({ part }) => part === "queues")).toBe(false);
  expect(resumed.pastTroubles?.[0]).toMatchObject({ what: "queues paused" });
  // One line each, though the pause was asked for twice.
  expect(resumed.switches?.map(({ action, name }) => `${action} ${name}`)).toEqual([
    "resume_queue mails",
    "pause_queue mails",
  ]);
  for (const queue of ["transitions", "settlements"]) {
    const refused = await admin.send("POST", path(queue, "pause"));
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "never_paused" }]);
  }
  expect((await admin.send("POST", path("no-queue", "pause"))).status).toBe(404);
  expect((await read(operator)).queues?.counts.every(({ paused }) => paused === false)).toBe(true);
});

test("a failed job says whether something else has done its work, and those that are done come last", async () => {
  const { queues, pool } = deps;
  const [sent, unsent] = await pool.db
    .insert(mails)
    .values([
      { kind: "password_changed", recipient: "a@example.test", sentAt: sql`clock_timestamp()` },
      { kind: "password_changed", recipient: "b@example.test" },
    ])
    .returning({ id: mails.id });
  const stop = startWorking({ ...deps, pool: { ...pool, db: brokenDb } }, "sendMail");
  const jobs = [sent, unsent].map((mail) => queues.byName.mails.add("send_mail", { mailId: mail?.id }));
  await untilFailed(...(await Promise.all(jobs)));
  await stop();
  const failed = await failedOf(operator);
  const open = failed.filter(({ queue }) => queue === "mails").map(({ isOpen }) => isOpen);
  expect(open).toEqual([true, false]);
  expect(failed.at(-1)?.isOpen).toBe(false);
});
