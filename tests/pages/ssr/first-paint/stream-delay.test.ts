import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { CHANGED_AT_HEADER } from "#src/http/contract.ts";
import { testWorld } from "#tests/support/world.ts";
import { oneOf, parsePage } from "../parse-page.ts";
import { buildViewers } from "../viewers.ts";

const { deps, db, build, server, signIn } = await testWorld();
const session = await build.runningSession();
const player = await signIn(await build.player());
const SECOND_MS = 1_000;

/** Everything that has happened so far was broadcast this long ago. */
async function lastChangeWas(seconds: number): Promise<void> {
  await db.execute(sql`UPDATE outbox SET sent_at = now() - make_interval(secs => ${seconds}::int)`);
}

async function ask(path: string, delay: string | null, headers: Record<string, string> = player) {
  const cookie = [headers["cookie"], delay === null ? null : `delay=${delay}`].filter(Boolean).join("; ");
  const response = await server.handle(
    new Request(`http://localhost:3000${path}`, { headers: { accept: "text/html", ...headers, cookie } }),
  );
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const open = async (path: string, delay: string | null, headers?: Record<string, string>) =>
  parsePage((await ask(path, delay, headers)).html);
const action = `/sessions/${session.slug}`;
// The first page builds the browser's files.
await open(action, null);

test("the page is shown when the last change may be shown, at once where that is over", async () => {
  await lastChangeWas(70);
  const timer = oneOf(await open(action, "120"), "[role=timer]");
  expect(timer.textContent).toMatch(/^Starts in 0:(?:50|[34]\d)$/);
  await lastChangeWas(60);
  const page = await open(action, "20");
  expect(page.querySelector("body > main")).toBeNull();
  const root = oneOf(page, "#root");
  expect([root.hasAttribute("hidden"), root.getAttribute("data-delay")]).toEqual([false, "20"]);
  const changedAtMs = Number(root.getAttribute("data-changed-at"));
  expect(Date.parse(root.getAttribute("data-rendered-at") ?? "") - changedAtMs).toBeGreaterThan(
    50 * SECOND_MS,
  );
});

test("a change that was not broadcast yet counts as one of now", async () => {
  await lastChangeWas(60);
  await db.execute(
    sql`INSERT INTO outbox (kind, payload) VALUES ('leaders_changed', ${{ sessionId: session.id }})`,
  );
  expect(oneOf(await open(action, "20"), "[role=timer]").textContent).toMatch(/^Starts in 0:(?:20|1\d)$/);
  await lastChangeWas(60);
});

test("pages without a delay, or with one that the setting does not offer, are not hidden", async () => {
  await lastChangeWas(0);
  for (const delay of [null, "0", "7", "125", "-5", "soon"]) {
    const page = await open(action, delay);
    expect([delay, page.querySelector("body > main") === null]).toEqual([delay, true]);
    const root = oneOf(page, "#root");
    expect([root.hasAttribute("hidden"), root.hasAttribute("data-delay")]).toEqual([false, false]);
    expect(oneOf(root, ".sync").textContent).toBe("In sync");
  }
});

test("an admin sees it as it is, and the sign-in page has nothing to hide", async () => {
  await lastChangeWas(0);
  const { readers } = await buildViewers(deps, server);
  for (const name of ["admin", "operator"] as const) {
    readers[name].cookies.set("delay", "20");
    const { html } = await readers[name].open("/profile");
    expect([name, html.includes("Catching up"), html.includes("data-delay")]).toEqual([name, false, false]);
  }
  expect((await ask("/users/sign_in", "20", {})).html).not.toContain("Catching up");
});

test("a signed-out viewer who watches is behind as well", async () => {
  await lastChangeWas(0);
  const { html } = await ask(action, "20", {});
  expect(html).toContain("Catching up with your delay");
  expect(oneOf(parsePage(html), "#root .sync").textContent).toBe("20 s behind");
});

test("answers of the API say when the game changed last, to devices with a delay only", async () => {
  const fromMs = Date.now();
  await lastChangeWas(30);
  const untilMs = Date.now();
  const path = `/api/v1/sessions/${session.slug}/events`;
  const json = { ...player, accept: "application/json" };
  const changedAtMs = Number((await ask(path, "20", json)).headers.get(CHANGED_AT_HEADER));
  const asIfNow = changedAtMs + 30 * SECOND_MS;
  expect([asIfNow > fromMs - SECOND_MS, asIfNow < untilMs + SECOND_MS]).toEqual([true, true]);
  expect((await ask(path, null, json)).headers.has(CHANGED_AT_HEADER)).toBe(false);
  const refused = await ask("/api/v1/sessions/nowhere", "20", json);
  expect([refused.status, refused.headers.has(CHANGED_AT_HEADER)]).toEqual([404, true]);
});
