import { expect, test } from "bun:test";
import * as v from "valibot";
import { flagOf, readAssumptions } from "./assumptions.ts";
import { findBrokenKeys, type Key } from "./check-keys.ts";
import { loadOf } from "./load.ts";
import { peakTraffic, planFor, playersUntil } from "./model.ts";
import { costAt, noCpu, type Units, unitsSchema } from "./units.ts";

const cpu = (web: number, postgres = 0) => ({ ...noCpu, web, postgres });
const page = { cpu: cpu(400), bytes: 5_000 };
const sizes = { walBytes: 1_000, diskBytes: 500 };

/** Round unit costs. */
const units: Units = v.parse(unitsSchema, {
  machine: "test",
  commit: "abc1234",
  measuredOn: "2026-11-23",
  stealShare: 0,
  idle: cpu(1_000),
  pages: { action: page, leaderboard: page, history: page, wallet: page },
  pageCurve: [
    { perSecond: 10, cpu: cpu(1_000) },
    { perSecond: 1_000, cpu: cpu(400) },
  ],
  firstVisitBytes: 150_000,
  connect: cpu(200),
  socketSecond: { cpu: cpu(1), bytes: 20 },
  delivery: cpu(2),
  call: { curve: [{ perSecond: 10, cpu: cpu(500, 1_000) }], bytes: 1_500, poolBytes: 600, ...sizes },
  event: { cpu: noCpu, messages: 6, messageBytes: 700, ...sizes },
  settled: { cpu: cpu(100, 200), bytes: 2_000, ...sizes },
  player: sizes,
  session: sizes,
  entryBytes: 200,
  idleDay: { walBytes: 0, diskBytes: 0 },
  memory: { webBytes: 2e8, workerBytes: 1e8, postgresBytes: 3e8, redisBytes: 1e7, socketBytes: 5_000 },
});
const nothing = { pages: 0, connects: 0, sockets: 0, calls: 0, settled: 0, events: 0 };

test("a load is the sum of its parts, in cores", () => {
  const { cores, deliveries, sentBytes } = loadOf(units, { ...nothing, calls: 100, sockets: 1_000 });
  // Four pool messages a second, whatever the number of calls.
  expect(deliveries).toBe(4_000);
  expect(cores.web).toBeCloseTo((1_000 + 100 * 500 + 1_000 * 1 + 4_000 * 2) / 1e6);
  expect(cores.postgres).toBeCloseTo((100 * 1_000) / 1e6);
  expect(sentBytes).toBe(100 * 1_500 + 1_000 * 20 + 4_000 * 600);
});

test("a cost between two measured rates lies between them, by the logarithm of the rate", () => {
  expect(costAt(units.pageCurve, 1).web).toBe(1_000);
  expect(costAt(units.pageCurve, 100).web).toBeCloseTo(700);
  expect(costAt(units.pageCurve, 50_000).web).toBe(400);
});

test("the peak follows from the assumptions", () => {
  const assumed = readAssumptions(["--live-share=0.5", "--calls-per-event=1", "--open-seconds=50"]);
  expect(peakTraffic(1_000, assumed)).toMatchObject({ sockets: 500, calls: 30 });
});

test("ten times as many players need at most about ten times as much, and something breaks first", () => {
  const assumed = readAssumptions([]);
  const [small, large] = [planFor(1e5, units, assumed), planFor(1e6, units, assumed)];
  expect(large.load.cores.postgres / small.load.cores.postgres).toBeCloseTo(10, 0);
  expect(large.machines.web).toBeGreaterThanOrEqual(small.machines.web);
  expect(large.monthly.tableBytes).toBeGreaterThan(small.monthly.tableBytes);
  const uses = large.limits.map(({ use }) => use);
  expect(uses).toEqual(uses.toSorted((a, b) => b - a));
  const first = large.limits[0]?.name ?? "";
  const players = playersUntil(first, units, assumed);
  expect(planFor(players, units, assumed).limits.find(({ name }) => name === first)?.use).toBeCloseTo(1);
});

test("each web process and each worker has the connections of its own pool and of its relay's", () => {
  const plan = planFor(1e6, units, readAssumptions(["--database-connections=100"]));
  expect(plan.connections).toBe((plan.webProcesses + plan.workerProcesses) * 20);
  const limit = plan.limits.find(({ name }) => name === "Postgres: its connections");
  expect(limit?.use).toBe(plan.connections / 100);
});

test("a flag that is unknown or no positive number is refused by its name", () => {
  expect(flagOf("liveShare")).toBe("--live-share");
  expect(() => readAssumptions(["--life-share=0.2"])).toThrow("--life-share");
  expect(() => readAssumptions(["--live-share=none"])).toThrow("--live-share: needs a positive number");
});

test("a key that several servers cannot hold is found", () => {
  const key = (terms: Pick<Key, "table" | "columns"> & Partial<Key>): Key => ({
    name: "key",
    kind: "unique",
    references: null,
    ...terms,
  });
  const users = { table: "users", columns: ["id"] };
  const broken = findBrokenKeys([
    key({ table: "calls", columns: ["user_id", "idempotency_key"] }),
    key({ table: "calls", columns: ["id"], kind: "primary" }),
    key({ table: "users", columns: ["email"] }),
    key({ table: "calls", columns: ["user_id"], kind: "foreign", references: users }),
    key({
      table: "audit",
      columns: ["actor_id"],
      kind: "foreign",
      references: users,
    }),
    key({
      table: "payments",
      columns: ["journal_id"],
      kind: "foreign",
      references: { table: "journal", columns: ["id"] },
    }),
  ]);
  expect(broken.map(({ table, why }) => `${table}: ${why}`)).toEqual([
    "calls: unique on one server only: without user_id",
    "users: unique on one server only: without id",
    "audit: users is distributed, audit is not",
    "payments: journal is on one server, payments on all",
  ]);
});
