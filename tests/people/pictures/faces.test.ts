import { expect, test } from "bun:test";
import { users } from "#db/schema/users.ts";
import { sweepAvatars } from "#src/people/pictures/make-avatar.ts";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { Person, userIn } from "#tests/people/users/person.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, server, read, build } = await testWorld();
const get = (path: string, headers = {}) =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers }));

async function newGuest(user: object): Promise<{ person: Person; id: number }> {
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const response = await person.send("POST", "/users/guest", { body: { user } });
  expect(response.status).toBe(201);
  return { person, id: (await userIn(response)).id };
}

async function profileOf(person: Person): Promise<ProfileAnswer["user"]> {
  const { user }: ProfileAnswer = await (await person.get("/api/v1/users/me")).json();
  return user;
}

test("there are 24 different faces, and no other; a browser keeps them", async () => {
  const drawings = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const response = await get(`/api/v1/faces/${index + 1}`);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
      return response.text();
    }),
  );
  expect(new Set(drawings).size).toBe(24);
  for (const drawing of drawings) expect(drawing).toMatch(/^<svg xmlns="[^"]+"[^<]*>.*<\/svg>$/);
  for (const other of ["0", "25", "01", "-1", "x", "1.5"])
    expect([other, (await get(`/api/v1/faces/${other}`)).status]).toEqual([other, 404]);
  const etag = (await get("/api/v1/faces/7")).headers.get("etag") ?? "";
  expect((await get("/api/v1/faces/7", { "if-none-match": etag })).status).toBe(304);
});

test("a guest has the chosen face in all sizes, changes name and face, and takes both into the account", async () => {
  const { person, id } = await newGuest({ username: "Mia_1", face: 7 });
  const face = (number: number) => `/api/v1/faces/${number}`;
  expect(await profileOf(person)).toMatchObject({
    username: "Mia_1",
    avatar: { default: face(7), thumb: face(7), large: face(7), original: face(7) },
  });
  const change = { user: { username: "Mia_2", face: 24 } };
  expect((await person.send("PATCH", "/users/guest", { body: change })).status).toBe(200);
  // Nothing signs a face, so the sweep of the signatures leaves it as it is.
  await sweepAvatars(deps);
  const account = { email: "mia@example.test", password: "nine lives and a day", username: "Mia_2" };
  const body = { user: { ...account, password_confirmation: account.password } };
  expect((await person.send("POST", "/users/guest_registration", { body })).status).toBe(201);
  expect(await profileOf(person)).toMatchObject({
    id,
    guest: false,
    username: "Mia_2",
    avatar: { default: face(24) },
  });
  expect(
    (await person.send("PATCH", `/api/v1/users/${id}`, { body: { user: { avatar: null } } })).status,
  ).toBe(200);
  expect((await profileOf(person)).avatar.default).toBeNull();
  const both = { user: { avatar: null, face: 4 } };
  expect((await person.send("PATCH", `/api/v1/users/${id}`, { body: both })).status).toBe(422);
  // The guest is one no more.
  expect((await person.send("PATCH", "/users/guest", { body: { user: { face: 4 } } })).status).toBe(409);
  expect((await profileOf(person)).avatar.default).toBeNull();
});

test("an unknown face, a face beside a picture, and a name that is taken or an insult change nothing", async () => {
  const taken = await build.player();
  const { person, id } = await newGuest({ face: 3 });
  const before = await read.row(users, id);
  for (const user of [
    { face: 0 },
    { face: 25 },
    { face: 1.5 },
    { face: "7" },
    { face: 4, phone: "+14155550100" },
    { face: 4, username: taken.username },
    { face: 4, username: "f_u_c_k" },
  ]) {
    const response = await person.send("PATCH", "/users/guest", { body: { user } });
    expect([user, response.status]).toEqual([user, 422]);
  }
  const nobody = new Person(server);
  await nobody.get("/api/v1/users/me");
  const unsigned = await nobody.send("PATCH", "/users/guest", { body: { user: { face: 4 } } });
  expect(unsigned.status).toBe(401);
  expect(await read.row(users, id)).toEqual(before);
  const count = await deps.pool.db.$count(users);
  const stranger = new Person(server);
  await stranger.get("/api/v1/users/me");
  expect((await stranger.send("POST", "/users/guest", { body: { user: { face: 25 } } })).status).toBe(422);
  expect(await deps.pool.db.$count(users)).toBe(count);
});
