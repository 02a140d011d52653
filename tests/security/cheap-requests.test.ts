import { expect, spyOn, test } from "bun:test";
import { signIns, users } from "#db/schema/users.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { FILE_LIMIT, FORM_LIMIT, JSON_LIMIT, readFormBody } from "#src/http/read-body.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { cleanLine } from "#src/http/texts/contract.ts";
import { listen } from "#tests/http/listen.ts";
import { buildMember, openBrowser, PASSWORD, type Person } from "#tests/people/users/person.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";

// What a stranger may send without end costs the server little: it is refused before it is parsed, changes nothing, and leaves
// nothing in Redis.
//
// | sent                                          | expected                                       |
// | a form without the token of its page          | 422, not parsed                                |
// | a form with two tokens                        | 400, not parsed                                |
// | a form or JSON that is too large              | 413, not parsed                                |
// | a picture's form, without an account          | 413 above the size of other forms, not parsed  |
// | a form or JSON with too many values           | 413, not parsed                                |
// | JSON that is nested too deeply                | 400, not parsed                                |
// | headers or a body that do not end             | see slow-requests.test.ts                      |
// | sign-ins beyond those of an address           | 429, no account is counted                     |
// | texts that look like what is searched in them | searched once, from their start to their end   |

const FORM = "application/x-www-form-urlencoded";

const { deps, db, server } = await testWorld();
const player = await buildMember(deps);

const state = async () => ({
  users: await db.$count(users),
  signIns: await db.$count(signIns),
  // Without the streams: the relay may broadcast what has made the guest meanwhile.
  redis: (await deps.redis.keys("*")).filter((key) => !key.startsWith("cable:")).toSorted(),
});
const visitor = () => openBrowser(server);
async function guest(): Promise<Person> {
  const person = await visitor();
  expect((await person.send("POST", "/users/guest")).ok).toBe(true);
  return person;
}
const sendForm = (
  person: Person,
  body: string | FormData,
  headers: Record<string, string> = {},
  path = "/users/sign_in",
) =>
  person.pass(
    new Request(`http://localhost:3000${path}`, {
      method: "POST",
      headers: { accept: "text/html", ...headers },
      body,
    }),
  );
const sendJson = (person: Person, body: string) => person.send("POST", "/users/sign_in", { body });
const fieldsOf = (count: number) => "a=1&".repeat(count);
const tokenPart = 'name="authenticity_token"\r\n';

const parsed = [
  spyOn(Response.prototype, "formData"),
  spyOn(Request.prototype, "formData"),
  spyOn(JSON, "parse"),
];
const isParsed = (text: string) =>
  parsed.some(({ mock }) => mock.calls.some((args: unknown[]) => args.length === 0 || args[0] === text));
afterTest(() => {
  for (const spy of parsed) spy.mockClear();
});

const multipart = new FormData();
for (let field = 0; field < 30; field += 1) multipart.append(`field${field}`, "1");
test.each<[string, string | FormData]>([
  ["a form without a token", fieldsOf(50)],
  ["a form with a wrong token", `authenticity_token=wrong&${fieldsOf(50)}`],
  ["a form in parts without a token", multipart],
])("nothing is parsed of: %s: 422", async (_what, body) => {
  const person = await visitor();
  const before = await state();
  const headers: Record<string, string> = typeof body === "string" ? { "content-type": FORM } : {};
  expect((await sendForm(person, body, headers)).status).toBe(422);
  expect(isParsed("")).toBe(false);
  expect(await state()).toEqual(before);
});

test.each<[string, (token: string) => string]>([
  ["a form that is too large", (token) => `authenticity_token=${token}&a=${"x".repeat(FORM_LIMIT.bytes)}`],
  ["a form with too many fields", (token) => `authenticity_token=${token}&${fieldsOf(FORM_LIMIT.values)}`],
])("%s is answered with 413, also with a token", async (_what, bodyWith) => {
  const person = await visitor();
  const before = await state();
  expect((await sendForm(person, bodyWith(person.token), { "content-type": FORM })).status).toBe(413);
  expect(isParsed("")).toBe(false);
  expect(await state()).toEqual(before);
});

