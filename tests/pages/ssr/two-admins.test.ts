import { expect, test } from "bun:test";
import { findProfile } from "#src/profiles/find-profile.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Page, readerFor } from "./browser.ts";

const { deps, db, build, read, server } = await testWorld();
const early = await readerFor(deps, server, await build.admin());
const late = await readerFor(deps, server, await build.admin());

const words = ({ html }: Page) => html.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
const versionIn = (page: Page) =>
  /name="version" value="(\d+)"/.exec(page.html)?.[1] ??
  /value="(\d+)" name="version"/.exec(page.html)?.[1] ??
  "";

/** Both admins open the page and the first one saves. The second one is refused, sees the change, and may overwrite it. */
async function bothSave(path: string, fields: (name: string) => Record<string, string>): Promise<Page> {
  const version = versionIn(await late.open(path));
  expect(version).toMatch(/^\d+$/);
  expect((await early.sendForm(path, { ...fields("Early"), version })).status).toBe(303);
  return late.sendForm(path, { ...fields("Late"), version });
}

test("of two admins who edit a session the second sees the first one's change, and may overwrite it", async () => {
  const { slug, id } = await build.session({ name: "Before" });
  const path = `/sessions/${slug}/edit`;
  const fields = (name: string) => ({ intent: "save", name, time_zone: "UTC", lead_seconds: "10" });
  const refused = await bothSave(path, fields);
  expect(refused.status).toBe(409);
  expect(words(refused)).toContain("Somebody changed this meanwhile.");
  expect(words(refused)).toContain("is now “Early”");
  expect(refused.html).toContain('value="Late"');
  expect((await read.session(id)).name).toBe("Early");

  const again = await late.sendForm(path, { ...fields("Late"), version: versionIn(refused) });
  expect(again.status).toBe(303);
  expect((await read.session(id)).name).toBe("Late");
});

test("an action on a user whom another admin changed is refused, and the page shows the change", async () => {
  const { id } = await build.player();
  const path = `/users/${id}`;
  const version = versionIn(await late.open(path));
  await early.sendForm(path, { intent: "roles", roles: "operator", version });
  const refused = await late.sendForm(path, { intent: "deactivate", version });
  expect(refused.status).toBe(409);
  expect(words(refused)).toContain("Somebody changed this user meanwhile. This is how it is now.");
  const user = await findProfile(db, { userId: id, viewer: { id } }, new Date());
  expect(user).toMatchObject({ roles: ["operator"], deactivatedAt: null });
  expect(refused.html).toMatch(/value="operator" checked|checked="" value="operator"/);
  const again = { intent: "deactivate", version: versionIn(refused) };
  expect((await late.sendForm(path, again)).status).toBe(303);
});
