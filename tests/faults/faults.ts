import type { Part } from "#src/operate/operations/contract.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, readEvent } from "#tests/support/build.ts";
import {
  allPaid,
  breakTable,
  delivered,
  held,
  holdTransaction,
  mailsSent,
  memory,
  pushesArrived,
  repairTable,
  sendPushes,
  writeMails,
  writeMessages,
} from "./plant.ts";
import type { WholeProduct } from "./whole-product.ts";

/** Something that goes wrong, and its cure. */
export type Fault = {
  name: string;
  begin: (product: WholeProduct) => unknown;
  end: (product: WholeProduct) => unknown;
  /** Which part it is told of, and in which words the log tells it. */
  part: Part;
  said: RegExp;
  /** The alert that it fires. */
  alert: string;
  /** What has waited is done. Left out: nothing has waited. */
  caughtUp?: (product: WholeProduct) => Promise<boolean> | boolean;
  /** Nobody can read the home meanwhile. */
  withoutHome?: boolean;
};

/** All that is tried. Each begins where all is well, and ends there. */
export const faults: readonly Fault[] = [
  {
    name: "Redis: stopped",
    begin: ({ redis }) => process.kill(redis.pid, "SIGSTOP"),
    end: ({ redis }) => process.kill(redis.pid, "SIGCONT"),
    part: "redis",
    said: /Redis is away/,
    alert: "RedisAway",
  },
  {
    name: "Redis: its memory is full",
    begin: memory("1"),
    end: memory("0"),
    part: "redis",
    said: /its memory is full/,
    alert: "Degraded",
  },
  {
    name: "Redis: a replica that takes no writes",
    begin: ({ redis }) => redis.command("REPLICAOF", "127.0.0.1", "1"),
    end: ({ redis }) => redis.command("REPLICAOF", "NO", "ONE"),
    part: "redis",
    said: /it is a replica/,
    alert: "Degraded",
  },
  {
    name: "Postgres: silent",
    begin: ({ database }) => database.freeze(),
    end: ({ database }) => database.thaw(),
    part: "database",
    said: /database away/,
    alert: "DatabaseAway",
    withoutHome: true,
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
    name: "mail server: stopped",
    begin: async (product) => {
      await product.mail.gate.close();
      await writeMails(product);
    },
    end: ({ mail }) => mail.gate.open(),
    part: "mails",
    said: /mails waiting/,
    alert: "MailsWait",
    caughtUp: mailsSent,
  },
  {
    name: "mail server: a passing 5xx for the sender",
    begin: async (product) => {
      product.mail.server.refuseWith(554, { at: "DATA", text: "5.7.0 too many today" });
      await writeMails(product);
    },
    end: ({ mail }) => mail.server.refuseWith(null),
    part: "mails",
    said: /mails waiting.*too many today|too many today.*mails waiting/,
    alert: "MailsWait",
    caughtUp: mailsSent,
  },
  {
    name: "webhook: its receiver answers 500",
    begin: async (product) => {
      product.receiver.state.status = 500;
      await writeMessages(product);
    },
    end: ({ receiver }) => {
      receiver.state.status = 204;
    },
    part: "webhooks",
    said: /webhooks failing/,
    alert: "WebhooksWait",
    caughtUp: delivered,
  },
  {
    name: "webhook: its receiver is stopped",
    begin: async (product) => {
      await product.receiver.gate.close();
      await writeMessages(product);
    },
    end: ({ receiver }) => receiver.gate.open(),
    part: "webhooks",
    said: /Nothing listens at this address/,
    alert: "WebhooksWait",
    caughtUp: delivered,
  },
  {
    name: "push service: stopped",
    begin: async (product) => {
      await product.push.gate.close();
      await sendPushes(product);
    },
    end: ({ push }) => push.gate.open(),
    part: "pushes",
    said: /pushes waiting/,
    alert: "PushesWait",
    caughtUp: pushesArrived,
  },
  {
    name: "bucket: stopped",
    begin: ({ bucket }) => bucket.gate.close(),
    end: ({ bucket }) => bucket.gate.open(),
    part: "storage",
    said: /storage refuses/,
    alert: "Degraded",
  },
  {
    name: "bucket: denies the key",
    begin: ({ bucket }) =>
      bucket.server.refuse({
        answer: () => new Response("<Error><Code>InvalidAccessKeyId</Code></Error>", { status: 403 }),
      }),
    end: ({ bucket }) => bucket.server.refuse(null),
    part: "storage",
    said: /does not know this key/,
    alert: "Degraded",
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
    begin: async (product) => {
      await breakTable(product, "settlements", "true");
      const { id: sessionId } = await buildRunningSession(product.deps);
      const event = await buildEvent(product.deps, "open", { sessionId });
      await buildCall(product.deps, { userId: (await buildPlayer(product.deps)).id, eventId: event.id });
      for (const state of [{ state: "closed" }, { state_event: "resolve", result: true }])
        await product.admin("PATCH", `/api/v1/events/${event.id}/state`, { event: state });
    },
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
      await breakTable(product, "events", `OLD.id = ${id}`);
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
