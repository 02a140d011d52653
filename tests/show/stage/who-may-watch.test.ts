import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { stageLinkAnswer } from "#src/show/stage/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, server, client, set } = await testWorld();
const host = await client(await build.admin());

const DRAFT = "Will the surprise be a horse?";
let session: SessionRow;

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
  session = await build.session({ name: "The Friday derby" });
  await build.draft({ sessionId: session.id, title: DRAFT, trueLabel: "A grey horse" });
});

/** A stranger opens an address. */
const open = (path: string, accept = "text/html") =>
  server.handle(new Request(`http://localhost:3000${path}`, { headers: { accept } }));

/** What a big screen asks for: its page, and what it asks each second. */
const readsOf = ({ slug }: Pick<SessionRow, "slug">, key: string | null) => {
  const query = `?${new URLSearchParams({ key: key ?? "" }).toString()}`;
  const api = [
    `/api/v1/sessions/${slug}`,
    `/api/v1/sessions/${slug}/events`,
    `/api/v1/sessions/${slug}/stage`,
  ];
  return {
    page: `/sessions/${slug}/stage${key === null ? "" : query}`,
    api: api.map((path) => path + query),
  };
};

async function expectShown(key: string | null): Promise<string> {
  const { page, api } = readsOf(session, key);
  const shown = await open(page);
  expect(shown.status).toBe(200);
  const html = await shown.text();
  expect(html.includes("The Friday derby")).toBe(true);
  let texts = html;
  for (const path of api) {
    const answer = await open(path, "application/json");
    expect([path, answer.status]).toEqual([path, 200]);
    texts += await answer.text();
  }
  // Neither drafts nor what belongs to people.
  expect(/surprise|grey horse|@example|"email":|"wallet":\{/i.exec(texts)).toBeNull();
  return html;
}

/** `key`: null or "" for a page without one. */
async function expectNothing(key: string | null): Promise<void> {
  const { page, api } = readsOf(session, key);
  const shown = await open(page);
  expect([shown.status, shown.headers.get("location")]).toEqual([404, null]);
  const html = await shown.text();
  expect(html.includes("The Friday derby")).toBe(false);
  // Nobody sits at it: it says what to do, and looks again by itself, without JavaScript too.
  expect(html).toContain(
    key === null || key === "" ? "Nothing is on this big screen yet." : "The host may have made a new one",
  );
  expect(html).toMatch(/<noscript><meta http-equiv="refresh".*location\.reload/s);
  for (const path of api) expect([path, (await open(path, "application/json")).status]).toEqual([path, 401]);
}

async function linkOf({ slug }: Pick<SessionRow, "slug">): Promise<{ key: string; url: string }> {
  return (await host.read(`/api/v1/sessions/${slug}/stage_link`, stageLinkAnswer)).stageLink;
}

async function renew(): Promise<string> {
  const answer = await host.send("PUT", `/api/v1/sessions/${session.slug}/stage_link`);
  expect(answer.status).toBe(200);
  return v.parse(stageLinkAnswer, answer.body).stageLink.key;
}

const stoppedBefore = (hours: number) =>
  set(sessions, session.id, {
    stoppedAt: sql`clock_timestamp() - make_interval(mins => ${Math.round(hours * 60)}::int)`,
  });

test("without a link the big screen is nothing for strangers before players are sent there, not even the way to the sign-in", async () => {
  await expectNothing(null);
  const { api } = readsOf({ slug: "there-is-none" }, "");
  for (const path of api) expect((await open(path, "application/json")).status).toBe(401);
  expect((await open("/sessions/there-is-none/stage")).status).toBe(404);
});

test("without a link the big screen is a lobby with the code from the activation on, until players are no longer sent there", async () => {
  const command = { sessionId: session.id, actor: null };
  await activateSession(deps, command);
  const html = await expectShown(null);
  expect(html.includes("QR code: join The Friday derby")).toBe(true);
  await deactivateSession(deps, command);
  await expectNothing(null);
});

test("without a link the big screen is the show from the start on, also where players are not sent, and the first three until 24 hours after", async () => {
  const command = { sessionId: session.id, actor: null };
  await startSession(deps, command);
  await deactivateSession(deps, command);
  expect((await open(`/sessions/${session.slug}/stage`)).status).toBe(200);
  await stopSession(deps, command);
  expect((await expectShown(null)).includes("The first three")).toBe(true);
  await stoppedBefore(23.9);
  await expectShown(null);
  await stoppedBefore(24.1);
  await expectNothing(null);
});

test("without a link the big screen is all that is open: the page of the game still leads strangers to the sign-in, and the API without a key refuses them", async () => {
  await activateSession(deps, { sessionId: session.id, actor: null });
  const page = await open(`/sessions/${session.slug}?next=/sessions/${session.slug}/stage`);
  expect([page.status, page.headers.get("location")]).toEqual([
    302,
    expect.stringContaining("/users/sign_in"),
  ]);
  for (const path of [`/api/v1/sessions/${session.slug}`, `/api/v1/sessions/${session.slug}/events`])
    expect((await open(path, "application/json")).status).toBe(401);
});

test("with its link the big screen is shown before, during and long after the show", async () => {
  const { key, url } = await linkOf(session);
  expect(url).toBe(`${deps.env.publicUrl}${readsOf(session, key).page}`);
  const command = { sessionId: session.id, actor: null };
  await expectShown(key);
  await startSession(deps, command);
  expect((await open(readsOf(session, key).page)).status).toBe(200);
  await stopSession(deps, command);
  await stoppedBefore(24 * 30);
  expect((await expectShown(key)).includes("The first three")).toBe(true);
});

test("with its link the big screen is shown only with the whole key of this very session", async () => {
  const { key } = await linkOf(session);
  const other = await build.session();
  const wrong = [
    "",
    "x",
    key.slice(1),
    `${key}A`,
    key.toUpperCase(),
    key.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    (await linkOf(other)).key,
    "ä".repeat(43),
  ];
  for (const each of wrong) await expectNothing(each);
  expect((await open(`/sessions/${session.slug}/stage?key=${key}&overlay=1`)).status).toBe(200);
});

test("the key is not in the session that everybody reads, and a change of its settings keeps the link", async () => {
  const key = await renew();
  const change = { session: { name: "The Saturday derby", settings: { slow_mode_seconds: 5 } } };
  const { body } = await host.send("PATCH", `/api/v1/sessions/${session.slug}`, change);
  expect(JSON.stringify(body)).not.toMatch(/stage|generation/i);
  expect((await linkOf(session)).key).toBe(key);
});
