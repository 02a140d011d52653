import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { onlyDigits, RESERVED_SLUG, slugFormat } from "#db/lists/session-address.ts";
import { authorizeChannel } from "#src/live/cable/channels.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);

test("the migrated database has the same format of a slug as the program", async () => {
  const [check] = await deps.pool.db.execute<{ definition: string }>(
    sql`SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'sessions_slug'`,
  );
  const [format, digits] = [slugFormat.source, onlyDigits.source];
  expect(check?.["definition"]).toBe(
    `CHECK (((slug ~ '${format}'::text) AND (slug !~ '${digits}'::text) AND (slug <> '${RESERVED_SLUG}'::text)))`,
  );
});

test("a session is named by its slug and by its id without a leading zero, in every place", async () => {
  const player = await buildPlayer(deps);
  const { id, slug } = await buildRunningSession(deps);
  const headers = await signInDirectly(deps, player);
  const viewer = await findViewer(deps.pool.db, player.id);
  const statusOf = async (path: string, accept: string) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { ...headers, accept } });
    return (await server.handle(request)).status;
  };
  const findsIn = async (name: string) => {
    const identifier = JSON.stringify({ channel: "SessionsChannel", id: name });
    return {
      page: await statusOf(`/sessions/${name}`, "text/html"),
      session: await statusOf(`/api/v1/sessions/${name}`, "application/json"),
      events: await statusOf(`/api/v1/sessions/${name}/events`, "application/json"),
      leaders: await statusOf(`/api/v1/scores/leaders?session_id=${name}`, "application/json"),
      calls: await statusOf(`/api/v1/calls?session_id=${name}`, "application/json"),
      stream: (await authorizeChannel(deps.pool.db, viewer, identifier)) !== null,
    };
  };
  const all = (status: number) => ({
    page: status,
    session: status,
    events: status,
    leaders: status,
    calls: status,
    stream: status === 200,
  });
  for (const name of [slug, String(id)]) expect([name, await findsIn(name)]).toEqual([name, all(200)]);
  for (const name of [`0${id}`, "0", `${slug}-`, slug.toUpperCase()])
    expect([name, await findsIn(name)]).toEqual([name, all(404)]);
});
