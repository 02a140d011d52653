import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { openFixture } from "#tests/api/fixture.ts";
import { happy as happyOf } from "#tests/api/happy.ts";
import { buildRequest, sendRequest } from "#tests/api/send-request.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";

// Each request that succeeds otherwise is prepared while Redis works, and sent once it has stopped: an endpoint does without it, or says
// that it cannot serve the request now. None of them fails.
const fixture = await openFixture();
const { deps, server } = fixture;
afterFile(async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await deps.close();
});

const requests: Record<string, Request> = {};
for (const { name, endpoint } of allEndpoints) {
  const happy = await happyOf[name]?.(fixture);
  if (happy !== undefined) requests[name] = buildRequest(endpoint, happy);
}
await deps.redis.call("SHUTDOWN", "NOSAVE").catch(() => undefined);

/** What cannot be done meanwhile: challenges and queues are nowhere else. */
const refused = new Map([
  ...[
    "askForPasskeySignIn",
    "signInByPasskey",
    "askForPasskey",
    "addPasskey",
    "askToConfirmByPasskey",
    "pauseQueue",
    "resumeQueue",
    "retryJob",
  ].map((name) => [name, 503] as const),
  // A request that was prepared later has activated another session.
  ["deactivateSession", 422] as const,
]);

for (const { name } of allEndpoints) {
  test(`${name}: without Redis it ${refused.get(name) === 503 ? "asks to try again" : "answers"}`, async () => {
    const request = requests[name];
    if (request === undefined) throw new Error(`${name} has no happy request`);
    const { status, headers } = await sendRequest(server, request);
    const expected = refused.get(name);
    if (expected === undefined) expect(status).toBeWithin(200, 300);
    else expect(status).toBe(expected);
    expect(headers.has("retry-after")).toBe(expected === 503);
  });
}
