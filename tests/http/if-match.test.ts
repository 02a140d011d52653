import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { snakeCase } from "#src/http/contract.ts";
import { findBlueprintView } from "#src/show/blueprints/find-blueprint-views.ts";
import { blueprintEventAnswer } from "#src/show/blueprints/schemas.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, client } = await testWorld();
const asAdmin = await client(await build.admin());
const asOther = await client(await build.admin());

/** A record that two admins have read, and the changes that they send one after the other. */
type Conflict = { path: string; name: string; first: Change; second: Change };
type Change = [method: string, path: string, body?: object];

/** The first change renames the record, and so does the second one where it is no other. */
const on = (path: string, name: string, field: string, second?: Change): Conflict => {
  const rename = (text: string): Change => ["PATCH", path, { [snakeCase(name)]: { [field]: text } }];
  return { path, name, first: rename("One?"), second: second ?? rename("Other?") };
};

const conflicts: Record<string, () => Promise<Conflict>> = {
  "a session": async () => on(`/api/v1/sessions/${(await build.session()).slug}`, "session", "name"),
  "a session that is started": async () => {
    const { slug, id } = await build.session();
    await build.draft({ sessionId: id });
    const path = `/api/v1/sessions/${slug}`;
    return on(path, "session", "name", ["PUT", `${path}/start`]);
  },
  "an event": async () => on(`/api/v1/events/${(await build.draft()).id}`, "event", "title"),
  "an event that is closed": async () => {
    const path = `/api/v1/events/${(await build.event("open")).id}`;
    return on(path, "event", "title", ["PATCH", `${path}/state`, { event: { state: "closed" } }]);
  },
  "an event that is advanced": async () => {
    const session = await build.runningSession();
    const path = `/api/v1/events/${(await build.event("open", { sessionId: session.id })).id}`;
    return on(path, "event", "title", ["PUT", `${path}/advance`]);
  },
  "a blueprint": async () => on(await buildBlueprintPath(), "blueprint", "name"),
  "a blueprint that is deleted": async () => {
    const path = await buildBlueprintPath();
    return on(path, "blueprint", "name", ["DELETE", path]);
  },
  "an event of a blueprint": async () => on(await buildBlueprintEvent(), "blueprintEvent", "title"),
  "a user": async () => {
    const path = `/api/v1/users/${(await build.player()).id}`;
    const first: Change = ["PUT", `${path}/roles`, { user: { roles: ["operator"] } }];
    return { path, name: "user", first, second: ["PUT", `${path}/deactivate`] };
  },
};

const buildBlueprintPath = async () => `/api/v1/blueprints/${(await build.blueprint([{}])).id}`;

async function buildBlueprintEvent(): Promise<string> {
  const { id } = await build.blueprint([{}]);
  const { blueprintEvents } = await findBlueprintView(db, id);
  return `/api/v1/blueprint_events/${blueprintEvents[0]?.id ?? 0}`;
}

const answerSchema = v.record(v.string(), v.looseObject({ version: v.number() }));

async function read({ path, name }: Conflict) {
  const record = (await asAdmin.read(path, answerSchema))[name];
  if (record === undefined) throw new Error(`the answer of ${path} has no ${name}`);
  return record;
}

const send = (client: TestClient, [method, path, body]: Change, tag?: string) =>
  client.send(method, path, body, tag === undefined ? {} : { "if-match": tag });

describe.each(Object.entries(conflicts))("%s", (_, build) => {
  test("is not changed on the basis of an older version; the answer has its current state", async () => {
    const one = await build();
    const { version } = await read(one);
    expect((await send(asOther, one.first, `"${version}"`)).status).toBe(200);
    const now = await read(one);
    expect(now.version).toBe(version + 1);

    const { status, body, headers } = await send(asAdmin, one.second, `"${version}"`);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "stale_version",
      error: "stale version",
      requestId: String(headers.get("x-request-id")),
      current: { [one.name]: { version: now.version } },
    });
    expect(await read(one)).toEqual(now);
  });

  test("is changed with its current version, without a version, and with *", async () => {
    for (const tagged of [true, false, "*"]) {
      const one = await build();
      const { version } = await read(one);
      await send(asOther, one.first);
      const tag = tagged === true ? `"${version + 1}"` : tagged || undefined;
      expect((await send(asAdmin, one.second, tag)).status).toBeOneOf([200, 204]);
    }
  });
});

test("the ETag of an answer can be sent in If-Match", async () => {
  const { slug } = await build.session();
  const path = `/api/v1/sessions/${slug}`;
  const tag = String((await asAdmin.get(path)).headers.get("etag"));
  expect((await send(asAdmin, ["PATCH", path, { session: { name: "One" } }], tag)).status).toBe(200);
  const late = await send(asAdmin, ["PATCH", path, { session: { name: "Other" } }], tag);
  expect([late.status, late.body]).toMatchObject([409, { current: { session: { name: "One" } } }]);
});

test("a tag that is not one of ours matches nothing", async () => {
  const { slug } = await build.session();
  const path = `/api/v1/sessions/${slug}`;
  for (const tag of ['"abc"', "W/x", '"1", "2"', '"-1"']) {
    const { status, body } = await send(asAdmin, ["PATCH", path, { session: { name: "Other" } }], tag);
    expect([tag, status, body]).toMatchObject([tag, 409, { code: "stale_version" }]);
  }
  expect((await asAdmin.get(path)).body).not.toMatchObject({ session: { name: "Other" } });
});

test("of concurrent changes of the same version, one succeeds", async () => {
  const { id } = await build.blueprint([{}]);
  const path = `/api/v1/blueprints/${id}`;
  const statuses = await Promise.all(
    [asAdmin, asOther, asAdmin, asOther].map(async (client, number) => {
      const change: Change = ["PATCH", path, { blueprint: { name: `Name ${number}` } }];
      return (await send(client, change, '"0"')).status;
    }),
  );
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
});

test("the current state is not shown to callers who may not change the record", async () => {
  const { slug } = await build.session();
  const player = await client(await build.player());
  const { status, body } = await send(player, ["PATCH", `/api/v1/sessions/${slug}`, { session: {} }], '"99"');
  expect([status, body]).toMatchObject([403, { code: "forbidden" }]);
  expect(body).not.toHaveProperty("current");
});

test("moving or adding an event of a blueprint changes no versions of others", async () => {
  const path = await buildBlueprintEvent();
  const { blueprintEvent } = await asAdmin.read(path, blueprintEventAnswer);
  const { blueprintId } = blueprintEvent;
  await asOther.send("POST", "/api/v1/blueprint_events", {
    blueprint_event: { blueprint_id: blueprintId, title: "Another?", position: 1 },
  });
  const renamed = await send(asAdmin, ["PATCH", path, { blueprint_event: { title: "One?" } }], '"0"');
  expect([renamed.status, renamed.body]).toMatchObject([
    200,
    { blueprintEvent: { position: 2, version: 1 } },
  ]);
  const blueprint: Change = ["PATCH", `/api/v1/blueprints/${blueprintId}`, { blueprint: { name: "One" } }];
  expect((await send(asAdmin, blueprint, '"0"')).status).toBe(200);
});
