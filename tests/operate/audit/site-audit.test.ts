import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { type AuditEntry, writeAudit, writePersonalAudit } from "#src/base/audit.ts";
import { AUDIT_SHOWN } from "#src/operate/audit/contract.ts";
import { siteAuditAnswer } from "#src/operate/audit/schemas.ts";
import { buildStaff } from "#tests/operate/operations/staff.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const { admin } = await buildStaff(deps);
const [ana, ben] = [await build.player(), await build.player()];
const session = await build.session({ name: "Derby night" });
const draft = await build.draft({ sessionId: session.id, title: "Goal inside ten minutes?" });

const PATH = "/api/v1/audit";
const read = async (query = "") => {
  const response = await admin.get(`${PATH}${query}`);
  expect(response.status).toBe(200);
  return v.parse(siteAuditAnswer, await response.json());
};
const actionsFound = async (query: string) => (await read(query)).audit.map(({ action }) => action);

/** Entries of these moments. An entry without a session is about Ben. */
async function write(at: string, entry: Partial<AuditEntry> = {}): Promise<void> {
  const subject = { type: "user", id: ben.id } as const;
  const action = "play_chess";
  await db.transaction(async (tx) => {
    await writeAudit(tx, { actor: ana, action, subject, ...entry });
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(
      sql`UPDATE audit SET created_at = ${at}::timestamptz WHERE id = (SELECT max(id) FROM audit)`,
    );
  });
}

const ofDraft = {
  action: "move_draft",
  subject: { type: "event", id: draft.id },
  sessionId: session.id,
} as const;

test("an entry says who did what to which record, in which session, when and why; values that are personal are in it", async () => {
  await write("2031-01-01T10:00:00Z", {
    ...ofDraft,
    before: { at: 1 },
    after: { at: 2 },
    reason: "Too early",
  });
  await db.transaction((tx) =>
    writePersonalAudit(
      tx,
      { actor: null, action: "rename_ben", subject: { type: "user", id: ben.id } },
      { userId: ben.id, before: { username: "old-ben" }, after: { username: "new-ben" } },
    ),
  );
  expect((await read("?action=move_draft")).audit).toEqual([
    {
      id: expect.any(Number),
      actor: { id: ana.id, username: ana.username, token: null },
      action: "move_draft",
      subject: { type: "event", id: draft.id, title: "Goal inside ten minutes?" },
      session: { id: session.id, slug: session.slug, name: "Derby night" },
      before: { at: 1 },
      after: { at: 2 },
      reason: "Too early",
      at: "2031-01-01T10:00:00.000Z",
    },
  ]);
  expect((await read("?action=rename_ben")).audit).toMatchObject([
    {
      actor: null,
      session: null,
      subject: { type: "user", title: ben.username },
      before: { username: "old-ben" },
    },
  ]);
});

test("each filter finds its own, and all together what is of all", async () => {
  await write("2031-02-01T10:00:00Z", { action: "first" });
  await write("2031-02-02T10:00:00Z", { ...ofDraft, action: "second", actor: ben });
  await write("2031-02-03T10:00:00Z", { action: "third", actor: ben });
  const days = "?from=2031-02-01T00:00:00Z&to=2031-02-04T00:00:00Z";
  expect(await actionsFound(days)).toEqual(["third", "second", "first"]);
  expect(await actionsFound("?from=2031-02-01T10:00:00Z&to=2031-02-02T10:00:00Z")).toEqual(["first"]);
  expect(await actionsFound(`${days}&actor=${ben.username.toUpperCase()}`)).toEqual(["third", "second"]);
  expect(await actionsFound(`${days}&actor=${ana.id}`)).toEqual(["first"]);
  expect(await actionsFound(`${days}&subject=user`)).toEqual(["third", "first"]);
  expect(await actionsFound(`${days}&session=${session.slug}`)).toEqual(["second"]);
  expect(
    await actionsFound(`${days}&session=${session.id}&actor=${ben.id}&subject=event&action=second`),
  ).toEqual(["second"]);
  expect((await read()).actions).toEqual(expect.arrayContaining(["first", "move_draft", "second", "third"]));
  for (const query of [
    "?actor=nobody-here",
    "?session=no-such-show",
    "?action=none",
    `?actor=${ben.id}&action=first`,
  ])
    expect(await actionsFound(query)).toEqual([]);
  expect((await admin.get(`${PATH}?subject=planet`)).status).toBe(422);
  expect((await admin.get(`${PATH}?from=yesterday`)).status).toBe(422);
});

test("pages continue where the one before ended, also among entries of one moment, whatever has come since", async () => {
  const count = 2 * AUDIT_SHOWN + 3;
  for (let written = 0; written < count; written += 1)
    await write("2031-03-01T10:00:00Z", { action: "count" });
  const ids: number[] = [];
  let before: number | null = null;
  do {
    const page = await read(`?action=count${before === null ? "" : `&before=${before}`}`);
    ids.push(...page.audit.map(({ id }) => id));
    before = page.meta.before;
    await write("2031-03-02T10:00:00Z", { action: "count" });
  } while (before !== null);
  expect(ids).toHaveLength(count);
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
});

test("the file has all that is filtered, and a spreadsheet runs nothing in it", async () => {
  await write("2031-04-01T10:00:00Z", { action: "export", reason: "=cmd()", after: { name: "x;=1+1" } });
  const response = await admin.get(`${PATH}.csv?action=export`);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="called-it-audit.csv"');
  const [head, line, ...rest] = (await response.text()).split("\r\n");
  expect(head).toBe(
    "at,id,actor_id,actor,access_token,action,subject,subject_id,subject_title,session_id,session,reason,before,after",
  );
  expect(line).toStartWith("2031-04-01T10:00:00.000Z,");
  expect(line).toEndWith(`,export,user,${ben.id},${ben.username},,,'=cmd(),{},"{""name"":""x;'=1+1""}"`);
  expect(rest).toEqual([""]);
  const counted = (await (await admin.get(`${PATH}.csv`)).text()).trimEnd().split("\r\n");
  expect(counted).toHaveLength(1 + (await db.$count(audit)));
});

test("the page filters without JavaScript, leads on, and says when nothing is on record", async () => {
  const open = async (query: string) =>
    (await admin.get(`/admin/audit${query}`, { accept: "text/html" })).text();
  const html = await open("?action=count&from=2031-03-01&to=2031-03-01");
  expect(html).toContain('<option value="count" selected="">');
  expect(html).toContain("?action=count&amp;from=2031-03-01&amp;to=2031-03-01&amp;before=");
  expect(html).toContain("/api/v1/audit.csv?action=count&amp;from=2031-03-01T00");
  expect(await open("?action=move_draft")).toContain("Goal inside ten minutes?");
  expect(await open("?actor=nobody-here")).toContain("Nothing is on record");
  expect(await open("?subject=planet&from=yesterday&before=x")).toContain("Who did what");
});
