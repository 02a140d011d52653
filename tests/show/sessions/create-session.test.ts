import { expect, test } from "bun:test";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { testWorld } from "#tests/support/world.ts";
import { invalidFields } from "./fixtures.ts";

const { db, build, read, client, unchanged, signedIn } = await testWorld({}, { poolSize: 10 });
const admin = await build.admin();
const [, asPlayer] = await signedIn.player();
const asAdmin = await client(admin);

const PATH = "/api/v1/sessions";
const post = (session: object) => asAdmin.send("POST", PATH, { session });

test("POST /api/v1/sessions creates a pending session with a slug made from its name", async () => {
  const { status, body } = await post({
    name: "  Friday night ",
    description: "Doors at eight",
    starts_at: "2026-12-04T19:00:00.000Z",
    settings: { small_room: true },
  });
  expect(status).toBe(201);
  const { session } = v.parse(sessionAnswer, body);
  expect(session).toMatchObject({
    name: "Friday night",
    slug: "friday-night",
    description: "Doors at eight",
    state: "pending",
    active: false,
    rehearsal: false,
    startsAt: "2026-12-04T19:00:00.000Z",
    blueprintId: null,
    eventsCount: 0,
    settings: { leadSeconds: 10, settlementDelaySeconds: 5, smallRoom: true },
  });
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_session",
    subjectType: "session",
    subjectId: session.id,
    sessionId: session.id,
    after: { slug: "friday-night", name: "Friday night" },
  });
  expect((await asPlayer.get(`${PATH}/friday-night`)).status).toBe(200);
});

test.each([
  ["Again", "again"],
  ["again!", "again-2"],
  ["AGAIN", "again-3"],
  ["2026", "session-2026"],
  ["new", "session-new"],
  ["日本", "riben"],
])("the slug of a new session %p gets the slug %s", async (name, slug) => {
  expect((await post({ name })).body).toMatchObject({ session: { name, slug } });
});

test("the slug of a new session: a free slug that is taken in the meantime is replaced by the next one", async () => {
  await post({ name: "Late" });
  const pending = await db.transaction(async (tx) => {
    await tx.insert(sessions).values({ name: "By hand", slug: "late-2" });
    const answer = post({ name: "Late" });
    await untilBlocked(db);
    return { answer };
  });
  expect(await pending.answer).toMatchObject({ status: 201, body: { session: { slug: "late-3" } } });
});

test.each<[object, string, string]>([
  ...invalidFields,
  [{ slug: "taken-one" }, "slug", "has already been taken"],
  [{ slug: "new" }, "slug", "is reserved"],
  [{ slug: "2026" }, "slug", "is invalid"],
  [{ slug: "Up Case" }, "slug", "is invalid"],
  [{ slug: "-a" }, "slug", "is invalid"],
])(
  "POST /api/v1/sessions with invalid data refuses %j, and nothing changes",
  async (session, field, text) => {
    await post({ name: "Taken", slug: "taken-one" });
    const answer = await unchanged(() => post({ name: "Final", ...session }));
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid", errors: { [field]: [text] } } });
  },
);
