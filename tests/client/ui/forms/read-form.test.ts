import { expect, test } from "bun:test";
import { momentIn } from "#client/base/format/field-time.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";

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
