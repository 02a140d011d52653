import { expect, test } from "bun:test";
import { keepUpWith, type OwnVersions, rememberVersion } from "#client/screens/show/use-acting.ts";

const ID = 7;

function formOf(version: number | null): FormData {
  const form = new FormData();
  form.set("event_id", String(ID));
  if (version !== null) form.set("version", String(version));
  return form;
}

/** The viewer's own acts, each with the version that it was based on (null: on any) and the one that it made. */
function afterOwn(...acts: readonly [from: number | null, to: number][]): OwnVersions {
  const own: OwnVersions = new Map();
  for (const [from, to] of acts) rememberVersion(own, formOf(from), { id: ID, version: to });
  return own;
}

/** The version with which a form is sent that still shows this one. */
function sentAs(own: OwnVersions, shown: number): number {
  const form = formOf(shown);
  keepUpWith(own, form);
  return Number(form.get("version"));
}

test("a form with the version before the viewer's own acts is sent with the one after them", () => {
  expect(sentAs(afterOwn([5, 6]), 5)).toBe(6);
  expect(sentAs(afterOwn([5, 7]), 5)).toBe(7);
  expect(sentAs(afterOwn([5, 6], [6, 7]), 5)).toBe(7);
  expect(sentAs(afterOwn([null, 6]), 5)).toBe(6);
});

test("a form is not kept up with what somebody else has changed before the viewer's own act", () => {
  expect(sentAs(afterOwn([7, 8]), 5)).toBe(5);
  expect(sentAs(afterOwn([5, 6], [8, 9]), 5)).toBe(5);
  expect(sentAs(afterOwn([null, 8]), 5)).toBe(5);
});

test("a form with a newer version is sent as it is", () => {
  expect(sentAs(afterOwn([5, 6]), 6)).toBe(6);
  expect(sentAs(afterOwn([5, 6]), 9)).toBe(9);
  expect(sentAs(afterOwn(), 5)).toBe(5);
});
