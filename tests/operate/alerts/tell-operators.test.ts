import { beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { connect } from "#db/client.ts";
import { troubles } from "#db/schema/troubles.ts";
import { createLog } from "#src/base/log.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { ALIVE_KEY, Alerts, severityOf } from "#src/operate/alerts/tell-operators.ts";
import { Watch } from "#src/operate/checks/watch-checks.ts";
import { readEnv } from "#src/settings/env.ts";
import { startMailServer } from "#tests/mail/mail-server.ts";
import { seen } from "#tests/operate/checks/run-check.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { Receiver } from "#tests/webhooks/receiver.ts";

const [mails, chat] = [await startMailServer(), new Receiver()];
afterFile(() => Promise.all([mails.stop(), chat.stop()]));
const deps = await testDeps({
  ALERTS_TO: `${chat.url}/secret-of-chat`,
  SMTP_URL: mails.url,
  PUBLIC_URL: "https://play.example.test",
});
const alsoByMail = { ...deps.env, alertsTo: ["ops@example.test", ...deps.env.alertsTo] };
const away = {
  pool: connect("postgres://nobody:secret-of-db@127.0.0.1:1/nowhere"),
  redis: unreachableRedis(),
};
afterFile(() => away.pool.close());

const SECOND_MS = 1_000;
const message = v.object({ text: v.string(), content: v.string() });
/** The messages of the chat: the first line of each. */
const told = () =>
  chat.received.map(({ body }) => v.parse(message, JSON.parse(body)).text.split("\n")[0] ?? "");
const untilTold = (...lines: unknown[]) => untilPasses(() => expect<unknown[]>(told()).toEqual(lines));
const about = (text: string) => `play.example.test: ${text}`;
const over = (title: string): unknown =>
  expect.stringMatching(new RegExp(`: over after \\d+ (s|min): ${title}$`));

beforeEach(async () => {
  chat.received.length = 0;
  mails.received.length = 0;
  await deps.pool.db.delete(troubles);
  await deps.redis.flushdb();
  // It may be the hour of it.
  await deps.redis.set(ALIVE_KEY, "said");
});

type Changes = Partial<Pick<typeof deps, "env" | "pool" | "redis">>;

/** A process. `parts` may change while it runs. */
function startProcess(name: string, parts: Changes = {}) {
  const lines: string[] = [];
  const log = createLog({ production: true, logLevel: "info" }, name, (line) => lines.push(line));
  const current = { ...deps, ...parts, log };
  const [watch, alerts] = [new Watch(current), new Alerts(current)];
  let sinceStartMs = 0;
  return {
    lines,
    change: (changes: Changes) => Object.assign(current, changes),
    /** Looks twice, some seconds later than before. */
    look: async (states: Readonly<Record<string, string>>, seconds = 0) => {
      sinceStartMs += seconds * SECOND_MS;
      for (let looks = 0; looks < 2; looks += 1) {
        const { wrong, isNoted } = await watch.take(seen(states));
        await alerts.take({ wrong, isNoted }, new Date(Date.now() + sinceStartMs));
      }
    },
  };
}

const REDIS = "Redis does not answer";
const DATABASE = "The database does not answer";

test("a fault is told once it has lasted, by mail and to the chat, with cause, cure, time, processes and what follows, and so is its end", async () => {
  const env = alsoByMail;
  const [one, other] = [startProcess("web-1", { env }), startProcess("worker", { env })];
  const wrong = { redis: "away", broadcasts: "stuck" };
  for (const process of [one, other]) await process.look(wrong);
  for (const process of [one, other, one, other]) await process.look(wrong, 30);
  await untilTold(about(REDIS));
  const { text, content } = v.parse(message, JSON.parse(chat.received[0]?.body ?? ""));
  expect(content).toBe(text);
  expect(text).toMatch(
    /^.*\nRedis does not answer\.\nPages work and are not live.*Start Redis, or correct REDIS_URL\.\nSince 20\S+ \S+ UTC\. Seen by web-1 \(process.*, worker \(process.*\)\.\nWhat follows from it: Nothing can be broadcast\.\nhttps:\/\/play\.example\.test\/admin$/,
  );
  await untilPasses(() => expect(mails.received).toHaveLength(1));
  expect(mails.received[0]).toMatchObject({ to: ["ops@example.test"] });
  expect(mails.received[0]?.text).toMatch(
    /Subject: play\.example\.test: Redis does not answer\r\n[\s\S]*Start Redis/,
  );
  // It must be over for a minute.
  for (const seconds of [10, 70, 70]) for (const process of [one, other]) await process.look({}, seconds);
  await untilTold(about(REDIS), over(REDIS));
  await untilPasses(() => expect(mails.received).toHaveLength(2));
  expect([...one.lines, ...other.lines].join("")).not.toContain("secret-of-chat");
});

/** What is away, so that processes agree by what is left. */
const ways: [away: string, told: number, parts: Changes, states: Record<string, string>, title: string][] = [
  ["Redis", 1, { redis: away.redis }, { redis: "away" }, REDIS],
  ["the database", 1, { pool: away.pool }, { database: "away" }, DATABASE],
  ["both", 2, away, { database: "away" }, DATABASE],
];
test.each(ways)(
  "while %s is away two processes tell a fault %d times, and its end once",
  async (...[, times, parts, states, title]) => {
    const both = [startProcess("web-1", parts), startProcess("worker", parts)];
    for (const seconds of [0, 30, 30]) for (const process of both) await process.look(states, seconds);
    const begun = Array.from({ length: times }, () => about(title));
    await untilTold(...begun);
    for (const process of both) process.change({ pool: deps.pool, redis: deps.redis });
    for (const seconds of [10, 70, 70, 70]) for (const process of both) await process.look({}, seconds);
    await untilTold(...begun, over(title));
  },
);

test("one process that does not reach the database is told while the others do, and is over when it does", async () => {
  const [lost, other] = [startProcess("web-1", { pool: away.pool }), startProcess("worker")];
  for (const seconds of [0, 30, 30, 30, 30]) {
    await lost.look({ database: "away" }, seconds);
    await other.look({}, seconds);
  }
  await untilTold(about(DATABASE));
  lost.change({ pool: deps.pool });
  for (const seconds of [10, 70, 70]) for (const process of [lost, other]) await process.look({}, seconds);
  await untilTold(about(DATABASE), over(DATABASE));
});

test("what lasts for some seconds wakes nobody, and what comes and goes is one fault", async () => {
  const web = startProcess("web-1");
  await web.look({ worker: "missing" });
  await web.look({ worker: "missing" }, 10);
  await web.look({}, 10);
  await web.look({}, 90);
  for (let times = 0; times < 4; times += 1) {
    await web.look({ redis: "away" }, 5);
    await web.look({ redis: "away" }, 30);
    await web.look({}, 5);
    await web.look({}, 20);
  }
  await web.look({}, 90);
  await untilTold(about(REDIS), over(REDIS));
});

test("what only warns waits for the end of ALERTS_QUIET, and what pages does not", async () => {
  const zone = "Asia/Tokyo";
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" });
  const [from, until] = [-3_600_000, 7_200_000].map((ms) => clock.format(Date.now() + ms));
  const env = readEnv({ DATA_DIR: deps.env.dataDir, ALERTS_QUIET: `${from}-${until} ${zone}` });
  const web = startProcess("web-1", { env: { ...deps.env, alertsQuiet: env.alertsQuiet } });
  const warns = { mails: "waiting", backups: "failed", certificate: "ending" };
  const wrong = { ...warns, worker: "missing", address: "unreachable" };
  for (const seconds of [0, 130, 1_800]) await web.look(wrong, seconds);
  await untilPasses(() => {
    const all = ["No worker runs", "The public address does not answer"].map(about);
    expect(told().toSorted()).toEqual(all);
  });
  for (const seconds of [0, 7_000]) await web.look({ backups: "failed" }, seconds);
  await untilPasses(() => expect(told()).toContainEqual(about("The last backup failed")));
  expect(told()).not.toContainEqual(about("Mails are not sent"));
});

test("ten alerts of a kind are sent within an hour, then one that says how many more, and a page comes beside them", async () => {
  const web = startProcess("web-1");
  // Of these none follows from another one.
  const many =
    "rights clock disk evictions certificate replica smtp memory descriptors connections redis-memory proxy backups";
  const wrong = Object.fromEntries(many.split(" ").map((part) => [part, "refused"]));
  for (const seconds of [0, 130]) await web.look(wrong, seconds);
  await web.look({ ...wrong, books: "differ" }, 10);
  await web.look({ ...wrong, books: "differ" }, 30);
  await untilPasses(() => expect(told()).toHaveLength(11));
  expect(told()).toContain(about("The books differ"));
  await web.look({ ...wrong, books: "differ" }, 3_700);
  await untilPasses(() => expect(told().at(-1)).toBe(about("3 more alerts within an hour")));
});

test("once a day it says that it is alive, with what is wrong now and what has happened", async () => {
  await deps.redis.del(ALIVE_KEY);
  const zone = "UTC";
  const hour = new Date(Date.now() + 7_200_000).toISOString().slice(11, 13);
  const env = { ...deps.env, alertsQuiet: { from: "00:00", until: `${hour}:00`, zone } };
  const [one, other] = [startProcess("web-1", { env }), startProcess("worker", { env })];
  await one.look({ webhooks: "failing" });
  await one.look({ mails: "waiting" });
  for (const process of [one, other, one, other]) await process.look({ mails: "waiting" }, 7_200);
  await untilPasses(() => expect(told()).toContain(about("1 wrong now")));
  const alive = chat.received.map(({ body }) => body).filter((body) => body.includes("wrong now"));
  expect(alive).toEqual([
    expect.stringMatching(/Mails are not sent\..*In the last day:.*A webhook takes no messages: from 20/),
  ]);
});

test("an address that does not take an alert gets it again, while the others have it, and the log has no secret", async () => {
  const web = startProcess("web-1", { env: alsoByMail });
  chat.answerNext(new Response("no such channel", { status: 404 }));
  for (const seconds of [0, 30]) await web.look({ redis: "away" }, seconds);
  await untilTold(about(REDIS), about(REDIS));
  await untilPasses(() => expect(mails.received).toHaveLength(1));
  const failed = web.lines.filter((line) => line.includes("an alert could not be sent"));
  expect(failed).toEqual([expect.stringContaining("It answers 404. no such channel")]);
  expect(web.lines.join("")).not.toMatch(/secret-of|ops@/);
});

test("a process that cannot mail leaves it to one that can, and without an address nobody is told", async () => {
  const web = startProcess("web-1", { env: { ...alsoByMail, smtpUrl: null } });
  const silent = startProcess("web-2", { env: { ...deps.env, alertsTo: [] } });
  const worker = startProcess("worker");
  for (const process of [web, silent])
    for (const seconds of [0, 30, 30]) await process.look({ redis: "away" }, seconds);
  for (const seconds of [0, 30]) await worker.look({ redis: "away" }, seconds);
  await untilTold(about(REDIS));
  expect([...web.lines, ...silent.lines].join("")).not.toContain("operators were told");
});

test("what wakes somebody is the same here and in alerts.yml", () => {
  const rules = [
    ...readFileSync("deploy/observability/alerts.yml", "utf8").matchAll(
      /called_it_degraded\{part="(\w+)"\}.*\n(?: +for.*\n)? +labels: \{ severity: (\w+) \}/g,
    ),
  ].map(([, part = "", severity = ""]) => [part, severity]);
  expect(rules.length).toBeGreaterThan(7);
  expect(rules.map(([part = ""]) => [part, severityOf(part)])).toEqual(rules);
});
