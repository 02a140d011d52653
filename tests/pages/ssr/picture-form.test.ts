import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { metaIn, type Reader, readerFor } from "./browser.ts";

const ORIGIN = "http://localhost:3000";
const PATH = "/profile/avatar";
const MB = 1_048_576;
let player: BuiltUser;
let reader: Reader;

const { deps, db, build, server, read } = await testWorld();

beforeEach(async () => {
  player = await build.player();
  reader = await readerFor(deps, server, player);
});

const rowOf = () => read.row(users, player.id);
const countFiles = () => db.$count(blobs);

/** Sends a form with files, like a browser without JavaScript. */
async function sendFiles(fields: Record<string, string | File>, path = PATH): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return reader.pass(
    new Request(ORIGIN + path, {
      method: "POST",
      body: form,
      headers: { accept: "text/html", origin: ORIGIN },
    }),
  );
}

const token = async () => ({ authenticity_token: metaIn((await reader.open(PATH)).html, "csrf-token") });
const pngFile = async () => new File([new Uint8Array(await picture("png"))], "me.png", { type: "image/png" });

test("a picture in the form is stored and attached like a direct upload", async () => {
  const answer = await sendFiles({ ...(await token()), "user[avatar]": await pngFile() });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, PATH]);
  const { avatarBlobId } = await rowOf();
  const blob = await read.row(blobs, avatarBlobId ?? 0);
  expect(blob).toMatchObject({ uploadedById: player.id, filename: "me.png", contentType: "image/png" });
  expect(blob.metadata).toEqual({ crop: { x: 100, y: 0, size: 200 } });
  expect((await reader.open(PATH)).html).toContain("Your new picture is being made.");
});

test("a form that is forged, too large, from a guest or signed out stores no file", async () => {
  const file = await pngFile();
  const before = await countFiles();
  expect((await sendFiles({ "user[avatar]": file })).status).toBe(422);
  const proof = await token();
  const huge = new File([new Uint8Array(6 * MB)], "x.png", { type: "image/png" });
  const length = { "content-length": String(6 * MB) };
  const tooLarge = new Request(ORIGIN + PATH, {
    method: "POST",
    body: huge,
    headers: { ...length, origin: ORIGIN, "content-type": "multipart/form-data; boundary=x" },
  });
  expect((await reader.pass(tooLarge)).status).toBe(413);
  expect((await sendFiles({ ...proof, "user[avatar]": file }, "/profile/details")).status).toBe(422);
  await db.update(users).set({ guest: true }).where(eq(users.id, player.id));
  const asGuest = await sendFiles({ ...proof, "user[avatar]": file });
  expect(asGuest.headers.get("location")).toBe("/guest");
  reader.cookies.clear();
  const signedOut = await sendFiles({ ...(await tokenOf("/users/sign_in")), "user[avatar]": file });
  expect(signedOut.headers.get("location")).toStartWith("/users/sign_in");
  expect(await countFiles()).toBe(before);
});

const tokenOf = async (path: string) => ({
  authenticity_token: metaIn((await reader.open(path)).html, "csrf-token"),
});

test("a form can also remove the picture", async () => {
  await sendFiles({ ...(await token()), "user[avatar]": await pngFile() });
  const gone = await reader.sendForm(PATH, { intent: "remove" });
  expect([gone.status, gone.location]).toEqual([303, PATH]);
  expect((await rowOf()).avatarBlobId).toBeNull();
});

test("a form saves details, or shows its errors beside the input", async () => {
  const saved = await reader.sendForm("/profile/details", {
    "user[username]": `form_${player.id}`,
    "user[phone]": "+1 415 555 0100",
  });
  expect([saved.status, saved.location]).toEqual([303, "/profile/details?saved"]);
  expect((await reader.open("/profile/details?saved")).html).toContain("Saved.");
  expect(await rowOf()).toMatchObject({ username: `form_${player.id}`, phone: "+14155550100" });

  const before = await rowOf();
  for (const [username, phone, reason] of [
    ["admin", "+1 415 555 0100", "is reserved"],
    ["a!b", "12", "is invalid"],
  ] as const) {
    const refused = await reader.sendForm("/profile/details", {
      "user[username]": username,
      "user[phone]": phone,
    });
    expect(refused.status).toBe(422);
    for (const text of [reason, `value="${username}"`, `value="${phone}"`])
      expect(refused.html).toContain(text);
  }
  expect(await rowOf()).toEqual(before);
});
