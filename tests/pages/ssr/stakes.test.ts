import { expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { addSessionHost } from "#src/show/session-hosts/manage-session-hosts.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readSession,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, oneOf, parsePage } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const host = await buildAdmin(deps);
const admin = await readerFor(deps, server, host);
const STAKED = "You have a call on it. Somebody else must do this.";

test("the deck of an event with the host's call offers nothing that decides about it, and says why", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const deck = `/sessions/${session.slug}/admin?event=${event.id}`;
  const free = parsePage((await admin.open(deck)).html);
  expect(
    all(free, ".event-editor input[name=title], .event-editor input[name=duration_seconds]"),
  ).toHaveLength(2);

  await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: event.id });
  const called = parsePage((await admin.open(deck)).html);
  expect(all(called, '.event-editor input[name="title"], .event-editor input[name="true_label"]')).toEqual(
    [],
  );
  expect(oneOf(called, ".event-editor").textContent).toContain("the question and its labels stand");
  expect(all(called, '.event-editor input[name="duration_seconds"]')).toHaveLength(1);

  await buildCall(deps, { userId: host.id, eventId: event.id });
  const staked = parsePage((await admin.open(deck)).html);
  expect(all(staked, '.event-editor input:not([type="hidden"])')).toEqual([]);
  expect(all(staked, 'button[value="advance"], button[value="close_event"], button[value="delay"]')).toEqual(
    [],
  );
  expect(oneOf(staked, ".event-editor").textContent).toContain(STAKED);
});

test("the room says what Pause, Stop and Skip give back to the host, does it, and says it again in the audit", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const room = `/sessions/${session.slug}/admin?event=${event.id}`;
  expect((await admin.open(room)).html).not.toContain("taken back");
  await buildCall(deps, { userId: host.id, eventId: event.id });
  const page = parsePage((await admin.open(room)).html);
  const pause = oneOf(page, 'button[value="pause"]');
  expect(oneOf(page, `#${pause.getAttribute("aria-describedby") ?? ""}`).textContent).toBe(
    "Pause or Stop: Your call of $1.00 is taken back.",
  );
  for (const intent of ["stop", "skip"])
    expect(oneOf(page, `dialog:has(button[value="${intent}"])`).textContent).toContain(
      "Your call of $1.00 is taken back.",
    );
  expect((await admin.sendForm(room, { intent: "pause" })).status).toBe(303);
  const after = parsePage((await admin.open(room)).html);
  expect(after.body.textContent).toContain("paused the session (own calls of $1.00 taken back)");
  expect(after.body.textContent).not.toContain("Your call of $1.00 is taken back.");
});

test("before a call the card says to who runs the session that somebody else must decide it then, and to nobody else", async () => {
  const WARNING = "If you call it, somebody else must decide it.";
  const referer = "http://localhost:3000/profile";
  const slipOf = async (reader: typeof admin, slug: string) =>
    oneOf(parsePage((await reader.open(`/sessions/${slug}`, { referer })).html), ".card .mine").textContent;
  const session = await buildRunningSession(deps);
  const small = await buildRunningSession(deps, { settings: { smallRoom: true } });
  const [event] = [
    await buildEvent(deps, "open", { sessionId: session.id }),
    await buildEvent(deps, "open", { sessionId: small.id }),
  ];
  const [player, cohost] = [await buildPlayer(deps), await buildPlayer(deps)];
  for (const { id: sessionId } of [session, small])
    await addSessionHost(deps, { sessionId, actor: host, user: cohost.username });
  const [players, cohosts] = [await readerFor(deps, server, player), await readerFor(deps, server, cohost)];
  for (const reader of [admin, cohosts]) {
    expect(await slipOf(reader, session.slug)).toContain(WARNING);
    expect(await slipOf(reader, small.slug)).not.toContain(WARNING);
  }
  expect(await slipOf(players, session.slug)).not.toContain(WARNING);
  await buildCall(deps, { userId: host.id, eventId: event.id });
  expect(await slipOf(admin, session.slug)).not.toContain(WARNING);
});

test("a small room cannot be chosen after the start, and saving the form keeps it", async () => {
  const session = await buildRunningSession(deps, { settings: { smallRoom: true } });
  const path = `/sessions/${session.slug}/edit`;
  const page = parsePage((await admin.open(path)).html);
  const box = oneOf(page, 'input[type="checkbox"][name="small_room"]');
  expect([box.hasAttribute("disabled"), box.hasAttribute("checked")]).toEqual([true, true]);
  expect(oneOf(page, `#${box.getAttribute("aria-describedby") ?? ""}`).textContent).toContain("has started");
  expect(oneOf(page, 'input[type="hidden"][name="small_room"]').getAttribute("value")).toBe("1");
  const version =
    oneOf(page, 'form:has([name="small_room"]) input[name="version"]').getAttribute("value") ?? "";
  const form = { intent: "save", version, name: "Renamed", description: "", starts_at: "", time_zone: "UTC" };
  const seconds = { lead_seconds: "5", settlement_delay_seconds: "0", small_room: "1" };
  expect((await admin.sendForm(path, { ...form, ...seconds })).status).toBe(303);
  expect(await readSession(deps, session.id)).toMatchObject({
    name: "Renamed",
    settings: { smallRoom: true },
  });
});

test("an admin cannot adjust their own wallet on the page, which says why", async () => {
  const other = await buildPlayer(deps);
  const adjust = 'form:has(input[name="amount"]) button[value="adjust"]';
  const theirs = parsePage((await admin.open(`/users/${other.id}`)).html);
  expect(all(theirs, adjust)).toHaveLength(1);
  const own = parsePage((await admin.open(`/users/${host.id}`)).html);
  expect(all(own, adjust)).toEqual([]);
  expect(oneOf(own, 'form:has(input[name="amount"])').textContent).toContain(
    "This wallet is yours. Another admin must adjust it.",
  );
});
