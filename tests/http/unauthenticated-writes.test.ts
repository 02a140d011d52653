import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import type { Who } from "#src/http/endpoint.ts";

const open: readonly Who[] = ["public", "anyone", "signed-out", "no-account", "watcher"];
/** What needs no limit: the end of the own sign-in, and what only a signature admits. */
const bounded = ["receiveWebhook", "signOut", "storeUpload"];

test("whatever somebody without a sign-in may change has a limit by address", () => {
  const unlimited = allEndpoints.filter(
    ({ endpoint }) =>
      open.includes(endpoint.who) &&
      !endpoint.route.startsWith("GET ") &&
      endpoint.limited !== true &&
      endpoint.rate?.perAddress === undefined,
  );
  expect(unlimited.map(({ name }) => name).sort()).toEqual(bounded);
});
