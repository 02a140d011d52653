import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { facePath } from "#src/people/avatars/contract.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { createShare } from "#src/shares/create-share.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Page, Reader, readerFor } from "./browser.ts";
import { linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";

const DOOR = "/users/sign_in";
const SHOW = "/sessions/the-show";

const { deps, build, server, timer } = await testWorld();
const show = await build.runningSession({ slug: "the-show", name: "The Show" });
const event = await build.event("open", { sessionId: show.id, title: "Who scores next?" });
const player = await build.player();
const callId = await build.call({ userId: player.id, eventId: event.id, side: "false" });

const guests = () => deps.pool.db.$count(users, eq(users.guest, true));
const buttonsOf = ({ html }: Page) => textsOf(parsePage(html), "button");

/** Sends the form of the front door. */
function play(reader: Reader, name: string, { to = SHOW, from = DOOR } = {}): Promise<Page> {
  return reader.sendForm(from, { intent: "play", to, "user[username]": name });
}

test("the door has chosen a name and a face, one link chooses others, and with them a guest plays by one tap", async () => {
  const reader = new Reader(server);
  const offered = async () => {
    const page = parsePage((await reader.open(DOOR)).html);
    const name = oneOf(page, 'input[name="user[username]"]').getAttribute("value") ?? "";
    const face = oneOf(page, 'input[name="user[face]"][checked]').getAttribute("value") ?? "";
    expect(linksOf(page, ".chosen a")).toEqual([`Another name and face ${DOOR}`]);
    return { name, face };
  };
  const [first, second] = [await offered(), await offered()];
  expect(first.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
  expect(second.name).not.toBe(first.name);
  const chosen = { "user[username]": second.name, "user[suggested]": second.name, "user[face]": second.face };
  const sent = { intent: "play", to: SHOW, ...chosen };
  expect((await reader.sendForm(DOOR, sent)).location).toBe(SHOW);
  const [row] = await deps.pool.db.select().from(users).where(eq(users.username, second.name));
  expect([row?.guest, presentAvatar(row?.avatar).default]).toEqual([true, facePath(Number(second.face))]);

  // Two had the page open: the one who comes later has chosen nothing, and gets another name instead of a refusal.
  const before = await guests();
  expect((await new Reader(server).sendForm(DOOR, sent)).location).toBe(SHOW);
  expect(await guests()).toBe(before + 1);
  // Who has typed it is told.
  const typed = await play(new Reader(server), second.name);
  expect([typed.status, await guests()]).toEqual([422, before + 1]);
});

test("an address that has gone is one tap away from the game, and one of a session leads to the live one", async () => {
  const lost = await new Reader(server).open("/nowhere");
  expect(lost.status).toBe(404);
  expect(lost.html).not.toContain("Internal Server Error");
  expect(buttonsOf(lost)).toContain("Play now");
  const gone = await new Reader(server).open("/sessions/gone");
  expect(gone.location).toBe(`${DOOR}?return_to=%2Fsessions%2Fgone`);
  for (const returnTo of ["/", "/sessions/gone", "//evil.example", ""]) {
    const form = `/users/guest?${new URLSearchParams({ return_to: returnTo }).toString()}`;
    const answer = await new Reader(server).sendForm(form, {}, { from: "/nowhere" });
    expect([returnTo, answer.location]).toEqual([returnTo, SHOW]);
  }
  const signedIn = await readerFor(deps, server, player);
  expect(buttonsOf(await signedIn.open("/nowhere"))).not.toContain("Play now");
});

test("a shared call leads into its session by one tap, and into another live one once it is over", async () => {
  const { db } = deps.pool;
  const share = { kind: "call", targetId: callId } as const;
  await createShare(db, { viewer: player, ...share }, new Date());
  const [{ token } = { token: "" }] = await deps.pool.sql<{ token: string }[]>`SELECT token FROM shares`;
  const stranger = await new Reader(server).open(`/shared/${token}`);
  expect(buttonsOf(stranger)).toEqual(["Play now"]);
  expect(stranger.html).toContain('action="/users/guest?return_to=%2Fsessions%2Fthe-show"');

  const other = await build.runningSession({ slug: "other-show", name: "The other show" });
  await timer.stop(show.id);
  const later = await new Reader(server).open(`/shared/${token}`);
  expect(later.html).toContain('action="/users/guest?return_to=%2Fsessions%2Fother-show"');
  expect(later.html).toContain("The other show");
  await timer.stop(other.id);
});

test("while nothing is live the next start is shown, and a tap waits in it; with nothing planned no guest is made", async () => {
  const empty = await new Reader(server).open(DOOR);
  expect(empty.html).toContain("No show is planned yet.");
  expect(buttonsOf(empty)).not.toContain("Join now");
  // Who has scanned the code of a show that has not started.
  const linked = await new Reader(server).open("/users/sign_in?return_to=%2Fsessions%2Flate-show");
  expect(linked.html).toContain("Join, and you are there when it starts.");
  expect(buttonsOf(linked)).toContain("Join now");
  const before = await guests();
  const answer = await new Reader(server).sendForm("/users/guest?return_to=%2F", {}, { from: DOOR });
  expect([answer.location, await guests()]).toEqual(["/", before]);

  const planned = await build.session({ slug: "late-show", name: "Late show" });
  const startsAt = new Date(Date.now() + 3 * 3_600_000);
  await deps.pool.db.update(sessions).set({ startsAt }).where(eq(sessions.id, planned.id));
  const page = await new Reader(server).open(DOOR);
  expect(textsOf(parsePage(page.html), "h2")).toContain("Late show");
  expect(page.html).toContain(startsAt.toISOString());
  expect(page.html).toContain('href="/sessions/late-show/remind"');
  expect(buttonsOf(page)).toContain("Join now");
  expect((await play(new Reader(server), "early_bird", { to: "/sessions/late-show" })).location).toBe(
    "/sessions/late-show",
  );
});
