import { expect, test } from "bun:test";
import { count } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { updateProfile } from "#src/profiles/update-profile.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { createBlueprint, updateBlueprint } from "#src/show/blueprints/write-blueprint.ts";
import { createSession } from "#src/show/sessions/create-session.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, build, db } = await testWorld();
const [admin, player, session, blueprint] = [
  await build.admin(),
  await build.player(),
  await build.session(),
  await build.blueprint(),
];
const actor = { id: admin.id };

/** All rows that a name could have got into. */
async function readAll() {
  const [lines] = await db.select({ count: count() }).from(audit);
  return [
    await db.select().from(sessions),
    await db.select().from(blueprints),
    await db.select().from(users),
    await db.select().from(registrations),
    lines,
  ];
}

const named: [what: string, name: (name: string) => Promise<unknown>][] = [
  ["a session", (name) => createSession(deps, { actor, name }, null)],
  [
    "a session's new name",
    (name) => updateSession(deps, { actor, sessionId: session.id, changes: { name } }),
  ],
  ["a blueprint", (name) => createBlueprint(deps, { actor, name }, null)],
  ["a blueprint's new name", (name) => updateBlueprint(deps, { actor, blueprintId: blueprint.id, name })],
  ["a generated session", (name) => generateSession(deps, { actor, blueprintId: blueprint.id, name })],
  [
    "a display name",
    async (displayName) => {
      const viewer = await findViewer(db, player.id);
      await registerPlayer(deps, { slugOrId: session.slug, viewer, displayName });
    },
  ],
  [
    "a guest",
    (username) =>
      createGuest(deps, { address: "", userAgent: null }, { username: username.replaceAll(/\W+/g, "_") }),
  ],
  [
    "a player's new name",
    (username) =>
      updateProfile(deps, {
        userId: player.id,
        actor,
        change: { username: username.replaceAll(/\W+/g, "_") },
      }),
  ],
];

test.each(named)("%s with an insult is refused, and nothing changes", async (_, name) => {
  for (const text of ["Sh1t Show", "fu_ck this", "f-u-c-k off"]) {
    const before = await readAll();
    expect((await refusalOf(Promise.resolve(text).then(name))).status).toBe(422);
    expect(await readAll()).toEqual(before);
  }
});

test("names like Moby Dick are fine", async () => {
  for (const [index, [, name]] of named.entries()) await name(`Moby Dick ${index}`);
});
