import { Counter, Histogram, Registry } from "prom-client";
import type { MeasuredBatch } from "./batcher.ts";

// Decision: a process counts into one registry, whose counters any file may increment: an increment costs 0.3 us. Labels have few
// values: routes are patterns, and nothing is labelled with an id. What is a state and not a number of events is read when somebody
// asks for it (src/operate/metrics/). The metrics of a process are of the process alone: Prometheus adds them up.

/** The metrics of this process. */
export const registry = new Registry();
const registers = [registry];

/** Upper bounds, in seconds. */
const ANSWERS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PARTS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const LATENESS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const requests = new Counter({
  name: "called_it_http_requests_total",
  help: "Requests that were answered.",
  labelNames: ["method", "route", "status"],
  registers,
});
const requestSeconds = new Histogram({
  name: "called_it_http_request_seconds",
  help: "From a request to the start of its answer.",
  labelNames: ["route"],
  buckets: ANSWERS_S,
  registers,
});

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

const pageSeconds = new Histogram({
  name: "called_it_page_part_seconds",
  help: "Parts of a page: its read of the database, the loaders, rendering, and compressing.",
  labelNames: ["part"],
  buckets: PARTS_S,
  registers,
});
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

/** Calls by what became of them: "placed", "replayed", or the code of the refusal. */
export const calls = new Counter({
  name: "called_it_calls_total",
  help: "Calls by what became of them: placed, replayed, or the code of the refusal.",
  labelNames: ["outcome"],
  registers,
});
const batchSize = new Histogram({
  name: "called_it_call_batch_size",
  help: "Calls of a batch.",
  buckets: SIZES,
  registers,
});
const batchWait = new Histogram({
  name: "called_it_call_batch_wait_seconds",
  help: "How long the first call of a batch waited for it.",
  buckets: PARTS_S,
  registers,
});
const batchSeconds = new Histogram({
  name: "called_it_call_batch_seconds",
  help: "How long a batch of calls took to be placed.",
  buckets: PARTS_S,
  registers,
});

/** Notes a batch of placed calls. */
export function measureCallBatch({ size, waitedMs, tookMs }: MeasuredBatch): void {
  batchSize.observe(size);
  batchWait.observe(waitedMs / 1_000);
  batchSeconds.observe(tookMs / 1_000);
}

/** The payment provider's messages by what became of them: "taken", "refused", "unsigned", or "foreign": about no payment of ours. */
export const paymentMessages = new Counter({
  name: "called_it_payment_messages_total",
  help: "Messages of the payment provider by what became of them: taken, refused, unsigned, or foreign (about no payment of ours).",
  labelNames: ["outcome"],
  registers,
});

export const wrongJoinCodes = new Counter({
  name: "called_it_wrong_join_codes_total",
  help: "Join codes that were tried and that no session has.",
  registers,
});

export const transactionsEnded = new Counter({
  name: "called_it_transactions_ended_total",
  help: "Transactions that idled with locks, which this process has ended because Postgres did not.",
  registers,
});

export const settlements = {
  decided: new Counter({
    name: "called_it_settlements_decided_total",
    help: "Results that were decided, corrections included.",
    registers,
  }),
  paid: new Counter({
    name: "called_it_settlements_paid_total",
    help: "Settlements that have paid all calls.",
    registers,
  }),
  playersPaid: new Counter({
    name: "called_it_settlement_players_total",
    help: "Players that settlements have paid; one who is paid for two events counts twice.",
    registers,
  }),
  partSeconds: new Histogram({
    name: "called_it_settlement_part_seconds",
    help: "How long a part of a settlement took.",
    buckets: PARTS_S,
    registers,
  }),
};

/** How late a timed transition was made, by its name. */
const lateness = new Histogram({
  name: "called_it_transition_lateness_seconds",
  help: "How long after its due time a timed transition was made.",
  labelNames: ["transition"],
  buckets: LATENESS_S,
  registers,
});

/** Notes when a timer made a transition, by the database's clock. */
export function measureLateness(transition: string, dueAt: Date, madeAt: Date): void {
  lateness.observe({ transition }, Math.max(0, madeAt.getTime() - dueAt.getTime()) / 1_000);
}

const jobsDone = new Counter({
  name: "called_it_jobs_done_total",
  help: "Runs of jobs, by how they ended: done, again, failed.",
  labelNames: ["queue", "result"],
  registers,
});
const jobSeconds = new Histogram({
  name: "called_it_job_seconds",
  help: "How long a run of a job took.",
  labelNames: ["queue"],
  buckets: ANSWERS_S,
  registers,
});

/** Notes a run of a job. @param sinceMs when it began, from performance.now(). */
export function measureJob(queue: string, result: "done" | "again" | "failed", sinceMs: number): void {
  jobsDone.inc({ queue, result });
  jobSeconds.observe({ queue }, (performance.now() - sinceMs) / 1_000);
}

const catchUps = new Counter({
  name: "called_it_cable_catch_ups_total",
  help: "Clients that asked for what they had missed: complete, or a gap that made them read everything again.",
  labelNames: ["result"],
  registers,
});

/** Counts what clients were sent to catch up. */
export function countCatchUp(complete: boolean): void {
  catchUps.inc({ result: complete ? "complete" : "gap" });
}

export const cable = {
  opened: new Counter({
    name: "called_it_cable_sockets_opened_total",
    help: "Sockets that were opened.",
    registers,
  }),
  tooSlow: new Counter({
    name: "called_it_cable_slow_disconnects_total",
    help: "Clients that were disconnected because they read too slowly.",
    registers,
  }),
  frames: new Counter({
    name: "called_it_cable_frames_total",
    help: "Frames that were sent to subscriptions.",
    registers,
  }),
  bytes: new Counter({
    name: "called_it_cable_bytes_total",
    help: "Characters of the frames that were sent to subscriptions.",
    registers,
  }),
};
