import { expect, test } from "bun:test";
import { isPushEndpoint } from "#src/people/push/push-address.ts";

test("the settings allow one more push service, and nothing else of its host", () => {
  const setting = { serviceOrigin: "http://127.0.0.1:4000" };
  expect(isPushEndpoint("http://127.0.0.1:4000/send/1", setting)).toBe(true);
  for (const endpoint of ["http://127.0.0.1:4001/", "https://127.0.0.1:4000/", "http://localhost:4000/"])
    expect([endpoint, isPushEndpoint(endpoint, setting)]).toEqual([endpoint, false]);
});
