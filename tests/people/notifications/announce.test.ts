import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, client, read } = await testWorld();
const host = await build.admin();
const adminId = host.id;
const admin = await client(host);

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
    expect(await read.told(id)).toMatchObject([
      { kind: "announcement", title: "Doors open at eight", body: "Be early.", url: null, readAt: null },
    ]);
  }
  expect([...(await read.told(robot.id)), ...(await read.told(gone.id))]).toEqual([]);
  expect(await read.audit({ action: "announce" })).toMatchObject([
    { actorId: adminId, after: { title: "Doors open at eight", recipientsCount: 3 } },
  ]);
});
