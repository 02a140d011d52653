import { expect, test } from "bun:test";
import { ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { momentIn } from "#client/base/format/field-time.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";
import { refusedBy } from "#client/ui/forms/refused.ts";

function formWith(...fields: [name: string, value: string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

test("fields are read by kind, under their names in snake_case", () => {
  const form = formWith(
    ["title", " Rain? "],
    ["true_label", " Yes "],
    ["min_wager", " 2.50 "],
    ["small_room", "1"],
    ["roles", "admin"],
    ["roles", "operator"],
  );
  const fields = {
    title: "text",
    trueLabel: "optional",
    minWager: "number",
    smallRoom: "checkbox",
    roles: "list",
  } as const;
  expect(readForm(form, fields)).toEqual({
    title: " Rain? ",
    trueLabel: "Yes",
    minWager: 2.5,
    smallRoom: true,
    roles: ["admin", "operator"],
  });
});

test("missing, empty and file fields are empty", () => {
  const form = formWith(["blank", "  "], ["file", new File(["x"], "x.png")]);
  const fields = { file: "text", missing: "text", blank: "optional", amount: "number" } as const;
  expect(readForm(form, fields)).toEqual({ file: "", missing: "", blank: undefined, amount: undefined });
  expect(readForm(form, { box: "checkbox", boxes: "list" })).toEqual({
    box: false,
    boxes: [],
  });
});

test("text that is not a number is NaN, and text that is not a time stays as typed", () => {
  const form = formWith(["amount", "much"], ["starts_at", "soon"], ["time_zone", "Europe/Berlin"]);
  expect(readForm(form, { amount: "number" })).toEqual({ amount: Number.NaN });
  expect(momentIn(form, "starts_at")).toBe("soon");
  expect(momentIn(form, "ends_at")).toBeNull();
});

test("a local time is read in the form's time zone", () => {
  const form = formWith(["starts_at", "2026-11-21T20:14"], ["time_zone", "Europe/Berlin"]);
  expect(momentIn(form, "starts_at")).toBe("2026-11-21T19:14:00.000Z");
});

test("fields of other names are read by a naming function", () => {
  const form = formWith(["user[remember_me]", "1"]);
  expect(readForm(form, { rememberMe: "checkbox" }, inUser)).toEqual({ rememberMe: true });
});

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
    refusal(429, { error: "That was too often. Try again in a minute." }),
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

test("without a form, a failed server is thrown again for the error page", () => {
  for (const error of [refusal(503), new Unreachable("gone")]) expect(() => refusedBy(error)).toThrow(error);
});