const longList = `{"user":{"list":[${"1,".repeat(JSON_LIMIT.values)}1]}}`;
test.each<[string, string, number]>([
  ["JSON that is too large", `{"user":"${"x".repeat(JSON_LIMIT.bytes)}"}`, 413],
  ["JSON with too many values", longList, 413],
  ["JSON that is nested too deeply", `{"user":${"[".repeat(100)}${"]".repeat(100)}}`, 400],
  ["JSON that is nested too deeply and does not end", "[".repeat(1_000), 400],
])("nothing is parsed of: %s, which is refused", async (_what, body, status) => {
  const person = await visitor();
  const before = await state();
  expect((await sendJson(person, body)).status).toBe(status);
  expect(isParsed(body)).toBe(false);
  expect(await state()).toEqual(before);
});

test.each<[string, string, (token: string) => string]>([
  ["a form", FORM, (token) => `authenticity_token=${token}&authenticity_token=${token}`],
  ["a form in parts", "multipart/form-data; boundary=b", (token) => `${tokenPart}\r\n${token}\r\n`.repeat(2)],
])("nor of %s that has its token twice: 400", async (_what, type, bodyWith) => {
  const person = await visitor();
  const before = await state();
  expect((await sendForm(person, bodyWith(person.token), { "content-type": type })).status).toBe(400);
  expect(isParsed("")).toBe(false);
  expect(await state()).toEqual(before);
});

test.each([
  ["a visitor", visitor],
  ["a guest", guest],
])("nor of a picture's form of %s that is larger than other forms: 413", async (_who, opened) => {
  const person = await opened();
  const before = await state();
  const form = new FormData();
  form.set("authenticity_token", person.token);
  form.set("user[avatar]", new File([new Uint8Array(FORM_LIMIT.bytes)], "me.png", { type: "image/png" }));
  expect((await sendForm(person, form, {}, "/profile/avatar")).status).toBe(413);
  expect(isParsed("")).toBe(false);
  expect(await state()).toEqual(before);
});

test("a form and JSON of the ordinary size are read, whatever their texts contain", async () => {
  const person = await visitor();
  const password = `${",[{".repeat(40)}"\\\\`;
  const answer = await sendJson(person, JSON.stringify({ user: { email: "a@example.test", password } }));
  expect(answer.status).toBe(401);
  const form = new FormData();
  form.set("user[email]", "a@example.test");
  form.set("authenticity_token", person.token);
  expect((await sendForm(person, form)).status).not.toBe(413);
});

// Twice the text takes twice the time. If it took four times as long, these would take minutes or hours, and the tests would end
// without their answer.
const contextOf = (init: RequestInit) =>
  createRequestContext(new Request("http://localhost:3000/", { method: "POST", ...init }), "");

test("a text is searched from its start to its end once: the largest form, where each line looks like the start of the token's part", async () => {
  const body = tokenPart.repeat(FILE_LIMIT.bytes / tokenPart.length);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const searched = readFormBody(contextOf({ body, headers }), FILE_LIMIT).catch((error: unknown) => error);
  expect(await searched).toMatchObject({ status: 400 });
  const withoutEnd = tokenPart + "a: b\r\n".repeat(FORM_LIMIT.bytes);
  const { token } = await readFormBody(contextOf({ body: withoutEnd, headers }), FILE_LIMIT);
  expect(token).toBeNull();
});

test("a text is searched from its start to its end once: a line of the log, where each letter may be the first of an address", () => {
  const word = "a".repeat(1_000_000);
  expect(hideValues(word)).toBe(word);
  expect(hideValues(`${word} ana@example.test`)).toBe(`${word} [email]`);
});

test("a text is searched from its start to its end once: a chat message, with accents on one letter that have to be sorted", () => {
  expect(cleanLine(`a${"\u0315\u0316".repeat(1_000_000)}`).length).toBeLessThan(5);
});

test("sign-ins of one address beyond the burst are refused with 429, count for no account, and another address signs in", async () => {
  const { comeFrom } = listen({ ...deps, env: { ...deps.env, trustedProxies: ["127.0.0.1"] } });
  // Hashing sixty passwords would take as long as the window of the burst.
  const check = spyOn(Bun.password, "verify").mockImplementation(async (password) => password === PASSWORD);
  const attempts = await Promise.all(
    Array.from({ length: 80 }, (_, index) =>
      comeFrom("198.51.100.1").signIn(`nobody-${index}@example.test`, "wrong"),
    ),
  );
  const statuses = attempts.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  expect(await deps.redis.keys("rate:sign-in:account:nobody-*")).toHaveLength(60);
  expect((await comeFrom("198.51.100.2").signIn(player.email)).status).toBe(200);
  check.mockRestore();
});
