import { expect, test } from "bun:test";
import { signOut } from "#client/sign-ins/sign-out.ts";
import { redirectOf, sendForm } from "#tests/client/base/api/send-form.ts";

const page = { path: "/users/sign_out", pattern: "/users/sign_out", params: {} };
/** Signs out while the API answers so. */
const leave = (answer: () => Response) => sendForm(signOut, page, { fields: {}, answer });
const requests = [{ method: "DELETE", path: "/users/sign_out", body: undefined }];
const refusal = (error: string, code: string, status: number) => () =>
  Response.json({ error, code }, { status });

test.each([
  ["", () => new Response(null, { status: 204 })],
  [" that has ended already", refusal("You need to sign in.", "unauthenticated", 401)],
])("a page ends a sign-in%s by DELETE, and leads to the sign-in page", async (_, answer) => {
  const left = await leave(answer);
  expect([left.requests, redirectOf(left.outcome)]).toEqual([requests, [302, "/users/sign_in"]]);
});

test("a sign-out that failed is not taken for one", async () => {
  const { outcome } = await leave(refusal("Try again.", "unavailable", 503));
  expect(String(outcome)).toBe("ApiError: Try again.");
});
