import { describe, expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildEvent, buildPlayer, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, factsOf, oneOf, parsePage } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const reader = await readerFor(deps, server, await buildPlayer(deps));
const admin = await readerFor(deps, server, await buildAdmin(deps));
const { id: sessionId } = await buildRunningSession(deps, { slug: "derby", name: "Derby" });

/** The times that a list of facts has under a label, as ISO 8601. */
function timeAt(page: ReturnType<typeof parsePage>, list: string, label: string) {
  const name = all(page, `${list} dt`).find(({ textContent }) => textContent === label);
  return name?.nextElementSibling.querySelector("time")?.getAttribute("datetime");
}

describe("an event has when it was created and when it was published", () => {
  test.each(["open", "resolved"] as const)("on the page of its settlement: %s", async (state) => {
    const { id } = await buildEvent(deps, state, { sessionId });
    const { createdAt, publishedAt } = await readEvent(deps, id);
    const page = parsePage((await reader.open(`/sessions/derby/events/${id}`)).html);
    expect(timeAt(page, "main dl.about", "created")).toBe(createdAt.toISOString());
    expect(timeAt(page, "main dl.about", "published")).toBe(publishedAt?.toISOString());
  });

  test("on the Admin tab", async () => {
    const { id } = await buildEvent(deps, "visible", { sessionId });
    const { createdAt, publishedAt } = await readEvent(deps, id);
    const page = parsePage((await admin.open(`/sessions/derby/admin?event=${id}`)).html);
    expect(timeAt(page, ".event-editor dl", "created")).toBe(createdAt.toISOString());
    expect(timeAt(page, ".event-editor dl", "published")).toBe(publishedAt?.toISOString());
  });

  test("and a draft only when it was created", async () => {
    const { id } = await buildEvent(deps, "draft", { sessionId });
    const page = parsePage((await admin.open(`/sessions/derby/admin?event=${id}`)).html);
    expect(Object.keys(factsOf(oneOf(page, ".event-editor"), "dl"))).toEqual(["created"]);
  });
});
