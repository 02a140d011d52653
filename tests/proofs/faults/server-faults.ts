import { WEBHOOKS_PATH } from "#src/money/payments/contract.ts";
import { problem } from "#tests/support/s3-server.ts";
import type { NightMachine } from "./night-machine.ts";
import {
  delivered,
  type Fault,
  mailsSent,
  pushesArrived,
  sendPushes,
  writeMails,
  writeMessages,
} from "./plant.ts";

/** The mail server refuses, with a code and a text. */
const mailRefused = (
  name: string,
  [code, at, text]: [number, "MAIL FROM" | "RCPT TO" | "DATA", string],
): Fault => ({
  name: `mail server: ${name}`,
  begin: async (product) => {
    product.mail.server.refuseWith(code, { at, text });
    await writeMails(product);
  },
  end: ({ mail }) => mail.server.refuseWith(null),
  part: "mails",
  said: new RegExp(`mails waiting.*${text}|${text}.*mails waiting`),
  alert: "MailsWait",
  caughtUp: mailsSent,
});

/** The bucket answers each request so. */
const bucketRefuses = (name: string, answer: () => Response, said: RegExp): Fault => ({
  name: `bucket: ${name}`,
  begin: ({ bucket }) => bucket.server.refuse({ answer }),
  end: ({ bucket }) => bucket.server.refuse(null),
  part: "storage",
  said,
  alert: "Degraded",
});

/** The receiver of a webhook answers so. */
const receiverAnswers = (name: string, status: number): Fault => ({
  name: `webhook: its receiver ${name}`,
  begin: async (product) => {
    product.receiver.state.status = status;
    await writeMessages(product);
  },
  end: ({ receiver }) => {
    receiver.state.status = 204;
  },
  part: "webhooks",
  said: /webhooks failing/,
  alert: "WebhooksWait",
  caughtUp: delivered,
});

/** Somebody wants to pay in. */
const pay = ({ admin }: NightMachine) =>
  admin("POST", "/api/v1/payments", { payment: { amount: 5, of_age: true } });

/** The payment provider, when somebody wants to pay in. */
const paymentsFail = (
  name: string,
  [begin, end]: [(product: NightMachine) => unknown, (product: NightMachine) => unknown],
  said: RegExp,
): Fault => ({
  name: `Stripe: ${name}`,
  begin: async (product) => {
    await begin(product);
    void pay(product);
  },
  end,
  part: "payments",
  said,
  alert: "Degraded",
});

/** The collector of traces, which gets some with each request. */
const collectorFails = (
  name: string,
  [begin, end]: [(product: NightMachine) => unknown, (product: NightMachine) => unknown],
  said: RegExp,
): Fault => ({ name: `collector of traces: ${name}`, begin, end, part: "traces", said, alert: "Degraded" });

/** Longer than anybody waits gladly, and not so long that all is given up. */
const SLOW_MS = 3_000;

/** What happens to the servers of others. */
export const serverFaults: readonly Fault[] = [
  {
    name: "mail server: answers after 3 s",
    begin: async (product) => {
      product.mail.gate.delay(SLOW_MS);
      await writeMails(product);
    },
    end: ({ mail }) => mail.gate.delay(0),
    part: "mails",
    said: /One has been under way for/,
    alert: "MailsWait",
    caughtUp: mailsSent,
  },
  {
    name: "bucket: answers after 3 s",
    begin: ({ bucket }) => bucket.gate.delay(SLOW_MS),
    end: ({ bucket }) => bucket.gate.delay(0),
    part: "storage",
    said: /storage slow/,
    alert: "Degraded",
  },
  paymentsFail(
    "stopped",
    [({ stripe }) => stripe.gate.close(), ({ stripe }) => stripe.gate.open()],
    /payments refused.*STRIPE_SECRET_KEY/,
  ),
  paymentsFail(
    "does not know the key",
    [({ stripe }) => stripe.server.breakWith(401), ({ stripe }) => stripe.server.breakWith(null)],
    /Correct STRIPE_SECRET_KEY/,
  ),
  paymentsFail(
    "fails",
    [({ stripe }) => stripe.server.breakWith(503), ({ stripe }) => stripe.server.breakWith(null)],
    /status\.stripe\.com/,
  ),
  paymentsFail(
    "answers after 3 s",
    [({ stripe }) => stripe.gate.delay(SLOW_MS), ({ stripe }) => stripe.gate.delay(0)],
    /payments slow/,
  ),
  {
    name: "Stripe: its endpoint is disabled",
    begin: ({ stripe, origin }) =>
      stripe.server.sendTo([{ url: `${origin}${WEBHOOKS_PATH}`, status: "disabled", enabled_events: ["*"] }]),
    end: ({ stripe }) => stripe.server.sendTo(404),
    part: "payments",
    said: /there must be an endpoint/,
    alert: "Degraded",
    lookedAtFromOutside: true,
  },
  collectorFails(
    "stopped",
    [({ collector }) => collector.gate.close(), ({ collector }) => collector.gate.open()],
    /traces lost/,
  ),
  collectorFails(
    "answers after 3 s",
    [({ collector }) => collector.gate.delay(SLOW_MS), ({ collector }) => collector.gate.delay(0)],
    /traces slow/,
  ),
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
  mailRefused("a passing 5xx for the sender", [554, "DATA", "5.7.0 too many today"]),
  receiverAnswers("answers 500", 500),
  {
    name: "webhook: its receiver is stopped",
    begin: async (product) => {
      await product.receiver.gate.close();
      await writeMessages(product);
    },
    end: ({ receiver }) => receiver.gate.open(),
    part: "webhooks",
    said: /webhooks failing/,
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
    name: "push service: answers after 7 s",
    begin: async (product) => {
      // There are few messages, and each attempt is seen once it has lasted for 2 s.
      product.push.gate.delay(7_000);
      await sendPushes(product);
    },
    end: ({ push }) => push.gate.delay(0),
    part: "pushes",
    said: /the push service is slow/,
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
  bucketRefuses("denies everything", () => problem(403, "AccessDenied"), /needs the rights to read/),
  bucketRefuses("denies the key", () => problem(403, "InvalidAccessKeyId"), /does not know this key/),
  mailRefused("wants a password", [530, "MAIL FROM", "5.7.0 authentication required"]),
  receiverAnswers("wants another secret", 401),
  bucketRefuses("is not there", () => problem(404, "NoSuchBucket"), /Create the bucket/),
];
