import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "#db/client.ts";
import { makeDataDir, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { migrate } from "#db/migrate.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { buildDeps } from "#tests/support/deps.ts";
import { givePassword, Person } from "#tests/users/person.ts";

/** The tests work as the owner of the tables. */
const ownerServes = expect.stringContaining("MIGRATE_DATABASE_URL");
const usual = { leaving: false, locks: { given: 0, busy: 0, stale: 0, away: 0 } };

async function readyAnswer(server: ReturnType<typeof createServer>) {
  const response = await server.handle(new Request("http://localhost:3000/ready"));
  const body: unknown = await response.json();
  return { status: response.status, body };
}

test("while the database is away the answer is 503 with Retry-After; after that all works again", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-away-"));
  chmodSync(folder, 0o711);
  const dataFolder = dataFolderOf(path.join(folder, "data"));
  makeDataDir(dataFolder.dataDir);
  const first = await startPostgres(dataFolder, { durable: false });
  const rest = await buildDeps();
  const deps = { ...rest, pool: connect(dataFolder.ownerUrl) };
  const server = createServer(deps);

  expect(await readyAnswer(server)).toMatchObject({
    status: 503,
    body: { parts: { migrations: "pending" } },
  });
  await migrate(dataFolder.ownerUrl);
  expect(await readyAnswer(server)).toEqual({
    status: 200,
    body: {
      ready: true,
      parts: { database: "ok", redis: "ok", migrations: "ok", disk: "ok" },
      warnings: [ownerServes],
      ...usual,
    },
  });
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  await person.signIn(user.email);

  await first.stop();
  const away = await person.get("/api/v1/users/me");
  expect(away.status).toBe(503);
  expect(away.headers.get("retry-after")).toBe("2");
  expect(away.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await away.json()).toEqual({
    error: "Called It is catching its breath. Try again in a moment.",
    code: "unavailable",
    requestId: away.headers.get("x-request-id"),
  });
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(503);
  const page = await person.get("/sessions", { accept: "text/html" });
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  expect(await readyAnswer(server)).toEqual({
    status: 503,
    body: {
      ready: false,
      parts: { database: "away", redis: "ok", migrations: "away", disk: "ok" },
      warnings: [],
      ...usual,
    },
  });
  expect((await server.handle(new Request("http://localhost:3000/up"))).status).toBe(200);

  const second = await startPostgres(dataFolder, { durable: false });
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  expect(await readyAnswer(server)).toMatchObject({ status: 200 });
  await deps.pool.close();
  await second.stop();
  await rest.close();
});

test("while Redis is away the server is not ready, but still authenticates requests", async () => {
  const deps = await buildDeps();
  const server = createServer(deps);
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  await person.signIn(user.email);
  await deps.redis.shutdown("NOSAVE").catch(() => undefined);
  expect(await readyAnswer(server)).toEqual({
    status: 503,
    body: {
      ready: false,
      parts: { database: "ok", redis: "away", migrations: "ok", disk: "ok" },
      warnings: [ownerServes],
      ...usual,
    },
  });
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(204);
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
  await deps.close();
});
