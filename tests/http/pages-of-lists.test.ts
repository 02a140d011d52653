import { expect, test } from "bun:test";
import * as v from "valibot";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, signedIn } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();
for (let number = 1; number <= 5; number += 1) await build.session({ slug: `night-${number}` });
await build.blueprint([{}]);
const hello = { userId: admin.id, kind: "announcement" as const, title: "Hello", body: "", url: null };
await writeNotifications(db, [hello]);

/** All lists with pages, with the key of their rows. */
const lists: [path: string, name: string][] = [
  ["/api/v1/users", "users"],
  ["/api/v1/users/:own/results", "results"],
  ["/api/v1/transactions", "transactions"],
  ["/api/v1/events", "events"],
  ["/api/v1/blueprints", "blueprints"],
  ["/api/v1/sessions", "sessions"],
  ["/api/v1/sessions/night-1/events", "events"],
  ["/api/v1/sessions/night-1/audit", "audit"],
  ["/api/v1/calls", "calls"],
  ["/api/v1/scores", "scores"],
];
const ask = (path: string, query: string) =>
  asAdmin.get(`${path.replace(":own", String(admin.id))}?${query}`);

test.each(lists)("%s: a page beyond the end is empty and has the totals", async (path, name) => {
  const { body: first } = await ask(path, "per_page=2");
  const { status, body } = await ask(path, "page=900&per_page=2");
  expect(status).toBe(200);
  expect(body).toMatchObject({ [name]: [], meta: { currentPage: 900, perPage: 2 } });
  const total = (answer: unknown) => JSON.stringify(answer).match(/"totalPages":\d+,"totalCount":\d+/)?.[0];
  expect(total(body)).toBe(String(total(first)));
});

/** Bounds of filters. That each of them refuses what is of another type is in tests/api/walk.test.ts, and of pages in read-resource.test.ts. */
const filters: [query: string, field: string][] = [
  ["/api/v1/scores/leaders?limit=101", "limit"],
  ["/api/v1/scores/leaders?limit=0", "limit"],
  ["/api/v1/transactions?user_id=-1", "userId"],
  [`/api/v1/users?search=${"x".repeat(300)}`, "search"],
  [`/api/v1/blueprints?name=${"x".repeat(300)}`, "name"],
];

test.each(filters)("%s is refused with an error of that field", async (query, field) => {
  const { status, body } = await asAdmin.get(query);
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: "invalid", errors: { [field]: [expect.any(String)] } });
});

test("a filter by an unknown session or user is not found, in every list, and so is what an unknown user owns", async () => {
  const bySession = ["calls", "scores", "scores/leaders"].map((list) => `${list}?session_id=nowhere`);
  const byUser = ["transactions", "transactions.csv", "payments", "scores"].map(
    (list) => `${list}?user_id=999999999`,
  );
  const owned = ["", "/wallet", "/results", "/records"].map((what) => `users/999999999${what}`);
  for (const path of [...bySession, ...byUser, ...owned])
    expect([path, (await asAdmin.get(`/api/v1/${path}`)).status]).toEqual([path, 404]);
});

test("a page links to the first, last, next and previous page, with its filters", async () => {
  const second = await asAdmin.get("/api/v1/sessions?state=pending&per_page=2&page=2");
  const at = (page: number) => `</api/v1/sessions?state=pending&per_page=2&page=${page}>`;
  expect(second.headers.get("link")).toBe(
    `${at(1)}; rel="first", ${at(3)}; rel="last", ${at(3)}; rel="next", ${at(1)}; rel="prev"`,
  );
  const only = await asAdmin.get("/api/v1/sessions?per_page=50");
  expect(only.headers.get("link")).toMatch(/^<[^>]+page=1>; rel="first", <[^>]+page=1>; rel="last"$/);
  const beyond = await asAdmin.get("/api/v1/sessions?state=pending&per_page=2&page=9");
  expect(beyond.headers.get("link")).toContain(`${at(3)}; rel="prev"`);
  expect(beyond.headers.get("link")).not.toContain("next");
});

test("a single record has no links to pages", async () => {
  expect((await asAdmin.get("/api/v1/sessions/night-1")).headers.has("link")).toBe(false);
});

test("a row that comes between two pages is on neither of the next ones, and the links lead to each row once", async () => {
  const [, asPlayer] = await signedIn.player();
  const pay = (amount: number) => asPlayer.send("POST", "/api/v1/payments", { payment: { amount } });
  for (const amount of [1, 2, 3, 4, 5]) await pay(amount);
  const seen: number[] = [];
  let next: string | undefined = "/api/v1/payments?per_page=2";
  while (next !== undefined) {
    const { headers, body } = await asPlayer.get(next);
    seen.push(...v.parse(amounts, body).payments.map(({ amount }) => amount));
    next = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    await pay(9);
  }
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});

const amounts = v.object({ payments: v.array(v.object({ amount: v.number() })) });
