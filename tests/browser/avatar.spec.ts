import sharp from "sharp";
import { desk, phone, profileOf, signedIn, signedInAt } from "./players.ts";
import { type BrowserContext, type Page, expect, openLive, test } from "./support/journey.ts";

/** A picture that is red on its left half and blue on its right. */
async function twoColours(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const half = { create: { width: 400, height: 400, channels: 3 as const, background: "#0000ff" } };
  const buffer = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#ff0000" } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 400, top: 0 }])
    .jpeg()
    .toBuffer();
  return { name: "two colours.jpg", mimeType: "image/jpeg", buffer };
}

/** The colour in the middle of the avatar in the page's header: red or blue. */
async function colourInHeader(page: Page): Promise<string> {
  const path = await page.locator(".menu-button img.avatar").getAttribute("src");
  return colourOf(page.context(), path ?? "");
}

/** @returns its status where there is no picture: a replaced one is removed before every page has heard of it. */
async function colourOf(context: BrowserContext, path: string): Promise<string> {
  const response = await context.request.get(path);
  if (!response.ok()) return String(response.status());
  expect(response.headers()["content-type"]).toBe("image/webp");
  const { dominant } = await sharp(await response.body()).stats();
  return dominant.b > dominant.r ? "blue" : "red";
}

test("a picture is chosen, cropped and sent on a phone, and appears in the header of a second browser at once", async () => {
  const page = await signedIn("cleo", { viewport: phone });
  const second = await signedInAt("cleo", "/profile/wallet", { viewport: desk });
  await openLive(page, "/profile/avatar");

  await page.getByRole("button", { name: "Save picture" }).click();
  await expect(page.getByText("Picture is not chosen yet")).toBeVisible();
  await expectOthersRefused(page);
  await page.getByLabel("Picture", { exact: true }).setInputFiles(await twoColours());
  const square = page.getByRole("button", { name: "The part that is shown" });
  // No picture waits for its size.
  await expect(page.locator("img")).not.toHaveCount(0);
  await expect(page.locator("img:not([width][height])")).toHaveCount(0);
  await square.focus();
  for (let pressed = 0; pressed < 6; pressed += 1) await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+-");
  await expect(page.getByText("95% from the left, 50% from the top")).toBeAttached();
  await page.getByRole("button", { name: "Save picture" }).click();

  await expect(second.locator(".menu-button img.avatar")).toBeVisible();
  await expect.poll(() => colourInHeader(second)).toBe("blue");
  await expect(page.getByRole("button", { name: "Remove picture" })).toBeVisible();

  // The same picture again, with the square dragged to the left.
  const before = (await profileOf(page)).avatar.default;
  await page.getByLabel("Picture", { exact: true }).setInputFiles(await twoColours());
  // The square of the picture before was on the right. The new one begins in the middle.
  await expect(square).toHaveAttribute("style", /left: 25%/);
  const box = await square.boundingBox();
  if (box === null) throw new Error("There is no square.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 200, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Save picture" }).click();
  await expect.poll(async () => (await profileOf(page)).avatar.default).not.toBe(before);
  await expect.poll(() => colourInHeader(second)).toBe("red");

  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(second.locator(".menu-button img.avatar")).toHaveCount(0);
  await expect(second.locator(".menu-button")).toContainText("CL");
});

/** A file that is no picture is refused before it is sent; one that is of another kind than it says is a picture. */
async function expectOthersRefused(page: Page): Promise<void> {
  const field = page.getByLabel("Picture", { exact: true });
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"/>`);
  for (const [name, mimeType, buffer, refusal] of [
    ["x.svg", "image/svg+xml", svg, "Picture must be a PNG, JPEG, WebP or GIF picture"],
    ["x.png", "image/png", svg, "Picture cannot be read: the file is damaged"],
  ] as const) {
    await field.setInputFiles({ name, mimeType, buffer });
    await expect(page.getByText(refusal)).toBeVisible();
  }
  expect((await profileOf(page)).avatarPending).toBe(false);
  const { buffer } = await twoColours();
  await field.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer });
  await expect(page.locator(".field .err")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save picture" })).toBeVisible();
}
