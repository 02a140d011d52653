import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { createHub } from "#src/live/cable/hub.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { createProcessMetrics } from "#src/operate/metrics/process-metrics.ts";
import { testDeps } from "#tests/support/deps.ts";

const FOLDER = "deploy/observability";
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, "utf8");

const rulesFile = v.object({
  groups: v.array(
    v.object({
      rules: v.array(
        v.object({ alert: v.string(), expr: v.string(), annotations: v.object({ runbook: v.string() }) }),
      ),
    }),
  ),
});
const testsFile = v.object({ tests: v.array(v.object({ name: v.string() })) });
const dashboardFile = v.object({
  panels: v.array(v.object({ targets: v.optional(v.array(v.object({ expr: v.string() })), []) })),
});

const rules = v.parse(rulesFile, Bun.YAML.parse(read("alerts.yml"))).groups.flatMap((group) => group.rules);
const panels = v.parse(dashboardFile, JSON.parse(read("dashboard.json"))).panels;

/** Parts that may be missing, and whose absence has an alert of its own. */
const ownAlerts = {
  writes: "WritesRefused",
  processes: "ProcessSilent",
  worker: "WorkerStopped",
  queues: "QueuePaused",
  transactions: "TransactionHeld",
  rows: "RowsFail",
  timers: "TimerLate",
  settlements: "SettlementStuck",
  feed: "FeedBehind",
  mails: "MailsWait",
  webhooks: "WebhooksWait",
  pushes: "PushesWait",
  books: "BooksDiffer",
  cable: "CableRefused",
  address: "AddressUnreachable",
  certificate: "CertificateEnds",
  backups: "BackupMissing",
};

const deps = await testDeps();
const metrics = await createProcessMetrics(deps, createHub(deps)).read();
const served = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));

/** The metrics that a query names. Prometheus itself knows `up`. */
const namesIn = (query: string) =>
  [...query.matchAll(/\b(?:called_it|process|nodejs)_\w+/g)].map(([name]) =>
    served.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ""),
  );

test("each alert has a test, which alert-rules.proof.ts runs", () => {
  const tested = v.parse(testsFile, Bun.YAML.parse(read("alerts.test.yml"))).tests;
  expect(tested.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test("each alert says what to do, in the runbook that it names", () => {
  const sections = [...readFileSync("deploy/operate.md", "utf8").matchAll(/^### (\w+)\n(?=\S)/gm)];
  const runbooks = sections.map(([, name = ""]) => `deploy/operate.md#${name.toLowerCase()}`);
  expect(rules.map(({ annotations }) => annotations.runbook).toSorted()).toEqual(runbooks.toSorted());
});

test("the runbook of what is degraded says what each part means, unless the part has an alert of its own", () => {
  const [, runbook = ""] =
    /^### Degraded\n(.*?)^### /ms.exec(readFileSync("deploy/operate.md", "utf8")) ?? [];
  const parts = adminChecks.filter(({ severity, part }) => severity === "degraded" && !(part in ownAlerts));
  expect(parts.filter(({ part }) => !runbook.includes(`\`${part}\`:`))).toEqual([]);
  const { expr = "" } = rules.find(({ alert }) => alert === "Degraded") ?? {};
  expect(expr).toContain(`part!~"${Object.keys(ownAlerts).join("|")}"`);
  expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(Object.values(ownAlerts)));
});

test("every metric of an alert or of the dashboard is one that a process serves, and all of ours are used", () => {
  const queries = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = new Set(queries.flatMap(namesIn));
  expect([...named].filter((name) => !served.has(name))).toEqual([]);
  const own = [...served].filter((name) => name?.startsWith("called_it_"));
  expect(own.filter((name) => name !== undefined && !named.has(name))).toEqual([]);
});
