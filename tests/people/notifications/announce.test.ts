import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { notifications } from "#db/schema/notifications.ts";
import { users } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, client } = await testWorld();
const host = await build.admin();
const adminId = host.id;
const admin = await client(host);

const notificationsOf = (userId: number) =>
  db.select().from(notifications).where(eq(notifications.userId, userId));
const all = () => db.$count(notifications);

test("an announcement reaches players, guests and admins, but no robots or deactivated users", async () => {
  const player = await build.player();
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const [robot, gone] = [await build.player(), await build.player()];
  await db.update(users).set({ robot: true }).where(eq(users.id, robot.id));
  await db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.id, gone.id));

  const announcement = { title: " Doors open at eight ", body: "Be early." };
  const { status, body } = await admin.send("POST", "/api/v1/announcements", { announcement });
  expect(status).toBe(201);
  expect(body).toEqual({
    announcement: { title: "Doors open at eight", body: "Be early.", recipientsCount: 3 },
  });
  for (const id of [player.id, guest.id, adminId]) {
    expect(await notificationsOf(id)).toMatchObject([
      { kind: "announcement", title: "Doors open at eight", body: "Be early.", url: null, readAt: null },
    ]);
  }
  expect([...(await notificationsOf(robot.id)), ...(await notificationsOf(gone.id))]).toEqual([]);
  expect(await db.select().from(audit).where(eq(audit.action, "announce"))).toMatchObject([
    { actorId: adminId, after: { title: "Doors open at eight", recipientsCount: 3 } },
  ]);
});

test("an empty or too long announcement is refused, and nobody is notified", async () => {
  const before = await all();
  const refusals = [
    [{ title: " " }, { title: ["can't be blank"] }],
    [{}, { title: ["is required"] }],
    [{ title: "x".repeat(141) }, { title: ["is too long (maximum is 140 characters)"] }],
    [{ title: "Hello", body: "x".repeat(501) }, { body: ["is too long (maximum is 500 characters)"] }],
    [{ title: "Hello", url: "https://evil.example" }, { url: ["is invalid"] }],
  ] as const;
  for (const [announcement, errors] of refusals) {
    const answer = await admin.send("POST", "/api/v1/announcements", { announcement });
    expect(answer).toMatchObject({ status: 422, body: { errors } });
  }
  expect(await all()).toBe(before);
});
