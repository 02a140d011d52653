import { Gauge, type Registry } from "prom-client";
import type { ProductState } from "./read-state.ts";

const SECOND_MS = 1_000;

type Queues = NonNullable<ProductState["redis"]>["queues"];
const jobStates = ["waiting", "active", "delayed", "failed"] as const satisfies (keyof Queues[number])[];

/** The gauges of the product's state, in a registry. @returns sets them; what is away has no value. */
export function createStateGauges(registry: Registry): (state: ProductState) => void {
  const create = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `called_it_${name}`, help, labelNames, registers: [registry] });
  const gauges = {
    up: create("up", "Whether a part answers: 1, or 0 while it is away.", ["part"]),
    outboxAge: create(
      "outbox_age_seconds",
      "How long ago the oldest fact became true that was not broadcast yet.",
    ),
    late: create("late_timer_seconds", "How late the latest timer is; 0 without one that is over 2 s late."),
    lateCount: create("late_timers", "Timers that are over 2 s late, at most 10."),
    idle: create(
      "idle_transaction_seconds",
      "For how long a transaction has kept locks while its process said nothing; 0 without one of over 2 s.",
    ),
    failingRows: create("failing_rows", "Rows whose work has failed twice or more and was not done since."),
    differences: create("books_differences", "What the last check of the books has found."),
    booksAge: create("books_check_age_seconds", "How long ago the books were checked."),
    unpaid: create("settlements_unpaid", "Settlements that have not paid all calls yet."),
    unpaidAge: create("settlement_backlog_seconds", "How long ago the oldest of them was decided."),
    mails: create(
      "mails",
      "Mails that were tried or are older than a minute and are not sent, and those that were given up.",
      ["state"],
    ),
    webhooks: create("webhooks_failing", "Webhooks that take no messages."),
    messages: create(
      "webhook_messages_waiting",
      "Messages to webhooks that were tried or are older than a minute and have not arrived.",
    ),
    jobs: create("jobs", "Jobs by queue and state.", ["queue", "state"]),
    workers: create("workers", "Worker processes that take jobs."),
  };
  return ({ database, redis }) => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    gauges.up.set({ part: "database" }, database === null ? 0 : 1);
    gauges.up.set({ part: "redis" }, redis === null ? 0 : 1);
    if (database !== null) setDatabase(gauges, database);
    // Without labels a gauge that was reset says 0, and not nothing.
    else for (const gauge of unlabelled(gauges)) gauge.remove();
    for (const queue of redis?.queues ?? [])
      for (const state of jobStates) gauges.jobs.set({ queue: queue.name, state }, queue[state]);
    if (typeof redis?.workers === "number") gauges.workers.set(redis.workers);
    else gauges.workers.remove();
  };
}

/** The gauge of what is degraded, in a registry. @returns sets it. */
export function createDegradedGauge(
  registry: Registry,
): (parts: readonly { part: string; isDegraded: boolean }[]) => void {
  const gauge = new Gauge({
    name: "called_it_degraded",
    help: "Whether a part does not work that requests can do without: 1, or 0 while it works. /ready has the cure.",
    labelNames: ["part"],
    registers: [registry],
  });
  return (parts) => {
    for (const { part, isDegraded } of parts) gauge.set({ part }, isDegraded ? 1 : 0);
  };
}

type Named = Record<
  | "outboxAge"
  | "late"
  | "lateCount"
  | "idle"
  | "failingRows"
  | "differences"
  | "booksAge"
  | "unpaid"
  | "unpaidAge"
  | "webhooks"
  | "messages",
  Gauge<never>
> & { mails: Gauge<"state"> };

function setDatabase(gauges: Named, state: NonNullable<ProductState["database"]>): void {
  const { books, settlements, mails } = state;
  gauges.outboxAge.set(state.outboxAgeMs / SECOND_MS);
  gauges.late.set(state.lateMs / SECOND_MS);
  gauges.lateCount.set(state.lateTimers);
  gauges.idle.set(state.idleTransactionMs / SECOND_MS);
  gauges.failingRows.set(state.failingRows);
  gauges.unpaid.set(settlements.unpaid);
  gauges.unpaidAge.set(settlements.ageMs / SECOND_MS);
  gauges.mails.set({ state: "waiting" }, mails.waiting);
  gauges.mails.set({ state: "failed" }, mails.failed);
  gauges.webhooks.set(state.webhooks.failing);
  gauges.messages.set(state.webhooks.waiting);
  if (books === null) return unset([gauges.differences, gauges.booksAge]);
  gauges.differences.set(books.differences);
  gauges.booksAge.set(books.ageMs / SECOND_MS);
}

function unlabelled({
  outboxAge,
  late,
  lateCount,
  idle,
  failingRows,
  differences,
  booksAge,
  ...rest
}: Named): Gauge<never>[] {
  return [
    outboxAge,
    late,
    lateCount,
    idle,
    failingRows,
    differences,
    booksAge,
    rest.unpaid,
    rest.unpaidAge,
    rest.webhooks,
    rest.messages,
  ];
}

function unset(gauges: readonly Gauge<never>[]): void {
  for (const gauge of gauges) gauge.remove();
}
