import { expect, test } from "bun:test";
import { inArray, sql } from "drizzle-orm";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { signIns } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { Person, buildMember } from "#tests/people/users/person.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, server, read } = await testWorld();
const player = await buildMember(deps);

/** A sign-in that expires in so many days (before now if negative). @returns its id. */
async function addSignIn(expiresInDays: number, { ended = false } = {}): Promise<string> {
  const days = (count: number) => sql`clock_timestamp() + make_interval(secs => ${count * 86_400})`;
  const [row] = await db
    .insert(signIns)
    .values({
      userId: player.id,
      csrfSecret: "secret",
      expiresAt: days(expiresInDays),
      endedAt: ended ? days(expiresInDays - 1) : null,
    })
    .returning({ id: signIns.id });
  return row?.id ?? "";
}

test("sign-ins that expired 30 days ago are deleted, ended or not; all others stay, and work", async () => {
  const person = new Person(server);
  await person.signIn(player.email);
  const { id: current } = await read.row(signIns);
  const kept = [current];
  for (const days of [14, 0.5, -1, -29.9])
    kept.push(await addSignIn(days), await addSignIn(days, { ended: true }));
  const old: string[] = [];
  // More than two parts.
  for (const days of [-30.1, -31, -400])
    old.push(await addSignIn(days), await addSignIn(days, { ended: true }));
  const subscription = { userId: player.id, p256dh: "key", auth: "secret", sessionLive: true, results: true };
  await db.insert(pushSubscriptions).values([
    { ...subscription, signInId: String(old[0]), endpoint: "https://push.example.test/old" },
    { ...subscription, signInId: current, endpoint: "https://push.example.test/current" },
  ]);

  await pruneTable(deps, signIns, 2);
  const left = await db.select({ id: signIns.id }).from(signIns);
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  expect(await db.$count(signIns, inArray(signIns.id, old))).toBe(0);
  const subscriptions = await db.select().from(pushSubscriptions);
  expect(subscriptions.map(({ signInId }) => signInId)).toEqual([current]);
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
  const listed: unknown = await (await person.get("/api/v1/users/me/account")).json();
  expect(listed).toMatchObject({ signIns: [{ id: current, current: true }, {}, {}] });

  await pruneTable(deps, signIns);
  expect(await db.$count(signIns)).toBe(kept.length);
});
