import { expect, test } from "bun:test";
import path from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import { readFindings } from "#src/books/present-book-check.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { uploadMetadata } from "#src/people/pictures/make-avatar.ts";
import { findExportedProfile } from "#src/profiles/export-account.ts";
import { presentBlueprint } from "#src/show/blueprints/find-blueprint-views.ts";
import { presentPicture } from "#src/show/events/question-picture.ts";
import { readSettings } from "#src/show/events/schedule.ts";
import { presentSession } from "#src/show/sessions/find-session-views.ts";
import { beforeStop } from "#src/show/sessions/schemas.ts";
import { testWorld } from "#tests/support/world.ts";
import * as older from "./older-rows.ts";
import {
  readAudit,
  readDryRun,
  readFact,
  readLetter,
  readLogEntry,
  readPersonalAudit,
  readStart,
  repeatRequest,
} from "./stored-json.ts";

const { deps, db, build } = await testWorld();
const session = await build.session();
const blueprint = await build.blueprint();
const player = await build.player();
const counts = { eventsCount: 0, registrationsCount: 0, registered: false, playersOnline: 0 };

type Stored = {
  /** What earlier releases have written. Of a key that is added later at least one is without it. */
  rows: readonly unknown[];
  /** Reads it as the product does, and returns what is shown of it. */
  read: (stored: unknown) => unknown;
  /** What is shown of each of them. */
  shows: unknown;
};

const auditLine = { before: { name: "Old" }, after: { name: "New" } };
const logged = (kind: "session" | "event" | "exclusion" | "guest", detail: unknown) => ({ kind, detail });

const pictures: Stored = {
  rows: [older.picture, { ...older.picture, focus: "top" }],
  read: (stored) => presentPicture(stored, "/q"),
  shows: { alt: "A bridge", width: 640 },
};

/** Every column with JSON, by its table. */
const columns: Record<string, Stored | "nothing reads it back"> = {
  "users.avatar": {
    rows: [older.avatar],
    read: presentAvatar,
    shows: { default: "/m.webp", thumb: "/t.webp" },
  },
  "users.preferences": {
    rows: [{}],
    read: () => findExportedProfile(db, player.id),
    shows: expect.anything(),
  },
  "sessions.settings": {
    rows: [
      {},
      { leadSeconds: 10, smallRoom: false },
      { leadSeconds: "10" },
      // A brand of another release: a colour that does not hold today, and a logo in another place.
      { brand: { accent: "#ffff00", sponsor: "", logo: "https://example.test/logo.svg", font: "Comic" } },
      { brand: "Bakery" },
    ],
    read: (settings) => ({
      ...presentSession({ ...session, settings }, counts),
      timing: readSettings({ settings }),
    }),
    shows: { settings: { leadSeconds: 10, smallRoom: false }, timing: { leadSeconds: 10 } },
  },
  "sessions.beforeStop": {
    rows: [older.beforeStop],
    read: (stored) => v.parse(beforeStop, stored),
    shows: { active: true, unopened: [{ id: 7, draft: true }] },
  },
  "blueprints.defaults": {
    rows: [{}, { leadSeconds: 10, smallRoom: false }],
    read: (defaults) =>
      presentBlueprint({ ...blueprint, defaults }, { blueprintEvents: [], sessionsCount: 0 }),
    shows: { defaults: { leadSeconds: 10, smallRoom: false } },
  },
  "blobs.metadata": {
    rows: [{ crop: { x: 0, y: 0, size: 64 } }],
    read: (metadata) => v.parse(uploadMetadata, metadata),
    shows: { crop: { x: 0, y: 0, size: 64 } },
  },
  "events.picture": pictures,
  "blueprint_events.picture": pictures,
  "passkeys.transports": "nothing reads it back",
  "payment_flags.said": "nothing reads it back",
  "idempotency_keys.outcome": {
    rows: [{ recipientsCount: 5 }],
    read: (outcome) => repeatRequest(deps, outcome),
    shows: { announcement: { recipientsCount: 5 } },
  },
  "audit.before": {
    rows: [{ name: "Old" }],
    read: (before) => readAudit(deps, { ...auditLine, before }),
    shows: auditLine,
  },
  "audit.after": {
    rows: [{ name: "New" }, { name: "New", process: "web" }],
    read: async (after) => ({
      line: await readAudit(deps, { ...auditLine, after }),
      start: await readStart(deps, after),
    }),
    shows: { line: auditLine, start: { pid: 7 } },
  },
  "audit_personal.before": {
    rows: [{ name: "Old" }],
    read: (before) => readPersonalAudit(deps, { ...auditLine, before }),
    shows: auditLine,
  },
  "audit_personal.after": {
    rows: [{ name: "New" }],
    read: (after) => readPersonalAudit(deps, { ...auditLine, after }),
    shows: auditLine,
  },
  "book_checks.findings": {
    rows: [older.findings, []],
    read: (findings) => ({ findings: readFindings(findings) }),
    shows: { findings: expect.any(Array) },
  },
  "dry_runs.plan": {
    rows: [older.plan],
    read: (plan) => readDryRun(deps, { plan, options: older.options }),
    shows: { eventsCount: 1, report: null },
  },
  "dry_runs.options": {
    rows: [older.options],
    read: (options) => readDryRun(deps, { plan: older.plan, options }),
    shows: { options: older.options },
  },
  "mails.kept": { rows: [older.letter], read: (kept) => readLetter(deps, kept), shows: older.letter },
  "outbox.payload": {
    rows: Object.entries(older.payloads).map(([kind, payload]) => ({ kind, payload })),
    read: (stored) => readFact(deps, v.parse(v.object({ kind: v.string(), payload: v.unknown() }), stored)),
    shows: { kind: expect.any(String) },
  },
  "session_log.detail": {
    rows: [
      logged("session", older.sessionEntry),
      logged("event", older.eventEntry),
      logged("event", null),
      logged("exclusion", { excluded: true }),
      logged("guest", { guest: false }),
    ],
    read: (stored) => readLogEntry(deps, v.parse(loggedSchema, stored)),
    shows: { kind: expect.any(String) },
  },
};

