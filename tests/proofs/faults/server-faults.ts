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

type Both = readonly [begin: (night: NightMachine) => unknown, end: (night: NightMachine) => unknown];

/** Faults of one server of others. @param want what the product then wants of it. */
const faultsOf =
  (
    server: string,
    row: Pick<Fault, "part" | "alert" | "caughtUp">,
    want: (night: NightMachine) => unknown = () => undefined,
  ) =>
  (what: string, said: RegExp, [begin, end]: Both): Fault => ({
    name: `${server}: ${what}`,
    begin: async (night) => {
      await begin(night);
      await want(night);
    },
    end,
    said,
    ...row,
  });

type Gated = "mail" | "bucket" | "stripe" | "collector" | "receiver" | "push";
const closed = (server: Gated): Both => [
  (night) => night[server].gate.close(),
  (night) => night[server].gate.open(),
];
/** Three seconds are longer than anybody waits gladly, and not so long that all is given up. */
const late = (server: Gated, ms = 3_000): Both => [
  (night) => night[server].gate.delay(ms),
  (night) => night[server].gate.delay(0),
];
const mailRefused = (code: number, at: "MAIL FROM" | "DATA", text: string): Both => [
  ({ mail }) => mail.server.refuseWith(code, { at, text }),
  ({ mail }) => mail.server.refuseWith(null),
];

const mail = faultsOf("mail server", { part: "mails", alert: "MailsWait", caughtUp: mailsSent }, writeMails);
const bucket = faultsOf("bucket", { part: "storage", alert: "Degraded" });
/** Somebody wants to pay in. */
const stripe = faultsOf("Stripe", { part: "payments", alert: "Degraded" }, ({ admin }) => {
  void admin("POST", "/api/v1/payments", { payment: { amount: 5, of_age: true } });
});
/** It gets some with each request. */
const collector = faultsOf("collector of traces", { part: "traces", alert: "Degraded" });
const receiver = faultsOf(
  "receiver of a webhook",
  { part: "webhooks", alert: "WebhooksWait", caughtUp: delivered },
  writeMessages,
);
const push = faultsOf(
  "push service",
  { part: "pushes", alert: "PushesWait", caughtUp: pushesArrived },
  sendPushes,
);

/** What happens to the servers of others. What else each may answer has a test of its client. */
export const serverFaults: readonly Fault[] = [
  mail("answers after 3 s", /One has been under way for/, late("mail")),
  bucket("answers after 3 s", /storage slow/, late("bucket")),
  stripe("stopped", /payments refused.*STRIPE_SECRET_KEY/, closed("stripe")),
  stripe("does not know the key", /Correct STRIPE_SECRET_KEY/, [
    ({ stripe: { server } }) => server.breakWith(401),
    ({ stripe: { server } }) => server.breakWith(null),
  ]),
  stripe("answers after 3 s", /payments slow/, late("stripe")),
  {
    name: "Stripe: its endpoint is disabled",
    begin: ({ stripe: { server }, origin }) =>
      server.sendTo([{ url: `${origin}${WEBHOOKS_PATH}`, status: "disabled", enabled_events: ["*"] }]),
    end: ({ stripe: { server } }) => server.sendTo(404),
    part: "payments",
    said: /there must be an endpoint/,
    alert: "Degraded",
    lookedAtFromOutside: true,
  },
  collector("stopped", /traces lost/, closed("collector")),
  collector("answers after 3 s", /traces slow/, late("collector")),
  mail("stopped", /mails waiting/, closed("mail")),
  mail("a passing 5xx for the sender", /too many today/, mailRefused(554, "DATA", "5.7.0 too many today")),
  receiver("answers 500", /webhooks failing/, [
    ({ receiver: { state } }) => (state.status = 500),
    ({ receiver: { state } }) => (state.status = 204),
  ]),
  receiver("stopped", /webhooks failing/, closed("receiver")),
  push("stopped", /pushes waiting/, closed("push")),
  // There are few messages, and each attempt is seen once it has lasted for 2 s.
  push("answers after 7 s", /the push service is slow/, late("push", 7_000)),
  bucket("stopped", /storage refuses/, closed("bucket")),
  bucket("denies everything", /needs the rights to read/, [
    ({ bucket: { server } }) => server.refuse({ answer: () => problem(403, "AccessDenied") }),
    ({ bucket: { server } }) => server.refuse(null),
  ]),
  mail(
    "wants a password",
    /authentication required/,
    mailRefused(530, "MAIL FROM", "5.7.0 authentication required"),
  ),
];
