import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { sessions } from "#db/schema/sessions.ts";
import { RELAY_IDLE_MAX_MS, takeRelayLock } from "#src/base/outbox/outbox-rows.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { readFresh, RelayLease } from "#src/live/relay/relay-lease.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { startWebProcess } from "./worker-process.ts";

// The relay of a web process is stopped (SIGSTOP) while it holds the relay's lock and has just read what it is about to broadcast.

const { deps, db, build } = await testWorld();
const session = await build.runningSession();
const relays = await Relays.open(deps);
await relays.sendAndClear(relays.start());
await relays.stop();
const frozen = await startWebProcess(deps);
afterFile(async () => {
  process.kill(frozen.pid, "SIGCONT");
  await frozen.stop();
  await relays.stop();
  relays.listener.stop();
});

/** Changes the session and writes the fact. @returns its version. */
async function change(): Promise<number> {
  session.version += 1;
  await db.update(sessions).set({ version: session.version }).where(eq(sessions.id, session.id));
  await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
  return session.version;
}
const versions = () =>
  relays.listener
    .session(session.id)
    .flatMap((message) => (message.sourceType === "Session" ? [message.detail.version] : []));

/** The server process of the relay that has the lock and waits for the table of sessions, or null. */
async function findRelay(): Promise<number | null> {
  const [row] =
    await db.execute(sql`SELECT pid FROM pg_locks WHERE relation = 'sessions'::regclass AND NOT granted
    AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7702 AND granted)`);
  return row === undefined ? null : Number(row["pid"]);
}
const runs = async (pid: number) =>
  (await db.execute(sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`)).length > 0;

test("a relay that was frozen with the lock is replaced, and broadcasts nothing old when it wakes", async () => {
  const old = await change();
  await waitFor("the first change", () => versions().includes(old));
  const backend = await inTransaction(db, async (tx) => {
    await tx.execute(sql`LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE`);
    await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
    const pid = await waitFor("the relay to read", findRelay);
    process.kill(frozen.pid, "SIGSTOP");
    return pid;
  });
  relays.start().notifyRelay();
  const heard = versions().length;
  await waitFor("another relay to take over", () => versions().length > heard);
  await waitFor("the frozen relay's connection to end", async () => !(await runs(backend)));
  const newer = await change();
  await waitFor("the newer change", () => versions().includes(newer));
  await relays.stop();

  process.kill(frozen.pid, "SIGCONT");
  const last = await change();
  await waitFor("a change that only the woken relay can broadcast", () => versions().includes(last));
  const later = versions().slice(versions().indexOf(newer));
  expect(later).toEqual(later.toSorted((a, b) => a - b));
});

test("a relay may do nothing with its lock for 3 s, so another one takes over before pages count as late", async () => {
  const limit = await inTransaction(db, async (tx) => {
    await takeRelayLock(tx);
    const [row] = await tx.execute(
      sql`SELECT current_setting('idle_in_transaction_session_timeout') AS value`,
    );
    return String(row?.["value"]);
  });
  expect(limit).toBe("3s");
});

test("what a relay has read while it held the lock is broadcast only if it still holds it", async () => {
  const work = inTransaction(db, async (tx) => {
    await takeRelayLock(tx);
    const [row] = await tx.execute(sql`SELECT pg_backend_pid() AS pid`);
    const lease = new RelayLease(tx);
    await lease.prove();
    await waitFor("the database to end it", async () => !(await runs(Number(row?.["pid"]))));
    await lease.prove();
  });
  expect(await work.then(() => "proven", isDatabaseAway)).toBe(true);
});

test("a message that was read long before it could be sent is read again instead", async () => {
  const slowly = readFresh(() => Bun.sleep(RELAY_IDLE_MAX_MS));
  expect(await slowly.then(() => "sent", String)).toContain("old");
  expect(await readFresh(() => Promise.resolve("now"))).toBe("now");
});
