import { expect, test } from "bun:test";
import type { Deps } from "#src/base/deps.ts";
import { followReplica } from "#src/base/replica.ts";
import { createServer } from "#src/server.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { engineDeps } from "#tests/proofs/engines/engine-deps.ts";
import { startReplica } from "#tests/proofs/engines/replica.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { countStatements } from "#tests/support/count-statements.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// What is read from a streaming replica, and what is not.
const METRICS_TOKEN = "a token that only tests of replicas use";
const observer = { authorization: `Bearer ${METRICS_TOKEN}` };

const primary = await startPostgresEngine();
afterFile(() => primary.remove());
const standby = await startReplica(primary);
afterFile(() => standby.remove());
const withoutReplica = await engineDeps(primary, {
  DATABASE_REPLICA_URL: standby.url,
  DATABASE_SILENT_SECONDS: "3",
  METRICS_TOKEN,
});
const replica = followReplica(withoutReplica);
if (replica === undefined) throw new Error("the settings name a replica");
afterFile(() => replica.stop());
const deps: Deps = { ...withoutReplica, replica };
const server = createServer(deps);
const player = await buildPlayer(deps);
const credentials = await signInDirectly(deps, player);

const usable = () => waitFor("a fresh replica", () => replica.pool());
const unusable = () => waitFor("the primary to read for it", () => replica.pool() === null);

/** Asks, and counts how many statements the replica ran for the answer. */
async function ask(path: string, headers: Record<string, string> = credentials) {
  const pool = replica?.pool() ?? null;
  const counted = pool === null ? null : countStatements(pool);
  const response = await server.handle(new Request(`${deps.env.publicUrl}${path}`, { headers }));
  const text = await response.text();
  counted?.stop();
  return { status: response.status, text, late: counted?.count() ?? 0 };
}
const exported = () => ask("/api/v1/transactions.csv");

test("exports and replays of stopped sessions are read from the replica, and what follows a stream is not", async () => {
  const admin = await signInDirectly(deps, await buildAdmin(deps));
  const stopped = await buildRunningSession(deps);
  await stopSession(deps, { sessionId: stopped.id, actor: null });
  const live = await buildRunningSession(deps);
  await usable();
  await waitFor(
    "the session",
    async () => (await ask(`/api/v1/sessions/${stopped.slug}/replay`, admin)).late > 0,
  );
  const read = async (path: string) => {
    const { status, late } = await ask(path, admin);
    return [status, late > 0];
  };
  expect(await read(`/api/v1/sessions/${stopped.slug}/replay`)).toEqual([200, true]);
  expect(await read(`/api/v1/sessions/${stopped.slug}/replay/export?format=csv`)).toEqual([200, true]);
  expect(await read(`/api/v1/sessions/${stopped.slug}/audit`)).toEqual([200, true]);
  expect(await read("/api/v1/users")).toEqual([200, true]);
  expect(await read("/api/v1/transactions.csv")).toEqual([200, true]);
  expect(await read(`/api/v1/sessions/${live.slug}`)).toEqual([200, false]);
  expect(await read("/api/v1/scores/leaders")).toEqual([200, false]);
});

test("who has just changed something reads it, and a program always does", async () => {
  await usable();
  const changed = await server.handle(
    new Request(`${deps.env.publicUrl}/api/v1/users/${player.id}/notifications/read`, {
      method: "POST",
      headers: { ...credentials, origin: deps.env.publicUrl },
    }),
  );
  const wrote = changed.headers.getSetCookie().find((cookie) => cookie.startsWith("called_it_wrote=")) ?? "";
  expect(wrote).toContain("Max-Age=3");
  const cookie = `${credentials["cookie"] ?? ""}; ${wrote.split(";")[0] ?? ""}`;
  expect(await ask("/api/v1/transactions.csv", { ...credentials, cookie })).toMatchObject({
    status: 200,
    late: 0,
  });
  expect((await exported()).late).toBeGreaterThan(0);
});

test("a replica that refuses has not the last word, and one that falls behind is left out until it has caught up", async () => {
  await usable();
  await standby.run("SELECT pg_wal_replay_pause()");
  const newcomer = await buildPlayer(deps);
  const host = await buildAdmin(deps);
  const admin = await signInDirectly(deps, host);
  expect((await ask(`/api/v1/transactions.csv?user_id=${newcomer.id}`, admin)).status).toBe(200);
  await adjustWithAudit(deps.pool.db, {
    actorId: host.id,
    userId: player.id,
    amountCents: 777,
    reason: "A test",
    idempotencyKey: "adjust-1",
  });
  await unusable();
  expect(await exported()).toMatchObject({ late: 0, text: expect.stringContaining("7.77") });
  await standby.run("SELECT pg_wal_replay_resume()");
  await usable();
  const after = await exported();
  expect(after.late).toBeGreaterThan(0);
  expect(after.text).toContain("7.77");
});

test("while the replica is away the primary answers, and afterwards the replica again", async () => {
  await usable();
  await standby.kill();
  expect((await exported()).status).toBe(200);
  await unusable();
  expect(await exported()).toMatchObject({ status: 200, late: 0 });
  const ready = await server.handle(new Request(`${deps.env.publicUrl}/ready`, { headers: observer }));
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    degraded: expect.arrayContaining([
      expect.objectContaining({ what: "replica late", cure: expect.stringContaining("replica") }),
    ]),
  });
  await standby.start();
  await usable();
  expect((await exported()).late).toBeGreaterThan(0);
});
