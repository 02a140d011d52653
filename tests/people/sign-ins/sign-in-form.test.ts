import { expect, test } from "bun:test";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, PASSWORD, Person } from "../users/person.ts";

const ORIGIN = "http://localhost:3000";

const deps = await testDeps();
const server = createServer(deps);

/** Submits the page's form like a browser without JavaScript. */
function sendForm(person: Person, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return person.pass(
    new Request(`${ORIGIN}/users/sign_in`, {
      method: "POST",
      headers: { accept: "text/html", origin: ORIGIN, "sec-fetch-site": "same-origin", ...headers },
      body: new URLSearchParams(fields),
    }),
  );
}

async function openPage(person: Person): Promise<string> {
  const page = await person.get("/users/sign_in", { accept: "text/html" });
  expect(page.status).toBe(200);
  const token = /<input type="hidden" name="authenticity_token" value="([\w-]+)"/.exec(
    await page.text(),
  )?.[1];
  return String(token);
}

test("the form works without JavaScript, and its answer signs the browser in", async () => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  const token = await openPage(person);
  const response = await sendForm(person, {
    authenticity_token: token,
    "user[email]": String(user.email),
    "user[password]": PASSWORD,
  });
  expect(response.status).toBe(302);
  const cookies = response.headers.getSetCookie().map((line) => line.split("=")[0]);
  expect(cookies).toEqual(["called_it", "called_it_browser"]);
  expect((await person.get("/api/v1/users/me")).status).toBe(200);
});

test("a wrong password is reported in the form, and the browser is not signed in", async () => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const before = await deps.pool.db.$count(signIns);
  const person = new Person(server);
  const token = await openPage(person);
  const response = await sendForm(person, {
    authenticity_token: token,
    "user[email]": String(user.email),
    "user[password]": "not it",
  });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain("Invalid credentials or password.");
  expect(await deps.pool.db.$count(signIns)).toBe(before);
});

test("a form without its token, or from another site, is refused", async () => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const before = await deps.pool.db.$count(signIns);
  const person = new Person(server);
  const token = await openPage(person);
  const right = { "user[email]": String(user.email), "user[password]": PASSWORD };
  const refused = [
    await sendForm(person, right),
    await sendForm(person, { ...right, authenticity_token: "wrong" }),
    await sendForm(new Person(server), { ...right, authenticity_token: token }),
    await sendForm(person, { ...right, authenticity_token: token }, { origin: "https://evil.example" }),
  ];
  expect(refused.map((response) => response.status)).toEqual([422, 422, 422, 422]);
  expect(await deps.pool.db.$count(signIns)).toBe(before);
});
