import { and, isNull } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { enqueueDue } from "#src/base/due-rows.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { writePushes } from "#src/people/push/deliver-push.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { buildDelivery, deliveriesOf } from "#tests/webhooks/build-webhook.ts";
import type { NightMachine } from "./night-machine.ts";

// What the faults plant, and whether what has waited for their end is done.

/** Something that goes wrong on the machine, and its cure. */
export type Fault = {
  name: string;
  begin: (night: NightMachine) => unknown;
  /** Does what the cure says. @param said how the row reads. */
  end: (night: NightMachine, said: string) => unknown;
  /** The part of its one row. Null: what ends it by itself is no trouble, and no row is there. */
  part: Part | null;
  /** The words of its row, with those of its cure. */
  said: RegExp;
  /** The alert that it fires. Left out: none, or it is over before. */
  alert?: string;
  /** What has waited is done. Left out: nothing has waited. */
  caughtUp?: (night: NightMachine) => Promise<boolean> | boolean;
  /** The operators' home cannot be reached. */
  withoutHome?: boolean;
  /** One process looks at it from outside, each 45 s. */
  lookedAtFromOutside?: boolean;
  /** A row that may be there for a moment. */
  maybe?: Part;
};

/** Commands of an operator of the machine, as root. */
export const typed =
  (script: string) =>
  ({ run }: NightMachine): Promise<string> =>
    run(script);

/** A command that stands in the cure, and is typed. @param prompt where it is typed. */
export const asSaid = (command: string, prompt = "") => ({
  said: new RegExp(RegExp.escape(command)),
  end: typed(`${prompt}${command.replaceAll(/\S+/g, "'$&'")}`),
});

/** A server of the machine that is stopped for 2.5 s of each 2.7 s. @param which of pkill. */
export const slowed = (name: string, which: string) =>
  [
    typed(
      `systemd-run --quiet --unit=slow-${name} bash -c 'while :; do pkill -STOP ${which}; sleep 2.5; pkill -CONT ${which}; sleep 0.2; done'`,
    ),
    typed(`systemctl stop slow-${name}; pkill -CONT ${which}`),
  ] as const satisfies [Fault["begin"], Fault["end"]];

/** What plants something in the database. */
type Planted = { deps: Deps };

const MAILS = 12;
const MESSAGES = 25;

export async function writeMails({ deps }: Planted): Promise<void> {
  const { id: userId } = await buildPlayer(deps);
  for (let count = 0; count < MAILS; count += 1)
    await enqueueMail(
      deps,
      await writeMail(deps.pool.db, {
        kind: "password_changed",
        recipient: `a${count}@example.test`,
        userId,
      }),
    );
}

export async function writeMessages({ deps, webhookId }: Planted & { webhookId: number }): Promise<void> {
  for (let count = 0; count < MESSAGES; count += 1) {
    const id = await buildDelivery(deps, webhookId);
    await enqueueDue(deps, deliveryRows, [{ id }]);
  }
}

export async function mailsSent({ deps }: Planted): Promise<boolean> {
  return (await deps.pool.db.$count(mails, and(isNull(mails.sentAt), isNull(mails.failedAt)))) === 0;
}

export async function allPaid({ deps }: Planted): Promise<boolean> {
  return (await listUnpaidSettlements(deps.pool.db)).length === 0;
}

export const delivered = async ({ deps, webhookId }: Planted & { webhookId: number }) =>
  (await deliveriesOf(deps, webhookId)).every(({ deliveredAt }) => deliveredAt !== null);

const pushed: { subscribers: Awaited<ReturnType<NightMachine["subscribe"]>>[] } = { subscribers: [] };

export async function sendPushes(product: NightMachine): Promise<void> {
  const session = await buildRunningSession(product.deps);
  pushed.subscribers = [];
  for (let count = 0; count < 3; count += 1) {
    const subscriber = await product.subscribe();
    pushed.subscribers.push(subscriber);
  }
  await writePushes(product.deps, { about: "session", id: session.id });
}

export const pushesArrived = ({ push }: NightMachine) =>
  pushed.subscribers.every(({ browser }) => push.server.deliveriesTo(browser).length > 0);

/** While it is there, every change of this table fails. */
export const breakTable = async (
  { deps }: Planted,
  table: string,
  { condition = "true", error = "'a fault that is planted'" } = {},
) => {
  await deps.pool.sql.unsafe(`CREATE OR REPLACE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION ${error}; END $$`);
  await deps.pool.sql.unsafe(
    `CREATE TRIGGER planted BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION planted()`,
  );
};
export const repairTable = ({ deps }: Planted, table: string) =>
  deps.pool.sql.unsafe(`DROP TRIGGER planted ON ${table}`);

export const held = { eventId: 0 };

/** A psql that has forgotten its transaction. */
export async function holdTransaction({ deps, run }: NightMachine): Promise<void> {
  const { id } = await buildEvent(deps, "open");
  const said = `SET idle_in_transaction_session_timeout = 0; BEGIN; UPDATE events SET title = title WHERE id = ${id};`;
  await run(
    `systemd-run --quiet --unit=forgotten --property=EnvironmentFile=/etc/called-it.env bash -c '(echo "${said}"; sleep 600) | psql --quiet $DATABASE_URL'`,
  );
}

/** A result that cannot be paid. */
export async function decideUnpaid(
  product: Planted & Pick<NightMachine, "admin">,
  error?: string,
): Promise<void> {
  await breakTable(product, "settlements", { ...(error !== undefined && { error }) });
  const { id: sessionId } = await buildRunningSession(product.deps);
  const event = await buildEvent(product.deps, "open", { sessionId });
  await buildCall(product.deps, { userId: (await buildPlayer(product.deps)).id, eventId: event.id });
  for (const state of [{ state: "closed" }, { state_event: "resolve", result: true }])
    await product.admin("PATCH", `/api/v1/events/${event.id}/state`, { event: state });
}
