import { beforeEach, expect, spyOn, test } from "bun:test";
import type { Carrier } from "#client/base/api/api.ts";
import { carryAhead, carryPrefetched, forgetPrefetched, USED_WITHIN_MS } from "#client/base/api/prefetch.ts";
import { afterTest } from "#tests/support/after-file.ts";

const sent: string[] = [];
let answerNumber = 0;
/** Answers with the number of the request; fails for /away. */
const carry: Carrier = async (method, path, { query }) => {
  sent.push(`${method} ${path}${query === undefined ? "" : JSON.stringify(query)}`);
  answerNumber += 1;
  const answer = answerNumber;
  if (path === "/away") throw new Error("away");
  return answer;
};
const ahead = carryAhead(carry);
const later = carryPrefetched(carry);

beforeEach(() => {
  sent.length = 0;
  answerNumber = 0;
});
afterTest(forgetPrefetched);

async function refusalOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "",
    (error: Error) => error.message,
  );
}

test("an answer that was sent for ahead is used once, by the request with the same path and query", async () => {
  await ahead("GET", "/calls", { query: { page: 2 } });
  expect(await later("GET", "/calls", { query: { page: 1 } })).toBe(2);
  expect(await later("GET", "/calls", { query: { page: 2 } })).toBe(1);
  expect(await later("GET", "/calls", { query: { page: 2 } })).toBe(3);
  expect(sent.length).toBe(3);
});

test("it is dropped when it is old, when the viewer sends something, and when a message says so", async () => {
  const outdate: readonly (() => unknown)[] = [
    () => later("POST", "/calls", { data: {} }),
    () => forgetPrefetched(),
  ];
  for (const change of outdate) {
    const old = await ahead("GET", "/calls", {});
    await change();
    expect(await later("GET", "/calls", {})).not.toBe(old);
  }
  const old = await ahead("GET", "/calls", {});
  const clock = spyOn(performance, "now").mockReturnValue(performance.now() + USED_WITHIN_MS + 1);
  expect(await later("GET", "/calls", {})).not.toBe(old);
  clock.mockRestore();
});

test("one that was sent for while a change was on its way is not used after it, for it may be of before", async () => {
  const changing = later("PUT", "/team", { data: {} });
  const old = await ahead("GET", "/teams", {});
  await changing;
  expect(await later("GET", "/teams", {})).not.toBe(old);
  const refused = refusalOf(later("PUT", "/away", { data: {} }));
  const older = await ahead("GET", "/teams", {});
  await refused;
  expect(await later("GET", "/teams", {})).not.toBe(older);
});

test("one that failed is sent for again", async () => {
  await ahead("GET", "/away", {}).catch(() => undefined);
  expect(await refusalOf(later("GET", "/away", {}))).toBe("away");
  expect(sent).toEqual(["GET /away{}", "GET /away"]);
});

test("requests with effects are never sent ahead", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    expect(await refusalOf(ahead(method, "/calls", {}))).toBe("Only GET requests can be sent ahead.");
  expect(sent).toEqual([]);
});
