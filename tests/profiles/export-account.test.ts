import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { notifications } from "#db/schema/notifications.ts";
import { signIns, users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildMessage } from "#tests/play/chat/fixtures.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, only } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { givePassword } from "../people/users/person.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);
const PATH = "/api/v1/users/me/export.json";

const exported = v.looseObject({
  profile: v.looseObject({ email: v.nullable(v.string()) }),
  calls: v.array(v.unknown()),
  transactions: v.array(v.unknown()),
  notifications: v.array(v.looseObject({ title: v.string() })),
  messages: v.array(v.unknown()),
  signIns: v.array(v.unknown()),
});

test("the export has everything of the player, and nothing of others", async () => {
  const [ana, ben] = [await buildPlayer(deps), await buildPlayer(deps)];
  await givePassword(deps, ana.id);
  await db.update(users).set({ phone: "+14155550188" }).where(eq(users.id, ana.id));
  const session = await buildRunningSession(deps, { settings: { teams: ["Foxes", "Owls"] } });
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  await buildCall(deps, { userId: ana.id, eventId: event.id, wagerCents: 300 });
  await buildCall(deps, { userId: ben.id, eventId: event.id, side: "false", wagerCents: 500 });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  await buildMessage(deps, { sessionId: session.id, userId: ana.id, body: "That was mine" });
  await buildMessage(deps, { sessionId: session.id, userId: ben.id, body: "That was his" });
  const browser = await signedInClient(deps, server, ana);
  const answer = await browser.get(PATH);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="called-it-account-${ana.id}.json"`,
  );
  expect(v.parse(exported, answer.body)).toMatchObject({
    profile: { id: ana.id, email: ana.email, phone: "+14155550188", username: ana.username },
    wallet: { balanceCents: 10_500 },
    calls: [{ wagerCents: 300, outcome: "won", payoutCents: 800 }],
    transactions: [{ kind: "grant" }, { kind: "hold" }, { kind: "settle" }],
    scores: [{ wins: 1 }, { wins: 1 }],
    sessionsJoined: [{ slug: session.slug, team: "Foxes" }],
    messages: [{ body: "That was mine" }],
    payments: [],
  });
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain("That was his");
  const secrets = only(await db.select().from(signIns).where(eq(signIns.userId, ana.id)));
  const { passwordHash } = only(await db.select().from(users).where(eq(users.id, ana.id)));
  for (const secret of [secrets.csrfSecret, String(passwordHash)]) expect(text).not.toContain(secret);
});

test("a long list is complete and in order", async () => {
  const player = await buildPlayer(deps);
  const titles = Array.from({ length: 1_203 }, (_, index) => `Notice ${index}`);
  await db
    .insert(notifications)
    .values(titles.map((title) => ({ userId: player.id, kind: "announcement" as const, title })));
  const browser = await signedInClient(deps, server, player);
  const { body } = await browser.get(PATH);
  expect(v.parse(exported, body).notifications.map(({ title }) => title)).toEqual(titles);
});

test("nobody gets an export without a sign-in, and none too often", async () => {
  expect((await (await signedOutClient(server)).get(PATH)).status).toBe(401);
  const browser = await signedInClient(deps, server, await buildPlayer(deps));
  const statuses = [];
  for (let time = 0; time < 21; time += 1) statuses.push((await browser.get(PATH)).status);
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
});
