import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { readEvent } from "#tests/support/build.ts";
import { databaseFaults } from "./database-faults.ts";
import type { Fault } from "./fault.ts";
import {
  allPaid,
  breakTable,
  decideUnpaid,
  held,
  holdTransaction,
  mailsSent,
  repairTable,
  writeMails,
} from "./plant.ts";
import { redisFaults } from "./redis-faults.ts";
import { serverFaults } from "./server-faults.ts";

/** All that is tried. Each begins where all is well, and ends there. */
export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...redisFaults,
  ...serverFaults,
  {
    name: "worker: frozen",
    begin: (product) => process.kill(product.worker().pid, "SIGSTOP"),
    end: (product) => process.kill(product.worker().pid, "SIGCONT"),
    part: "processes",
    said: /worker \(process \d+ on .* has said nothing/,
    alert: "ProcessSilent",
  },
  {
    name: "web process: frozen",
    begin: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGSTOP"),
    end: ({ otherWeb }) => process.kill(otherWeb.pid, "SIGCONT"),
    part: "processes",
    said: /web \(process \d+ on .* has said nothing/,
    alert: "ProcessSilent",
  },
  {
    name: "worker: killed",
    begin: async (product) => {
      await product.worker().kill();
      await writeMails(product);
    },
    end: (product) => product.startWorker(),
    part: "worker",
    said: /worker missing/,
    alert: "WorkerStopped",
    caughtUp: mailsSent,
  },
  {
    name: "queue: paused",
    begin: ({ admin }) => admin("POST", "/api/v1/operations/queues/pushes/pause"),
    end: ({ admin }) => admin("POST", "/api/v1/operations/queues/pushes/resume"),
    part: "queues",
    said: /Paused: pushes/,
    alert: "QueuePaused",
  },
  {
    name: "result: does not pay",
    begin: (product) => decideUnpaid(product),
    end: (product) => repairTable(product, "settlements"),
    part: "settlements",
    said: /settlements unpaid/,
    alert: "SettlementStuck",
    caughtUp: allPaid,
  },
  {
    name: "action: does not close",
    begin: async (product) => {
      const { id } = await buildDueEvent(product.deps, -1_000);
      held.eventId = id;
      await breakTable(product, "events", { condition: `OLD.id = ${id}` });
    },
    end: (product) => repairTable(product, "events"),
    part: "rows",
    said: /due_event \d+ failed/,
    alert: "TimerLate",
    caughtUp: async ({ deps }) => (await readEvent(deps, held.eventId)).state === "closed",
  },
  {
    name: "transaction: forgotten in a psql",
    begin: holdTransaction,
    end: () => held.connection?.close(),
    part: "transactions",
    said: /transactions held/,
    alert: "TransactionHeld",
  },
];
