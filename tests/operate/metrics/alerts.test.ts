import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { createHub } from "#src/live/cable/hub.ts";
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
const dashboardFile = v.object({
  panels: v.array(v.object({ targets: v.optional(v.array(v.object({ expr: v.string() })), []) })),
});

const rules = v.parse(rulesFile, Bun.YAML.parse(read("alerts.yml"))).groups.flatMap((group) => group.rules);
const panels = v.parse(dashboardFile, JSON.parse(read("dashboard.json"))).panels;

const deps = await testDeps();
const metrics = await createProcessMetrics(deps, createHub(deps)).read();
const served = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));

/** The metrics that a query names. Prometheus itself knows `up`. */
const namesIn = (query: string) =>
  [...query.matchAll(/\b(?:called_it|process|nodejs)_\w+/g)].map(([name]) =>
    served.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ""),
  );

test("Degraded leaves out what has an alert of its own, and nothing else", () => {
  const of = (alert: string) => rules.find((rule) => rule.alert === alert)?.expr ?? "";
  const left = /part!~"([^"]+)"/.exec(of("Degraded"))?.[1]?.split("|") ?? [];
  const partsOf = (expr: string) =>
    [...expr.matchAll(/called_it_degraded\{part=~?"([^"]+)"/g)].flatMap(([, list = ""]) => list.split("|"));
  const own = rules.flatMap(({ expr }) => partsOf(expr));
  // These are in an alert by another metric.
  const measured = "database worker transactions rows timers settlements feed mails webhooks books".split(
    " ",
  );
  expect(left.toSorted()).toEqual([...own, ...measured].toSorted());
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