const loggedSchema = v.object({
  kind: v.picklist(["session", "event", "exclusion", "guest"]),
  detail: v.unknown(),
});

/** Text that holds JSON. */
const texts: Record<string, Stored> = {
  "dry_runs.report": {
    rows: [older.report],
    read: (report) => readDryRun(deps, { plan: older.plan, options: older.options, report }),
    shows: { report: { summary: { tapsCount: 8 }, timeline: [{ what: "session_started" }] } },
  },
};

/** The same JSON with a key that only a newer release knows, in each of its objects. */
function withNewerKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withNewerKeys);
  if (typeof json !== "object" || json === null) return json;
  const changed = Object.entries(json).map(([key, value]) => [key, withNewerKeys(value)] as const);
  return { ...Object.fromEntries(changed), ofANewerRelease: Object.values(json)[0] ?? "new" };
}

async function jsonColumns(): Promise<string[]> {
  const folder = path.join(import.meta.dir, "../../db/schema");
  const files = await Array.fromAsync(new Bun.Glob("*.ts").scan(folder));
  const modules: object[] = await Promise.all(files.map((file) => import(path.join(folder, file))));
  const tables = modules
    .flatMap((exported): unknown[] => Object.values(exported))
    .filter((each) => is(each, PgTable));
  return tables.flatMap((table) =>
    Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
      column.getSQLType() === "jsonb" ? [`${getTableName(table)}.${key}`] : [],
    ),
  );
}

test("every column with JSON has rows of an earlier release here, so that nothing is stored that only today's program can read", async () => {
  const found = await jsonColumns();
  const missing = found.filter((name) => columns[name] === undefined);
  const gone = Object.keys(columns).filter((name) => !found.includes(name));
  const howTo =
    "Add the JSON that the release before this column's next change has written, and what reads it.";
  expect({ missing, gone, howTo }).toEqual({ missing: [], gone: [], howTo });
});

for (const [name, stored] of Object.entries({ ...columns, ...texts })) {
  if (stored === "nothing reads it back") continue;
  test(`${name} is read as an earlier release wrote it`, async () => {
    for (const row of stored.rows) expect(await stored.read(row)).toMatchObject(Object(stored.shows));
  });
  test(`${name} is read as a newer release may write it, with more keys`, async () => {
    for (const row of stored.rows)
      expect(await stored.read(withNewerKeys(row))).toMatchObject(Object(stored.shows));
  });
}

test("a picture that was stored in other sizes has the nearest one for each of today's", () => {
  const before = {
    ...older.avatar,
    pictures: { small: "/s.webp", of_a_newer_release: "/n.webp", original: "/o.webp" },
  };
  expect(presentAvatar(before)).toMatchObject({
    default: "/o.webp",
    thumb: "/s.webp",
    small: "/s.webp",
    medium: "/o.webp",
    large: "/o.webp",
    original: "/o.webp",
  });
  expect(presentAvatar({ ...older.avatar, pictures: { thumb: "/t.webp" } }).large).toBe("/t.webp");
});

test("a kind of fact, a change and a report that only a newer release knows stop nothing", async () => {
  expect(await readFact(deps, { kind: "of_a_newer_release", payload: {} })).toBeNull();
  const changed = { kind: "event_changed", payload: { eventId: 1, change: "of_a_newer_release" } };
  expect(await readFact(deps, changed)).toMatchObject({ kind: "event_changed" });
  const timeline = [{ atMs: 0, what: "of_a_newer_release", event: null }];
  const run = { plan: older.plan, options: older.options, report: { ...older.report, timeline } };
  expect(await readDryRun(deps, run)).toMatchObject({ state: "done", report: null });
});
