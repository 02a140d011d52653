import { expect, test } from "bun:test";
import { userRoles } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { sampleOf } from "./samples.ts";

const METRICS_TOKEN = "a token that only tests of metrics use";
const { deps, build, read, server } = await testWorld({ METRICS_TOKEN, COMMIT: "0123abc" });
const player = await build.player();
const admin = await build.admin();
const operator = await build.player();
await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });

const ask = (path: string, headers: Record<string, string> = {}) =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers }));
const bearer = { authorization: `Bearer ${METRICS_TOKEN}` };
const readMetrics = async () => (await ask("/metrics", bearer)).text();

test("the metrics are for a program with the token, and for operators and admins", async () => {
  const answer = await ask("/metrics", bearer);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/plain; version=0.0.4"),
  ]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  for (const user of [operator, admin]) {
    const { status } = await (await signedInClient(deps, server, user)).get("/metrics");
    expect(status).toBe(200);
  }
});

test("for everybody else there are no metrics, as if the path led nowhere", async () => {
  const nowhere = async (headers: Record<string, string>) => {
    const answer = await ask("/metrics", headers);
    return `${answer.status} ${(await answer.text()).replace(/"requestId":"[^"]*"/, "")}`;
  };
  const expected = '404 {"error":"not found","code":"not_found",}';
  expect(await nowhere({})).toBe(expected);
  expect(await nowhere({ accept: "text/html" })).toBe(expected);
  const wrong = ["", METRICS_TOKEN.slice(1), `${METRICS_TOKEN} `.toUpperCase(), "ci_0123456789"];
  for (const token of wrong) expect(await nowhere({ authorization: `Bearer ${token}` })).toBe(expected);
  const signedIn = (await signedInClient(deps, server, player)).credentials();
  expect(await nowhere(signedIn)).toBe(expected);
  // Who sends an access token is that program, whatever cookies come with it.
  const host = (await signedInClient(deps, server, admin)).credentials();
  expect(await nowhere({ ...host, authorization: "Bearer ci_wrong" })).toBe(expected);
});

test("processes that share a port say so, instead of answering one for the other", async () => {
  const shared = createServer({ ...deps, env: { ...deps.env, webConcurrency: 2 } });
  const answer = await shared.handle(new Request("http://localhost:3000/metrics", { headers: bearer }));
  expect([answer.status, await answer.json()]).toEqual([
    409,
    expect.objectContaining({ code: "shared_port" }),
  ]);
});

test("requests are counted by pattern, and no id, name or path becomes a label", async () => {
  const client = await signedInClient(deps, server, player);
  const event = await build.event("open");
  const labels = { method: "GET", route: "/api/v1/events/:id", status: "200" };
  const before = sampleOf(await readMetrics(), "called_it_http_requests_total", labels) ?? 0;
  for (const _ of [1, 2, 3]) await client.get(`/api/v1/events/${event.id}`);
  await client.get("/api/v1/xylophone-plan");
  await ask("/xylophone-page/7", { accept: "text/html" });
  await ask(`/sessions/xylophone-session`, { accept: "text/html" });
  const text = await readMetrics();
  expect(sampleOf(text, "called_it_http_requests_total", labels)).toBe(before + 3);
  expect(
    sampleOf(text, "called_it_http_requests_total", { ...labels, route: "none", status: "404" }),
  ).toBeGreaterThan(0);
  expect(text).not.toMatch(/xylophone|player_|@example|"\/api\/v1\/events\/\d/);
});

test("calls are counted by what became of them", async () => {
  const client = await signedInClient(deps, server, player);
  const spots = await read.spots((await build.event("open")).id);
  const place = (wager: number) =>
    client.send("POST", "/api/v1/calls", { call: { spot_id: spots.true.id, wager } });
  const countOf = (text: string, outcome: string) =>
    sampleOf(text, "called_it_calls_total", { outcome }) ?? 0;
  const before = await readMetrics();
  expect((await place(1)).status).toBe(201);
  expect((await place(100_000)).status).toBe(422);
  const after = await readMetrics();
  expect(countOf(after, "placed") - countOf(before, "placed")).toBe(1);
  const refused = /^called_it_calls_total\{outcome="(?!placed|replayed)\w+"\} (\d+)/m;
  expect(Number(refused.exec(after)?.[1])).toBeGreaterThan(0);
  expect(sampleOf(after, "called_it_call_batch_size_count", {})).toBeGreaterThan(0);
});

test("while the database is away the metrics say so, and nothing about what it knows", async () => {
  const db = new Proxy(deps.pool.db, {
    get: () => {
      throw new Error("away");
    },
  });
  const away = createServer({ ...deps, pool: { ...deps.pool, db } });
  const answer = await away.handle(new Request("http://localhost:3000/metrics", { headers: bearer }));
  const text = await answer.text();
  expect(sampleOf(text, "called_it_up", { part: "database" })).toBe(0);
  expect(sampleOf(text, "called_it_up", { part: "redis" })).toBe(1);
  expect(sampleOf(text, "called_it_books_differences", {})).toBeNull();
  const present = await readMetrics();
  expect(sampleOf(present, "called_it_up", { part: "database" })).toBe(1);
  expect(sampleOf(present, "called_it_outbox_age_seconds", {})).not.toBeNull();
});

test("everybody may read the release, and observers what else is known of the version", async () => {
  const { version: release }: { version: string } = await Bun.file("package.json").json();
  const visitor = await signedOutClient(server);
  expect((await visitor.get("/version")).body).toEqual({ release });
  expect((await (await signedInClient(deps, server, player)).get("/version")).body).toEqual({ release });
  const all = { release, commit: "0123abc", schema: expect.stringMatching(/^\d{4}_/), bun: Bun.version };
  expect((await (await signedInClient(deps, server, operator)).get("/version")).body).toEqual(all);
  expect(await (await ask("/version", bearer)).json()).toEqual(all);
});
