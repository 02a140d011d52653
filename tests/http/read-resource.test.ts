import { expect, test } from "bun:test";
import * as v from "valibot";
import { Refusal } from "#src/base/refusal.ts";
import { readPage, readResource } from "#src/http/check-input.ts";

const schema = v.strictObject({
  trueLabel: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(25))),
  password: v.optional(v.pipe(v.string(), v.minLength(8))),
  initial: v.optional(v.pipe(v.string(), v.length(1))),
  seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(1_800))),
  wager: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(10))),
  active: v.optional(v.boolean()),
  startsAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  mode: v.optional(v.picklist(["offset", "after_previous"])),
  defaults: v.optional(v.strictObject({ leadSeconds: v.number() })),
});

const passwordSchema = v.pipe(
  v.object({ password: v.pipe(v.string(), v.minLength(8)), passwordConfirmation: v.string() }),
  v.forward(
    v.partialCheck(
      [["password"], ["passwordConfirmation"]],
      ({ password, passwordConfirmation }) => password === passwordConfirmation,
      "doesn't match",
    ),
    ["passwordConfirmation"],
  ),
);

const readBody = (body: unknown, rootKey: string, resource: v.GenericSchema) =>
  readResource(body, { body: { [rootKey]: resource } })[rootKey];

/** The errors of a refused resource, or the code of a refusal without errors. */
function refusalOf(resource: unknown): unknown {
  try {
    readBody({ blueprint_event: resource }, "blueprintEvent", schema);
  } catch (error) {
    if (error instanceof Refusal) return error.details.errors ?? error.code;
    throw error;
  }
  return null;
}

const cases: [object, string, string][] = [
  [{ true_label: "" }, "trueLabel", "can't be blank"],
  [{ true_label: null }, "trueLabel", "can't be blank"],
  [{ true_label: 1 }, "trueLabel", "is invalid"],
  [{ true_label: ["a"] }, "trueLabel", "is invalid"],
  [{ true_label: "x".repeat(26) }, "trueLabel", "is too long (maximum is 25 characters)"],
  [{ password: "short" }, "password", "is too short (minimum is 8 characters)"],
  [{ initial: "ab" }, "initial", "is the wrong length (should be 1 character)"],
  [{ seconds: "5" }, "seconds", "is not a number"],
  [{ seconds: null }, "seconds", "is not a number"],
  [{ seconds: 5.5 }, "seconds", "must be an integer"],
  [{ seconds: 4 }, "seconds", "must be greater than or equal to 5"],
  [{ seconds: 1_801 }, "seconds", "must be less than or equal to 1800"],
  [{ wager: 0 }, "wager", "must be greater than 0"],
  [{ wager: 10 }, "wager", "must be less than 10"],
  [{ active: "yes" }, "active", "is not a valid boolean"],
  [{ starts_at: "tomorrow" }, "startsAt", "is not a valid date"],
  [{ mode: "later" }, "mode", "is invalid"],
  [{ defaults: {} }, "defaults.leadSeconds", "is required"],
  [{ defaults: { lead_seconds: 1, roles: [] } }, "defaults.roles", "is invalid"],
  [{ user_id: 1 }, "userId", "is invalid"],
];

test.each(cases)("%j is refused: %s %s", (resource, field, text) => {
  expect(refusalOf(resource)).toEqual({ [field]: [text] });
});

test("a missing field is required", () => {
  const required = v.strictObject({ title: v.string(), seconds: v.number() });
  expect(() => readBody({ event: {} }, "event", required)).toThrow(
    "Validation failed: Title is required, Seconds is required",
  );
});

test("all invalid fields are named at once, each with its first error", () => {
  expect(refusalOf({ true_label: "", seconds: 1.5, mode: 7 })).toEqual({
    trueLabel: ["can't be blank"],
    seconds: ["must be an integer"],
    mode: ["is invalid"],
  });
});

test("an error in one field does not hide an error that concerns two fields", () => {
  expect(() =>
    readBody(
      { user: { email: "x", password: "short", password_confirmation: "other" } },
      "user",
      passwordSchema,
    ),
  ).toThrow("Password is too short (minimum is 8 characters), Password confirmation doesn't match");
});

test("all unknown fields are named, up to 50", () => {
  expect(refusalOf({ user_id: 1, mode: 7, role: "admin" })).toEqual({
    mode: ["is invalid"],
    userId: ["is invalid"],
    role: ["is invalid"],
  });
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`key${number}`, 1]));
  expect(Object.keys(Object(refusalOf(many)))).toHaveLength(50);
});

test("an error in a nested field is described in words", () => {
  const list = v.strictObject({ rows: v.array(v.object({ durationSeconds: v.number() })) });
  expect(() => readBody({ event: { rows: [{ duration_seconds: 1 }, {}] } }, "event", list)).toThrow(
    "Validation failed: Duration seconds of row 2 is required",
  );
  expect(() => readBody({ event: { defaults: {} } }, "event", schema)).toThrow(
    "Validation failed: Lead seconds of defaults is required",
  );
});

test("a message in the schema takes precedence", () => {
  const own = v.strictObject({ wager: v.number("is not money") });
  expect(() => readBody({ call: { wager: "1" } }, "call", own)).toThrow("Wager is not money");
});

test("keys are converted to camelCase at every depth, and values stay as they are", () => {
  const loose = v.unknown();
  const read = readBody(
    { blueprint_event: { a_b: { c_d_e: "x_y" }, fG: [{ h_1: 1 }], _i: 2 }, commit: "Save" },
    "blueprintEvent",
    loose,
  );
  expect(read).toEqual({ aB: { cDE: "x_y" }, fG: [{ h1: 1 }], _i: 2 });
  expect(readBody({ blueprintEvent: {} }, "blueprintEvent", loose)).toEqual({});
});

test("where the body may be left out, an empty object counts as none; other keys and values do not", () => {
  const reason = v.strictObject({ reason: v.optional(v.string(), "none") });
  const readOptional = (body: unknown) => readResource(body, { body: { event: reason }, bodyOptional: true });
  for (const body of [undefined, null, {}, { event: {} }]) {
    expect(readOptional(body)).toEqual({ event: { reason: "none" } });
  }
  for (const body of [[], "", 0, { reason: "x" }, { session: {} }]) {
    expect(() => readOptional(body)).toThrow("malformed request");
  }
  expect(() => readBody({}, "event", reason)).toThrow("malformed request");
});

test("a root key that only the prototype has is ignored", () => {
  expect(() => readBody({}, "constructor", v.unknown())).toThrow("malformed request");
});

test("pages are read from the query, 25 rows at a time", () => {
  expect(readPage({})).toEqual({ page: 1, perPage: 25, offset: 0 });
  expect(readPage({ page: "3", per_page: "50", state: "open" })).toEqual({
    page: 3,
    perPage: 50,
    offset: 100,
  });
});

test.each(["0", "-1", "1.5", "abc", "", "1e9", "99999999999999999999"])("page %p is refused", (page) => {
  expect(() => readPage({ page })).toThrow("Validation failed: Page");
});

test.each(["0", "101"])("%p rows on a page are refused", (perPage) => {
  expect(() => readPage({ per_page: perPage })).toThrow("Validation failed: Per page must be");
});
