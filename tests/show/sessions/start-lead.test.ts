import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { events } from "#db/schema/events.ts";
import { createServer } from "#src/server.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { buildAdmin, buildDraft, buildSession, readSession } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readEverything } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

/** A pending session: the first event opens with the start, the second by its offset; both are shown 10 s before. */
async function buildShow() {
  const session = await buildSession(deps);
  await buildDraft(deps, { sessionId: session.id, position: 1 });
  await buildDraft(deps, { sessionId: session.id, position: 2, startMode: "offset", offsetSeconds: 60 });
  const start = (body?: unknown) => asAdmin.send("PUT", `/api/v1/sessions/${session.slug}/start`, body);
  return { session, start };
}

async function plannedIn(sessionId: number) {
  const { startedAt } = await readSession(deps, sessionId);
  const rows = await deps.pool.db
    .select()
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(asc(events.position));
  const after = (moment: Date | null) => ((moment?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;
  return rows.map(({ opensAt, dueAt }) => ({ opens: after(opensAt), shown: after(dueAt) }));
}

test("the first event opens so many seconds after the start, and is shown at once; the whole plan is that much later", async () => {
  const { session, start } = await buildShow();
  const { status, body } = await start({ session: { in_seconds: 10 } });
  expect(status).toBe(200);
  expect(v.parse(sessionAnswer, body).session).toMatchObject({ state: "running", startLeadSeconds: 10 });
  expect(await plannedIn(session.id)).toEqual([
    { opens: 10, shown: 0 },
    { opens: 70, shown: 60 },
  ]);
});

test.each([undefined, {}, { session: {} }, { session: { in_seconds: 0 } }])(
  "%j starts the plan at once",
  async (body) => {
    const { session, start } = await buildShow();
    expect((await start(body)).status).toBe(200);
    expect((await plannedIn(session.id)).map(({ opens }) => opens)).toEqual([0, 60]);
  },
);

test("ten minutes is the most", async () => {
  const { session, start } = await buildShow();
  expect((await start({ session: { in_seconds: 600 } })).status).toBe(200);
  expect((await plannedIn(session.id))[0]).toMatchObject({ opens: 600, shown: 590 });
});

test.each([
  [{ in_seconds: -1 }, "inSeconds", "must be greater than or equal to 0"],
  [{ in_seconds: 601 }, "inSeconds", "must be less than or equal to 600"],
  [{ in_seconds: 1.5 }, "inSeconds", "must be an integer"],
  [{ in_seconds: "soon" }, "inSeconds", "is not a number"],
  [{ in_seconds: 10, lead: 5 }, "lead", "is invalid"],
])("%j is refused, and nothing changes", async (session, field, text) => {
  const { start } = await buildShow();
  const before = await readEverything(deps);
  expect(await start({ session })).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
  expect(await readEverything(deps)).toEqual(before);
});
