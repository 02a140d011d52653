import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { bookChecks } from "#db/schema/books.ts";
import { checkBooks } from "#src/books/check-books.ts";
import { createServer } from "#src/server.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { startMailServer } from "#tests/mail/mail-server.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { runClock } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { Receiver } from "#tests/webhooks/receiver.ts";
import { alertFires, promtool } from "./firing-alerts.ts";

const FOLDER = "deploy/observability";
const METRICS_TOKEN = "a token that only tests of alerts use";
const PLANTED = ["BooksDiffer", "BooksUnchecked", "QueueStuck", "TimerLate"];

test("Prometheus accepts the rules, and each alert fires and is silent as its test says", async () => {
  expect(await promtool(FOLDER, "check", "rules", "alerts.yml")).toBe("passed");
  expect(await promtool(FOLDER, "check", "config", "--syntax-only", "prometheus.yml")).toBe("passed");
  expect(await promtool(FOLDER, "test", "rules", "alerts.test.yml")).toBe("passed");
});

test("a stuck queue, a late timer, and books that differ or are not checked are in the metrics, and their alerts fire", async () => {
  const deps = await testDeps({ METRICS_TOKEN }, { checkBooks: false });
  const server = createServer(deps);
  const folder = makeFileFolder();
  /** Whether one of these fires if all stays as the process serves it now. */
  const fires = async (...alerts: readonly string[]) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const answer = await server.handle(new Request("http://localhost:3000/metrics", { headers }));
    const served = await answer.text();
    const scrapes = { instance: "web-1", first: served, second: served, secondsApart: 1 };
    return alertFires(folder, [scrapes], ...alerts);
  };
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  await checkBooks(deps, null);
  expect(await fires(...PLANTED)).toBe(false);

  // No worker runs here, and no sweep.
  await deps.queues.byName.pictures.add("make_avatar", { userId: "nobody" });
  await runClock(deps.pool, { aheadMs: 3_600_000 });
  await deps.pool.db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE spots SET pool_cents = pool_cents + 5 WHERE event_id = ${event.id}`);
  });
  await checkBooks(deps, null);
  // As after an hour without a worker.
  await deps.pool.db.update(bookChecks).set({ checkedAt: sql`clock_timestamp() - interval '1 hour'` });
  for (const alert of PLANTED) await waitFor(alert, () => fires(alert));
});

const inhibitedAlert = v.object({
  labels: v.object({ alertname: v.string() }),
  status: v.object({ inhibitedBy: v.array(v.string()) }),
});

/** A real Alertmanager with the shipped file, whose addresses are servers of the test and whose pauses are short. */
async function startAlertmanager() {
  const [folder, port, mails] = [makeFileFolder(), freePort(), await startMailServer()];
  const [pager, outside] = [new Receiver(), new Receiver()];
  const config = readFileSync(`${FOLDER}/alertmanager.yml`, "utf8")
    .replace("mail.example.com:587", `${new URL(mails.url).host}\n  smtp_require_tls: false`)
    .replace(/ {2}smtp_auth_username.*\n {2}smtp_auth_password_file.*\n/, "")
    .replace("https://pager.example.com/called-it", pager.url)
    .replace("https://watchdog.example.com/called-it", outside.url)
    .replace("group_wait: 30s", "group_wait: 1s")
    .replace("mute_time_intervals: [night]", "");
  const file = path.join(folder, "alertmanager.yml");
  writeFileSync(file, config);
  const options = [`--config.file=${file}`, `--storage.path=${folder}`, "--cluster.listen-address="];
  const program = requireProgram("prometheus-alertmanager");
  const child = Bun.spawn([program, ...options, `--web.listen-address=127.0.0.1:${port}`], {
    stdout: "ignore",
    stderr: "ignore",
  });
  afterFile(() => {
    child.kill();
    return Promise.all([pager.stop(), outside.stop(), mails.stop(), child.exited]);
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    "Alertmanager",
    async () => (await fetch(`${origin}/-/ready`).catch(() => null))?.ok === true,
  );
  return {
    /** @param alerts their names, by severity. */
    fire: async (alerts: Readonly<Record<string, readonly string[]>>) => {
      const labels = Object.entries(alerts).flatMap(([severity, all]) =>
        all.map((alertname) => ({ labels: { alertname, severity } })),
      );
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(labels);
      await fetch(`${origin}/api/v2/alerts`, { method: "POST", headers, body });
    },
    /** The alerts that another one keeps from being told. */
    inhibited: async () => {
      const read = await (await fetch(`${origin}/api/v2/alerts?active=false&inhibited=true`)).json();
      const inhibited = v
        .parse(v.array(inhibitedAlert), read)
        .filter(({ status }) => status.inhibitedBy.length > 0);
      return inhibited.map(({ labels }) => labels.alertname).toSorted();
    },
    /** The alerts that came to the pager, to the watchdog and by mail. */
    told: () => ({
      pager: namesIn(pager.received.map(({ body }) => body)),
      outside: namesIn(outside.received.map(({ body }) => body)),
      mails: namesIn(mails.received.map(({ text }) => text.replaceAll(/=\r?\n/g, ""))),
    }),
  };
}

const names = readFileSync(`${FOLDER}/alerts.yml`, "utf8").matchAll(/- alert: (\w+)/g);
const known = [...names].map(([, name = ""]) => name);
const namesIn = (texts: readonly string[]) =>
  known.filter((name) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));

test("Alertmanager accepts its file, pages the cause alone, mails what warns, and tells the watchdog that alerts work", async () => {
  const file = `${FOLDER}/alertmanager.yml`;
  const checked = Bun.spawnSync([requireProgram("amtool", "prometheus-alertmanager"), "check-config", file]);
  expect([checked.exitCode, checked.stdout.toString()]).toEqual([0, expect.stringContaining("SUCCESS")]);
  // What its rules name is there.
  const named = [...readFileSync(file, "utf8").matchAll(/alertname(?:=~|=)"([^"]+)"/g)];
  expect(named.flatMap(([, list = ""]) => list.split("|")).filter((name) => !known.includes(name))).toEqual(
    [],
  );

  const alertmanager = await startAlertmanager();
  await alertmanager.fire({
    page: ["DatabaseAway", "ErrorsAnswered", "MigrationsPending", "TimerLate"],
    warn: ["JobsFailed", "PoolExhausted", "LocksDegraded", "MemoryGrows"],
    none: ["AlertsWork", "ServerWasAway"],
  });
  await untilPasses(() =>
    expect(alertmanager.told()).toEqual({
      pager: ["DatabaseAway"],
      outside: ["AlertsWork"],
      mails: ["DatabaseAway", "MemoryGrows"],
    }),
  );
  const followed = "ErrorsAnswered JobsFailed LocksDegraded MigrationsPending PoolExhausted TimerLate";
  expect(await alertmanager.inhibited()).toEqual(followed.split(" "));
});
