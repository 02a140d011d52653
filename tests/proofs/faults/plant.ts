import { SQL } from "bun";
import { and, isNull } from "drizzle-orm";
import { connectionOptions } from "#db/connection-options.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { mails } from "#db/schema/mails.ts";
import { enqueueDue } from "#src/base/due-rows.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { writePushes } from "#src/people/push/deliver-push.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { buildDelivery, deliveriesOf } from "#tests/webhooks/build-webhook.ts";
import type { WholeProduct } from "./whole-product.ts";

// What the faults plant, and whether what has waited for their end is done.

/** Something that goes wrong, and its cure. */
export type Fault = {
  name: string;
  begin: (product: WholeProduct) => unknown;
  end: (product: WholeProduct) => unknown;
  /** The part that is reported, and the words of its line in the log. */
  part: Part;
  said: RegExp;
  /** The alert that it fires. */
  alert: string;
  /** What has waited is done. Left out: nothing has waited. */
  caughtUp?: (product: WholeProduct) => Promise<boolean> | boolean;
  /** Nobody can read the home meanwhile. */
  withoutHome?: boolean;
};

const MAILS = 12;
const MESSAGES = 25;

export async function writeMails({ deps }: WholeProduct): Promise<void> {
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

export async function writeMessages({ deps, webhookId }: WholeProduct): Promise<void> {
  for (let count = 0; count < MESSAGES; count += 1) {
    const id = await buildDelivery(deps, webhookId);
    await enqueueDue(deps, deliveryRows, [{ id }]);
  }
}

export async function mailsSent({ deps }: WholeProduct): Promise<boolean> {
  return (await deps.pool.db.$count(mails, and(isNull(mails.sentAt), isNull(mails.failedAt)))) === 0;
}

export async function allPaid({ deps }: WholeProduct): Promise<boolean> {
  return (await listUnpaidSettlements(deps.pool.db)).length === 0;
}

export const delivered = async ({ deps, webhookId }: WholeProduct) =>
  (await deliveriesOf(deps, webhookId)).every(({ deliveredAt }) => deliveredAt !== null);

const pushed: { subscribers: Awaited<ReturnType<WholeProduct["subscribe"]>>[] } = { subscribers: [] };

export async function sendPushes(product: WholeProduct): Promise<void> {
  const session = await buildRunningSession(product.deps);
  pushed.subscribers = [];
  for (let count = 0; count < 3; count += 1) {
    const subscriber = await product.subscribe();
    pushed.subscribers.push(subscriber);
  }
  await writePushes(product.deps, { about: "session", id: session.id });
}

export const pushesArrived = ({ push }: WholeProduct) =>
  pushed.subscribers.every(({ browser }) => push.server.deliveriesTo(browser).length > 0);

/** While it is there, every change of this table fails. */
export const breakTable = async (
  { deps }: WholeProduct,
  table: string,
  { condition = "true", error = "'a fault that is planted'" } = {},
) => {
  await deps.pool.sql.unsafe(`CREATE OR REPLACE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION ${error}; END $$`);
  await deps.pool.sql.unsafe(
    `CREATE TRIGGER planted BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION planted()`,
  );
};
export const repairTable = ({ deps }: WholeProduct, table: string) =>
  deps.pool.sql.unsafe(`DROP TRIGGER planted ON ${table}`);

export const held: { connection: SQL | null; eventId: number } = { connection: null, eventId: 0 };

/** A psql that has forgotten its transaction. */
export async function holdTransaction({ deps }: WholeProduct): Promise<void> {
  const address = new URL(deps.env.databaseUrl);
  address.username = APPLICATION_ROLE;
  const [options] = connectionOptions(address.toString());
  const connection = new SQL({ ...options, max: 1 });
  held.connection = connection;
  const { id } = await buildEvent(deps, "open");
  await connection`SET idle_in_transaction_session_timeout = 0`;
  await connection.unsafe(`BEGIN; UPDATE events SET title = title WHERE id = ${id}`);
}

export const memory =
  (bytes: string) =>
  ({ redis }: WholeProduct) =>
    redis.command("CONFIG", "SET", "maxmemory", bytes);

/** A result that cannot be paid. */
export async function decideUnpaid(product: WholeProduct, error?: string): Promise<void> {
  await breakTable(product, "settlements", { ...(error !== undefined && { error }) });
  const { id: sessionId } = await buildRunningSession(product.deps);
  const event = await buildEvent(product.deps, "open", { sessionId });
  await buildCall(product.deps, { userId: (await buildPlayer(product.deps)).id, eventId: event.id });
  for (const state of [{ state: "closed" }, { state_event: "resolve", result: true }])
    await product.admin("PATCH", `/api/v1/events/${event.id}/state`, { event: state });
}

/** Changes what the application's role may do, and ends its connections, as a restart of Postgres does. */
export async function alterRole({ deps }: WholeProduct, change: string): Promise<void> {
  await deps.pool.sql.unsafe(`ALTER ROLE ${APPLICATION_ROLE} ${change};
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${APPLICATION_ROLE}' AND datname = current_database()`);
}
