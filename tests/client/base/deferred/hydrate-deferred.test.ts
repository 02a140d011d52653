import { beforeEach, expect, test } from "bun:test";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { type LoaderData, markDeferred, reviveDeferred } from "#client/base/deferred/hydrate-deferred.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
afterFile(() => closeDom());
beforeEach(() => {
  delete globalThis.window.lateParts;
});

/** The loaders' data of a page with one part at hand and two that come later. */
function buildData() {
  const parts = [new Deferred("/users"), new Deferred("/users"), new Deferred("/users")] as const;
  parts[0].settle({ data: "at hand" });
  return { app: { wallet: null }, "/users": { a: parts[0], b: parts[1], c: parts[2], search: "ana" } };
}

/** As the data arrives in the browser. */
function sent(data: LoaderData): LoaderData {
  const arrived: LoaderData = JSON.parse(JSON.stringify(data));
  return arrived;
}

/** The parts of the users' page. */
function partsIn(revived: LoaderData): Deferred[] {
  const page = revived["/users"];
  if (typeof page !== "object" || page === null) throw new Error("no page");
  return Object.values(page).filter((value) => value instanceof Deferred);
}

test("parts arrive in the browser: those at hand with the page, others before or after its code has started", async () => {
  const { marked, pending } = markDeferred(buildData());
  expect([...pending.keys()]).toEqual([2, 3]);
  globalThis.window.lateParts = [[2, { data: "early" }]];
  const { revived, missing } = reviveDeferred(sent(marked));
  const [a, b, c] = partsIn(revived);
  expect([a?.settled, b?.settled, c?.settled]).toEqual([{ data: "at hand" }, { data: "early" }, null]);
  expect(a?.path).toBe("/users");
  expect([...missing.keys()]).toEqual([3]);
  globalThis.window.lateParts.push([3, { data: "late" }]);
  expect(await c?.outcome).toEqual({ data: "late" });
  expect(missing.size).toBe(0);
});

test("other data of loaders stays as it is, also what looks like a part in a user's text", () => {
  const data = { app: null, "/users": { rows: [{ details: { deferredPath: "/", id: 1, settled: null } }] } };
  const { marked, pending } = markDeferred(data);
  expect(marked).toEqual(data);
  expect(pending.size).toBe(0);
  const { revived, missing } = reviveDeferred(sent(marked));
  expect(revived).toEqual(data);
  expect(missing.size).toBe(0);
});
