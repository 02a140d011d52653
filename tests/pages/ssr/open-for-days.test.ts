import { expect, test } from "bun:test";
import * as v from "valibot";
import { testWorld } from "#tests/support/world.ts";
import { Reader, readerFor } from "./browser.ts";
import { linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";

const { deps, build, server, read, client } = await testWorld();
const HOUR_MS = 3_600_000;
const DAYS = 3;
const closesAt = new Date(Math.floor(Date.now() / HOUR_MS + DAYS * 24) * HOUR_MS);
const admin = await build.admin();
const show = await build.runningSession({ slug: "league", name: "The League" });
const path = "/sessions/league";
const host = await client(admin);
// Players who open the list are not taken to the show.
await host.send("PUT", `/api/v1${path}/deactivate`);
const added = v.object({ event: v.looseObject({ id: v.number() }) });

async function ask(title: string, hoursEarlier: number): Promise<number> {
  const closes_at = new Date(closesAt.getTime() - hoursEarlier * HOUR_MS).toISOString();
  const event = { session_id: show.id, title, ask: true, closes_at };
  return v.parse(added, (await host.send("POST", "/api/v1/events", { event })).body).event.id;
}

const [cup, derby] = [await ask("Who wins the cup?", 1), await ask("هل يفوز الأهلي؟", 2)];
const opened = async (reader: Reader, address: string) => parsePage((await reader.open(address)).html);

test("a stranger at the front door and a player at the list of sessions read what is open for days, each with the way to its card", async () => {
  const links = [
    `Call it: هل يفوز الأهلي؟ ${path}?question=${derby}`,
    `Call it: Who wins the cup? ${path}?question=${cup}`,
  ];
  const player = await readerFor(deps, server, await build.player());
  for (const page of [
    await opened(new Reader(server), "/users/sign_in"),
    await opened(player, "/sessions"),
  ]) {
    expect(linksOf(page, ".list a").filter((link) => link.startsWith("Call it"))).toEqual(links);
    expect(textsOf(page, ".list .tiny")).toContainEqual(expect.stringMatching(/^The League, closes /));
  }
});

test("one of several is chosen above the card, also without JavaScript; the card has it, and says when it closes", async () => {
  const player = await readerFor(deps, server, await build.player());
  const tabs = (page: ReturnType<typeof parsePage>) =>
    linksOf(page, "nav.tabs[aria-label='Open questions'] a");
  for (const [chosen, title] of [
    [cup, "Who wins the cup?"],
    [derby, "هل يفوز الأهلي؟"],
  ] as const) {
    const page = await opened(player, `${path}?question=${chosen}`);
    expect(tabs(page)).toEqual([
      expect.stringMatching(/^هل يفوز الأهلي؟2 d \d+ h \/sessions\/league\?question=/),
      expect.stringMatching(/^Who wins the cup\?2 d \d+ h \/sessions\/league\?question=/),
    ]);
    expect(oneOf(page, ".card-q").textContent).toBe(title);
    expect(oneOf(page, "nav.tabs [aria-current=true]").textContent).toStartWith(title);
  }
});

test("a host asks a question in the control room that closes by a date, also without JavaScript", async () => {
  const reader = await readerFor(deps, server, admin);
  const room = `${path}/admin`;
  expect(textsOf(await opened(reader, room), "summary")).toContain("By date, up to 30 days");
  const time = closesAt.toISOString().slice(0, "2026-11-21T20:14".length);
  const dates = { time_zone: "UTC", opens_at: "", closes_at: time };
  const question = { title: "Who is relegated?", true_label: "", false_label: "", duration_seconds: "60" };
  const sent = await reader.sendForm(room, {
    intent: "ask",
    session_id: String(show.id),
    ...question,
    ...dates,
  });
  expect(sent.status).toBeLessThan(400);
  const asked = (await read.events(show.id)).find(({ title }) => title === question.title);
  expect(asked?.state).toBe("open");
  // Opened within a second, it closes within the second after.
  expect((asked?.closesAt?.getTime() ?? 0) - closesAt.getTime()).toBeWithin(0, 1_000);
});
