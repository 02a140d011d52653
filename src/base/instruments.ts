import { Counter, Histogram, Registry } from "prom-client";
import type { MeasuredBatch } from "./batcher.ts";

// Decision: a process counts into one registry, whose counters any file may increment: an increment costs 0.3 us. Labels have few
// values: routes are patterns, and nothing is labelled with an id. What is a state and not a number of events is read when somebody
// asks for it (src/operate/metrics/). The metrics of a process are of the process alone: Prometheus adds them up.

export const registry = new Registry();
const registers = [registry];

/** Upper bounds, in seconds. */
const ANSWERS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PARTS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const LATENESS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Counter({ name, help, labelNames, registers });

/** @param buckets their upper bounds, in seconds or in items. */
const histogram = <Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) => new Histogram({ name, help, buckets, labelNames, registers });

const requests = counter("called_it_http_requests_total", "Requests that were answered.", [
  "method",
  "route",
  "status",
]);
const requestSeconds = histogram(
  "called_it_http_request_seconds",
  "From a request to the start of its answer.",
  ANSWERS_S,
  ["route"],
);

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts an answered request. @param route a pattern; null: the path led nowhere. */
export function countRequest(answered: {
  method: string;
  route: string | null;
  status: number;
  tookMs: number;
}): void {
  const route = answered.route ?? "none";
  const method = methods.has(answered.method) ? answered.method : "other";
  requests.inc({ method, route, status: answered.status });
  requestSeconds.observe({ route }, answered.tookMs / 1_000);
}

const pageSeconds = histogram(
  "called_it_page_part_seconds",
  "Parts of a page: its read of the database, the loaders, rendering, and compressing.",
  PARTS_S,
  ["part"],
);
const pageParts = {
  read: pageSeconds.labels("read"),
  loaders: pageSeconds.labels("loaders"),
  render: pageSeconds.labels("render"),
  compress: pageSeconds.labels("compress"),
};

/** Notes how long a part of a page took. @param sinceMs when it began, from performance.now(). */
export function measurePagePart(part: keyof typeof pageParts, sinceMs: number): void {
  pageParts[part].observe((performance.now() - sinceMs) / 1_000);
}

export const calls = counter(
  "called_it_calls_total",
  "Calls by what became of them: placed, replayed, or the code of the refusal.",
  ["outcome"],
);
const batchSize = histogram("called_it_call_batch_size", "Calls of a batch.", SIZES);
const batchWait = histogram(
  "called_it_call_batch_wait_seconds",
  "How long the first call of a batch waited for it.",
  PARTS_S,
);
const batchSeconds = histogram(
  "called_it_call_batch_seconds",
  "How long a batch of calls took to be placed.",
  PARTS_S,
);

export function measureCallBatch({ size, waitedMs, tookMs }: MeasuredBatch): void {
  batchSize.observe(size);
  batchWait.observe(waitedMs / 1_000);
  batchSeconds.observe(tookMs / 1_000);
}

export const paymentMessages = counter(
  "called_it_payment_messages_total",
  "Messages of the payment provider by what became of them: taken, refused, unsigned, or foreign (about no payment of ours).",
  ["outcome"],
);

export const depositsRefused = counter(
  "called_it_deposits_refused_total",
  "Deposits that were refused by what keeps spending fair: limit, break, age or region.",
  ["by"],
);

export const breaksBegun = counter("called_it_breaks_begun_total", "Breaks that players have begun.", [
  "period",
]);

export const wrongJoinCodes = counter(
  "called_it_wrong_join_codes_total",
  "Join codes that were tried and that no session has.",
);

export const transactionsEnded = counter(
  "called_it_transactions_ended_total",
  "Transactions that idled with locks, which this process has ended because Postgres did not.",
);

export const settlements = {
  decided: counter("called_it_settlements_decided_total", "Results that were decided, corrections included."),
  paid: counter("called_it_settlements_paid_total", "Settlements that have paid all calls."),
  playersPaid: counter(
    "called_it_settlement_players_total",
    "Players that settlements have paid; one who is paid for two events counts twice.",
  ),
  partSeconds: histogram(
    "called_it_settlement_part_seconds",
    "How long a part of a settlement took.",
    PARTS_S,
  ),
};

const lateness = histogram(
  "called_it_transition_lateness_seconds",
  "How long after its due time a timed transition was made.",
  LATENESS_S,
  ["transition"],
);

/** Notes when a timer made a transition, by the database's clock. */
export function measureLateness(transition: string, dueAt: Date, madeAt: Date): void {
  lateness.observe({ transition }, Math.max(0, madeAt.getTime() - dueAt.getTime()) / 1_000);
}

const jobsDone = counter(
  "called_it_jobs_done_total",
  "Runs of jobs, by how they ended: done, again, failed.",
  ["queue", "result"],
);
const jobSeconds = histogram("called_it_job_seconds", "How long a run of a job took.", ANSWERS_S, ["queue"]);

/** Notes a run of a job. @param sinceMs when it began, from performance.now(). */
export function measureJob(queue: string, result: "done" | "again" | "failed", sinceMs: number): void {
  jobsDone.inc({ queue, result });
  jobSeconds.observe({ queue }, (performance.now() - sinceMs) / 1_000);
}

const catchUps = counter(
  "called_it_cable_catch_ups_total",
  "Clients that asked for what they had missed: complete, or a gap that made them read everything again.",
  ["result"],
);

export function countCatchUp(complete: boolean): void {
  catchUps.inc({ result: complete ? "complete" : "gap" });
}

export const cable = {
  opened: counter("called_it_cable_sockets_opened_total", "Sockets that were opened."),
  tooSlow: counter(
    "called_it_cable_slow_disconnects_total",
    "Clients that were disconnected because they read too slowly.",
  ),
  frames: counter("called_it_cable_frames_total", "Frames that were sent to subscriptions."),
  bytes: counter("called_it_cable_bytes_total", "Characters of the frames that were sent to subscriptions."),
};
