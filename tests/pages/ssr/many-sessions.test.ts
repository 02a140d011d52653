import { expect, test } from "bun:test";
import { sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, oneOf, parsePage, textsOf } from "./parse-page.ts";

const SESSIONS = 300;
const PAGE = 25;
const DAY_MS = 86_400_000;

const deps = await testDeps();
const admin = await readerFor(deps, createServer(deps), await buildAdmin(deps));
const startsAt = (number: number) => new Date(Date.UTC(2027, 0, 1) + number * DAY_MS);
await deps.pool.db.insert(sessions).values(
  Array.from({ length: SESSIONS }, (_, index) => ({
    slug: `evening-${index + 1}`,
    name: `Evening ${index + 1}`,
    startsAt: startsAt(index + 1),
  })),
);

async function namesAt(path: string): Promise<string[]> {
  const page = parsePage((await admin.open(path)).html);
  return all(page, "ul.list > li b.clip").map((link) => link.textContent);
}

test("of 300 sessions that come up a page shows the soonest, the others follow by pages, and a search finds one", async () => {
  const page = parsePage((await admin.open("/sessions")).html);
  expect(textsOf(page, ".panel header")).toContain("Coming up300");
  const first = await namesAt("/sessions");
  expect(first.filter((name) => name.startsWith("Evening"))).toHaveLength(PAGE);
  expect(first).toContain("Evening 1");
  expect(oneOf(page, 'nav[aria-label="Pages of those coming up"]').textContent).toContain("1 of 12");
  expect(await namesAt("/sessions?coming=12")).toContain("Evening 300");
  expect((await namesAt("/sessions?search=ning%20277")).filter((name) => name.startsWith("Evening"))).toEqual(
    ["Evening 277"],
  );
  expect((await admin.open("/sessions?search=nowhere")).html).toContain("No coming or finished session has");
});
