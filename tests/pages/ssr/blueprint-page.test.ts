import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { buildTitled, readEverything } from "#tests/show/blueprints/fixtures.ts";
import { buildAdmin, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { type Page, readerFor } from "./browser.ts";

const deps = await testDeps();
const admin = await readerFor(deps, createServer(deps), await buildAdmin(deps));

const where = ({ status, location }: Page) => [status, location];
const words = (page: Page) => page.html.replaceAll("&#x27;", "'");

describe("the page of a blueprint", () => {
  test("creates a session with a start in the viewer's time zone, and redirects to it", async () => {
    const { id } = await buildTitled(deps, ["A?"]);
    const sent = await admin.sendForm(`/blueprints/${id}`, {
      intent: "generate",
      name: "Cup final",
      starts_at: "2026-12-01T20:00",
      time_zone: "Europe/Berlin",
    });
    const made = only(await deps.pool.db.select().from(sessions).where(eq(sessions.blueprintId, id)));
    expect(where(sent)).toEqual([303, `/sessions/${made.slug}/admin`]);
    expect(made).toMatchObject({ name: "Cup final", startsAt: new Date("2026-12-01T19:00:00Z") });
    expect(words(await admin.open(`/blueprints/${id}`))).toContain("Cup final");
  });

  test("refuses a session without a name beside the field, and creates none", async () => {
    const { id } = await buildTitled(deps, ["A?"]);
    const before = await readEverything(deps);
    const sent = await admin.sendForm(`/blueprints/${id}`, { intent: "generate", name: " ", starts_at: "" });
    expect(sent.status).toBe(422);
    expect(words(sent)).toContain("Name can't be blank");
    expect(await readEverything(deps)).toEqual(before);
  });

  test("deletes it, or names the session that prevents it", async () => {
    const free = await buildTitled(deps, ["A?"]);
    expect(where(await admin.sendForm(`/blueprints/${free.id}`, { intent: "delete" }))).toEqual([
      303,
      "/blueprints?said=deleted",
    ]);
    const held = await buildTitled(deps, ["A?"]);
    const { slug } = await generateSession(deps, { blueprintId: held.id });
    const before = await readEverything(deps);
    const sent = await admin.sendForm(`/blueprints/${held.id}`, { intent: "delete" });
    expect(sent.status).toBe(422);
    expect(words(sent)).toContain(
      `Cannot delete record because dependent sessions exist. The session ${slug} is not over yet.`,
    );
    expect(await readEverything(deps)).toEqual(before);
  });
});
