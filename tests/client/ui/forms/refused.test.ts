import { expect, test } from "bun:test";
import { ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";

const refusal = (status: number, body: object = {}) =>
  new ApiError(new Response(null, { status }), {
    error: "Validation failed: Name is required",
    code: "invalid",
    requestId: "1",
    ...body,
  });

test("a form shows the API's refusal, with the sentence for people if there is one", () => {
  expect(refusedInForm(refusal(422, { errors: { name: ["is required"] } }))).toEqual({
    status: 422,
    refusal: "Validation failed: Name is required",
    errors: { name: ["is required"] },
  });
  expect(refusedInForm(refusal(409, { detail: "Somebody changed this meanwhile." })).refusal).toBe(
    "Somebody changed this meanwhile.",
  );
});

const troubles: [string, unknown, number, RegExp][] = [
  [
    "no answer",
    new Unreachable("The server cannot be reached."),
    503,
    /Look whether it was done, then try again/,
  ],
  ["an unavailable server", refusal(503, { error: "Try again in a moment." }), 503, /Try again in a moment/],
  ["a bug", refusal(500), 500, /nothing was changed. Try again in a moment/],
  [
    "too often",
    refusal(429, { error: "Too many attempts. Try again in a minute." }),
    429,
    /Try again in a minute/,
  ],
];

test.each(troubles)(
  "a form says what to do after %s, and keeps what was typed",
  (_, error, status, advice) => {
    const refused = refusedInForm(error);
    expect(refused.refusal).toMatch(advice);
    expect(refused).toMatchObject({ status, errors: {} });
    if (status >= 500) expect(refused.refusal).toEndWith("What you typed is still here.");
  },
);

test("401 and bugs of the page are thrown again", () => {
  const signedOut = refusal(401);
  expect(() => refusedInForm(signedOut)).toThrow(signedOut);
  const bug = new TypeError("no such field");
  expect(() => refusedInForm(bug)).toThrow(bug);
});
