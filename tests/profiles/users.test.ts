import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { profileAnswer, usersAnswer } from "#src/profiles/schemas.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await signedInClient(deps, server, await buildAdmin(deps));
const player = await buildPlayer(deps);
for (let count = 0; count < 4; count++) await buildPlayer(deps);

const list = async (query: string) => {
  const { body } = await admin.get(`/api/v1/users${query}`);
  return v.parse(usersAnswer, body);
};

describe("the list of users", () => {
  test("has the newest first, a page at a time", async () => {
    const all = await list("");
    expect(all.users.map(({ id }) => id)).toEqual(all.users.map(({ id }) => id).sort((a, b) => b - a));
    expect(all.meta).toMatchObject({ currentPage: 1, totalPages: 1, totalCount: 6 });
    const second = await list("?page=2&per_page=4");
    expect(second.users).toEqual(all.users.slice(4));
    expect(second.meta).toMatchObject({ currentPage: 2, totalPages: 2, totalCount: 6 });
  });

  test("finds by email and by username, whatever the letters' case", async () => {
    for (const word of [player.email ?? "", player.username.toUpperCase()]) {
      const { users } = await list(`?search=${encodeURIComponent(word)}`);
      expect(users).toMatchObject([{ id: player.id, email: player.email, roles: [], lockedAt: null }]);
    }
  });

  test("takes a search by its letters, not as a pattern", async () => {
    for (const search of ["%", "_______", "\\"]) {
      expect((await list(`?search=${encodeURIComponent(search)}`)).users, search).toEqual([]);
    }
    expect((await admin.get("/api/v1/users?search=%00")).status).toBe(422);
  });
});

test("an admin sees anybody's profile, and nobody's is not found", async () => {
  const { body } = await admin.get(`/api/v1/users/${player.id}`);
  const { user } = v.parse(profileAnswer, body);
  expect(user).toMatchObject({ id: player.id, email: player.email, wallet: { balanceCents: 10_000 } });
  for (const id of ["987654", "0", "me2", "1e3"]) {
    expect([id, (await admin.get(`/api/v1/users/${id}`)).status]).toEqual([id, 404]);
  }
});

test("a player sees the own profile alone, and no list", async () => {
  const self = await signedInClient(deps, server, player);
  expect((await self.get(`/api/v1/users/${player.id}`)).status).toBe(200);
  expect((await self.get(`/api/v1/users/${player.id + 1}`)).status).toBe(404);
  expect((await self.get("/api/v1/users")).status).toBe(403);
  expect((await (await signedOutClient(server)).get("/api/v1/users")).status).toBe(401);
});
