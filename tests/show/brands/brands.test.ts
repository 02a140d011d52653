import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import * as v from "valibot";
import { blobs } from "#db/schema/blobs.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { createShare } from "#src/shares/create-share.ts";
import { exportBlueprintJson } from "#src/show/blueprints/export-blueprint.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { sweepPictures } from "#src/show/blueprints/removals.ts";
import { importBlueprint } from "#src/show/blueprints/write-blueprint.ts";
import { logoKeyIn } from "#src/show/brands/contract.ts";
import { brandSchema } from "#src/show/brands/schemas.ts";
import { Reader, readerFor } from "#tests/pages/ssr/browser.ts";
import { all, oneOf, parsePage } from "#tests/pages/ssr/parse-page.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { upload } from "#tests/people/storage/uploads.ts";
import { buildCalled } from "#tests/shares/shows.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, server, client, unchanged, signedIn, stopClockAt } = await testWorld();
const [admin, host] = await signedIn.admin();
const stranger = await client();

const pathOf = (session: { slug: string }) => `/api/v1/sessions/${session.slug}`;
const brand = async (session: { slug: string }, change: object) =>
  host.send("PATCH", pathOf(session), { session: { settings: { brand: change } } });
const brandOf = async (session: { slug: string }) => {
  const { body } = await host.get(pathOf(session));
  return v.parse(
    v.object({ session: v.object({ settings: v.object({ brand: v.optional(brandSchema) }) }) }),
    body,
  ).session.settings.brand;
};
const sendLogo = async (bytes?: Uint8Array) =>
  (await upload(server, host, bytes ?? (await picture("png", { width: 2_000, height: 500 })))).signedId;
const fileOf = (logo = "") => read.row(blobs, eq(blobs.key, logoKeyIn(logo)));

test("a session gets a logo, an accent and a sponsor's line, and each can be changed and removed alone", async () => {
  const session = await build.session();
  expect((await host.get(pathOf(session))).body).not.toHaveProperty("session.settings.brand");
  const signedId = await sendLogo();
  expect((await brand(session, { accent: "#0072B3", sponsor: "Corner Bakery" })).status).toBe(200);
  expect((await brand(session, { logo: signedId })).status).toBe(200);
  const first = await brandOf(session);
  expect(first).toMatchObject({ accent: "#0072b3", sponsor: "Corner Bakery" });

  const logo = await server.handle(new Request(`http://localhost:3000${first?.logo}`));
  expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/png"]);
  const metadata = await sharp(await logo.bytes()).metadata();
  expect(metadata).toMatchObject({ format: "png", width: 640, height: 160 });
  expect(metadata.exif).toBeUndefined();
  // The upload with its metadata is gone, and nobody owns the logo.
  expect(await fileOf(first?.logo)).toMatchObject({ uploadedById: null, discardedAt: null });

  await brand(session, { sponsor: null });
  expect(await brandOf(session)).toEqual({ accent: "#0072b3", logo: first?.logo });
  await brand(session, { logo: await sendLogo() });
  expect((await fileOf(first?.logo)).discardedAt).not.toBeNull();
  await sweepBlobs(deps);
  expect((await stranger.get(first?.logo ?? "")).status).toBe(404);
  await brand(session, { logo: null, accent: null });
  expect((await read.session(session.id)).settings).not.toHaveProperty("brand");
});

