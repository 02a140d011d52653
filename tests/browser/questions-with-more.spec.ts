import type { EventView } from "#src/show/events/schemas.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { newPlayer, signedIn } from "./players.ts";
import { type Api, apiOf } from "./show-host.ts";
import { expectWhole, openWall } from "./support/boxes.ts";
import { type Page, expect, hydrated, openLive, test, use } from "./support/journey.ts";
import { change, planSession, startSession } from "./support/own-show.ts";
import { sendPicture } from "./support/send-picture.ts";
import { callSide } from "./support/two-device-show.ts";

const ALT = "A bridge over a wide river at night, seen from the north";
const TITLE = `${"Was the bridge in this picture opened before the year 1900, or was it after that? ".repeat(2).slice(0, 139)}?`;
const EXPLANATION =
  "It was opened in 1894, after eight years of work, and lifted its halves more than six thousand times in its first year. ".repeat(
    4,
  );
/** The width of the picture that replaces the first one. */
const NARROWER = 800;
const NOTE = "Before: 1894. Say that it is not London Bridge.";

test("a question with a picture, an explanation and a note is read where each belongs, and nothing of it is cut or moves", async () => {
  test.slow();
  const admin = await signedIn("admin");
  const host = apiOf(admin);
  const session = await planSession(host, "Bridges", { settlement_delay_seconds: 600, lead_seconds: 60 });
  await startSession(host, session);
  const event = await planQuestion(host, admin, session.id);
  const { page: phone, api: caller } = await newPlayer("bridges");
  await openLive(phone, `/sessions/${session.slug}`);
  await use(phone);
  const wall = await openWall(host, session);

  await change(host, event, { state_event: "publish_event" });
  await expect(phone.locator(".card-q")).toHaveText(TITLE);
  await expectLoaded(phone.locator(".unfolds img"));
  await admin.goto(`/sessions/${session.slug}/admin`);
  await expect(admin.locator(".question-more").first()).toContainText(NOTE);
  await replacePicture(admin);
  await expectLoaded(phone.locator(".unfolds img"), NARROWER);
  const before = await boxesOf(phone);
  await change(host, event, { state_event: "open_event" });
  await expect(phone.locator(".side.true")).toBeEnabled();
  expect(await boxesOf(phone)).toEqual(before);
  await expectLoaded(wall.locator(".shown-picture img"), NARROWER);
  await expectWhole(wall, "open");
  await phone.locator(".unfolds summary").click();
  expect((await phone.locator(".unfolds img").boundingBox())?.height).toBeGreaterThan(300);
  await phone.locator(".unfolds summary").click();
  await callSide(caller, event, "true");
  await change(host, event, { state_event: "close_event" });
  expect(await phone.locator("body").innerText()).not.toContain("opened in 1894");
  await change(host, event, { state_event: "resolve", result: true });
  await expect(wall.locator(".stage-result")).toContainText("opened in 1894");
  await expect(phone.locator(".card .why")).toContainText("opened in 1894");
  await expectWhole(wall, "pays in");
  await host("PATCH", `/api/v1/sessions/${session.slug}`, {
    session: { settings: { settlement_delay_seconds: 0 } },
  });
  await change(host, event, { state_event: "withdraw" });
  await expect(phone.locator("body")).not.toContainText("opened in 1894");
  await change(host, event, { state_event: "resolve", result: true });
  await expect(phone.locator(".result .why")).toContainText("opened in 1894");
  await expectWhole(wall, "result");
  for (const page of [phone, wall]) expect(await page.content()).not.toContain(NOTE);
});

async function planQuestion(host: Api, admin: Page, sessionId: number): Promise<EventView> {
  const event = {
    session_id: sessionId,
    title: TITLE,
    true_label: "Before 1900, as I think",
    false_label: "In 1900 or later than it",
    duration_seconds: 1_200,
    picture: await sendPicture(host, admin, { width: 1_600, height: 900 }),
    picture_alt: ALT,
    explanation: EXPLANATION.slice(0, 480),
    host_note: NOTE,
  };
  return (await host<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
}

/** The host replaces the picture in the control room, after a file that is none was refused. */
async function replacePicture(admin: Page): Promise<void> {
  const save = async (name: string, bytes: Uint8Array) => {
    const editor = admin.locator(".event-editor");
    if (!(await editor.evaluate((details: HTMLDetailsElement) => details.open)))
      await editor.locator("summary").click();
    await admin
      .getByLabel("Picture", { exact: true })
      .setInputFiles({ name, mimeType: "image/png", buffer: Buffer.from(bytes) });
    await admin.getByRole("button", { name: "Save the picture" }).click();
    await hydrated(admin);
  };
  const shown = admin.locator(".question-more img").first();
  await save("bridge.png", new TextEncoder().encode("No picture at all."));
  await expect(admin.getByLabel("Picture", { exact: true })).toHaveAccessibleDescription(
    /Picture is invalid$/,
  );
  await expectLoaded(shown);
  await save("bridge.png", await picture("png", { width: NARROWER, height: 600 }));
  await expectLoaded(shown, NARROWER);
}

async function expectLoaded(shown: ReturnType<Page["locator"]>, width = 1_280): Promise<void> {
  await expect(shown).toHaveAttribute("alt", ALT);
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(width);
}

/** Where the parts of the card are that a finger aims at. */
const boxesOf = (phone: Page) =>
  phone.evaluate(() =>
    [".unfolds img", ".card .pool", ".side.true", ".side.false"].map((selector) => {
      const { x, y, width, height } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      return [selector, x, y, width, height];
    }),
  );