test("an accent that does not hold is refused with the nearest one that does, which is taken", async () => {
  const session = await build.session();
  await brand(session, { accent: "#0072b3" });
  const { status, body } = await unchanged(() => brand(session, { accent: "#ffee00" }));
  expect(status).toBe(422);
  const told = /the nearest that holds is (#[0-9a-f]{6})/.exec(JSON.stringify(body))?.[1] ?? "";
  expect(body).toMatchObject({
    code: "contrast",
    errors: { "settings.brand.accent": [expect.stringContaining(told)] },
  });
  expect((await brand(session, { accent: told })).status).toBe(200);
});

test("words, files and colours that are not fit are refused, and nothing changes", async () => {
  const session = await build.session();
  const damaged = Buffer.from(await picture("png")).subarray(0, 200);
  const refused = {
    accent: [{ accent: "blue" }, { accent: "#12345" }],
    sponsor: [{ sponsor: "x".repeat(81) }, { sponsor: "Fucking Bakery" }, { sponsor: "" }],
    logo: [{ logo: "nothing" }, { logo: await sendLogo(damaged) }],
  };
  const before = await read.session(session.id);
  for (const [field, changes] of Object.entries(refused))
    for (const change of changes) {
      const { status, body } = await brand(session, change);
      expect(status).toBe(422);
      expect(body).toHaveProperty(["errors", `settings.brand.${field}`]);
    }
  const player = await client(await build.admin());
  const ofAnother = await sendLogo();
  const stolen = { session: { settings: { brand: { logo: ofAnother } } } };
  expect((await player.send("PATCH", pathOf(session), stolen)).status).toBe(422);
  expect(await read.session(session.id)).toEqual(before);
});

test("a blueprint's brand goes into its sessions, and a logo's file stays while one has it", async () => {
  const blueprint = await build.blueprint();
  const path = `/api/v1/blueprints/${blueprint.id}`;
  const change = { accent: "#0072b3", sponsor: "Bakery", logo: await sendLogo() };
  const { status } = await host.send("PATCH", path, { blueprint: { defaults: { brand: change } } });
  expect(status).toBe(200);
  const session = await generateSession(deps, { blueprintId: blueprint.id });
  const made = await brandOf(session);
  expect(made).toMatchObject({ accent: "#0072b3", sponsor: "Bakery" });

  // Another installation has not the file.
  const plan = await (await exportBlueprintJson(db, blueprint.id)).text();
  expect(JSON.parse(plan)).toMatchObject({ defaults: { brand: { accent: "#0072b3", sponsor: "Bakery" } } });
  expect(plan).not.toContain("/logos/");
  const rude = plan.replace('"Bakery"', '"Fucking Bakery"');
  expect(await refusalOf(importBlueprint(deps, { actor: admin, text: rude }, null))).toMatchObject({
    status: 422,
  });

  await host.send("PATCH", path, { blueprint: { defaults: { brand: { logo: null } } } });
  expect((await fileOf(made?.logo)).discardedAt).toBeNull();
  await host.send("DELETE", pathOf(session));
  expect(await db.$count(sessions, eq(sessions.id, session.id))).toBe(0);
  expect((await fileOf(made?.logo)).discardedAt).not.toBeNull();
});

test("without JavaScript an admin brands a session with a file, and takes the nearest colour by one press", async () => {
  const session = await build.session();
  const reader = await readerFor(deps, server, await build.admin());
  const page = `/sessions/${session.slug}/edit`;
  const send = async (fields: Record<string, string | File>) => {
    const form = new FormData();
    const open = parsePage((await reader.open(page)).html);
    const token = oneOf(open, 'meta[name="csrf-token"]').getAttribute("content") ?? "";
    for (const [name, value] of Object.entries({ authenticity_token: token, intent: "brand", ...fields }))
      form.set(name, value);
    const headers = { accept: "text/html", origin: "http://localhost:3000" };
    const answer = await reader.pass(
      new Request(`http://localhost:3000${page}`, { method: "POST", body: form, headers }),
    );
    return { status: answer.status, html: await answer.text() };
  };
  const refused = await send({ accent: "#ffee00", sponsor: "Bakery" });
  expect(refused.status).toBe(422);
  const nearest = oneOf(parsePage(refused.html), 'button[name="nearest"]').getAttribute("value") ?? "";
  expect(await brandOf(session)).toBeUndefined();

  const logo = new File([new Uint8Array(await picture("png"))], "logo.png", { type: "image/png" });
  const took = await send({ accent: "#ffee00", nearest, sponsor: "Bakery", logo });
  expect(took.status).toBe(303);
  const saved = await brandOf(session);
  expect(saved).toMatchObject({
    accent: nearest,
    sponsor: "Bakery",
    logo: expect.stringContaining("/logos/"),
  });

  const text = new File(["<svg/>"], "logo.svg", { type: "image/svg+xml" });
  const wrong = await send({ accent: nearest, sponsor: "Bakery", logo: text });
  expect(wrong.status).toBe(422);
  expect(all(parsePage(wrong.html), "#logo-error")).toHaveLength(1);
  expect(await brandOf(session)).toEqual(saved);
});

test("the pictures of links and of pages have the brand at their lower edge, and a session without one has those of before", async () => {
  const { session, player, callId } = await buildCalled(deps);
  const { shareId } = await createShare(db, { viewer: player, kind: "call", targetId: callId }, new Date());
  const { token } = await read.row(shares, shareId);
  const paths = [`/api/v1/shared/${token}/picture.png`, `/api/v1/sessions/${session.slug}/preview.png`];
  const edgeOf = async (path: string) => {
    const answer = await server.handle(new Request(`http://localhost:3000${path}`));
    const { data, info } = await sharp(await answer.bytes())
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = ((info.height - 6) * info.width + 40) * info.channels;
    return { etag: answer.headers.get("etag"), color: [...data.subarray(at, at + 3)] };
  };
  const plain = await Promise.all(paths.map(edgeOf));
  expect(plain[1]?.etag).toBe((await edgeOf("/api/v1/preview.png")).etag);
  await brand(session, { accent: "#0072b3", sponsor: "Corner Bakery", logo: await sendLogo() });
  for (const { color } of await Promise.all(paths.map(edgeOf))) expect(color).toEqual([0x00, 0x72, 0xb3]);
  const reader = await readerFor(deps, server, await build.admin());
  const page = parsePage((await reader.open(`/sessions/${session.slug}/leaders`)).html);
  const image = oneOf(page, 'meta[property="og:image"]').getAttribute("content");
  expect(image).toBe(`${deps.env.publicUrl}${paths[1]}`);
  await brand(session, { accent: null, sponsor: null, logo: null });
  expect(await Promise.all(paths.map(edgeOf))).toEqual(plain);
});

test("the pages for guests show the brand, and those of a session without one are as before", async () => {
  const [branded, plain] = [await build.session(), await build.session()];
  await brand(branded, { accent: "#0072b3", sponsor: "Corner Bakery", logo: await sendLogo() });
  const reader = await readerFor(deps, server, await build.admin());
  const codeOf = async (session: { id: number }) => (await read.session(session.id)).joinCode;
  for (const [session, count] of [
    [branded, 1],
    [plain, 0],
  ] as const) {
    const { slug } = session;
    for (const page of [`/sessions/${slug}/join`, `/sessions/${slug}/stage`]) {
      const { html } = await reader.open(page);
      const shown = parsePage(html);
      expect(shown.querySelectorAll("[data-band]")).toHaveLength(count);
      expect(html.includes('"brand":')).toBe(count === 1);
    }
    const phone = await new Reader(server).open(`/join?code=${await codeOf(session)}`);
    expect(parsePage(phone.html).querySelectorAll('img[src^="/api/v1/logos/"]')).toHaveLength(count);
    const { body } = await stranger.get(`/api/v1/join_codes/${await codeOf(session)}`);
    expect(Object.hasOwn(v.parse(v.object({ session: v.looseObject({}) }), body).session, "brand")).toBe(
      count === 1,
    );
    const picture = await stranger.get(`/api/v1/sessions/${slug}/preview.png`);
    expect(picture.status).toBe(200);
  }
  const stage = parsePage((await reader.open(`/sessions/${branded.slug}/stage`)).html);
  expect(oneOf(stage, ".big-screen").getAttribute("style")).toContain("--brand:#0072b3");
  expect(oneOf(stage, "[data-band]").textContent).toBe("Corner Bakery");
  const hidden = await build.session({ settings: { private: true } });
  expect((await stranger.get(`/api/v1/sessions/${hidden.slug}/preview.png`)).status).toBe(404);
});

test("the logo of a removed blueprint is kept as long as the removal can be undone", async () => {
  const blueprint = await build.blueprint();
  const path = `/api/v1/blueprints/${blueprint.id}`;
  const logoId = await sendLogo();
  await host.send("PATCH", path, { blueprint: { defaults: { brand: { logo: logoId } } } });
  const { defaults } = await read.row(blueprints, blueprint.id);
  const { logo } = v.parse(v.object({ brand: brandSchema }), defaults).brand;
  const discardedAt = async () => (await fileOf(logo)).discardedAt;
  await sweepPictures(deps);
  expect(await discardedAt()).toBeNull();
  await host.send("DELETE", path);
  await sweepPictures(deps);
  expect(await discardedAt()).toBeNull();
  await stopClockAt(new Date(Date.now() + 26 * 3_600_000));
  await sweepPictures(deps);
  expect(await discardedAt()).not.toBeNull();
});
