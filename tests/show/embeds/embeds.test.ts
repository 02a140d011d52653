import { expect, test } from "bun:test";
import { routes } from "#client/app/routes.tsx";
import { isHandle } from "#client/base/page/handle.ts";
import { createServer } from "#src/server.ts";
import { embedAnswer } from "#src/show/embeds/schemas.ts";
import { pathIn, buildWorld } from "#tests/http/access-world.ts";
import { signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { testWorld } from "#tests/support/world.ts";

const BLOG = "https://blog.example";
const { deps, build, server, client } = await testWorld({
  FRAME_ORIGINS: `${BLOG}, https://other.example:8443`,
});
const closed = createServer(await testDeps());
const world = await buildWorld(deps);
const stranger = await client();

/** The paths of all screens. */
function pathsIn(all: typeof routes): string[] {
  return all.flatMap(({ path, handle, children = [] }) => [
    ...(path !== undefined && isHandle(handle) ? [path] : []),
    ...pathsIn(children),
  ]);
}

async function framersOf(on: typeof server, path: string): Promise<string> {
  const { headers } = await on.handle(
    new Request(`http://localhost:3000${path}`, { headers: { accept: "text/html" } }),
  );
  const policy = headers.get("content-security-policy") ?? "";
  return `${/frame-ancestors ([^;]+)/.exec(policy)?.[1]} ${headers.get("x-frame-options")}`;
}

test("the pages of the named origins may have the big screen and the card in a frame, and no other page; without the setting nobody", async () => {
  const paths = pathsIn(routes);
  const framed = paths.filter((path) => /\/(stage|card)$/.test(path));
  expect(framed).toHaveLength(2);
  const refused = "'none' DENY";
  for (const path of paths) {
    const address = path.includes("*") ? "/nowhere" : pathIn(world, `GET ${path}`, null);
    const expected = framed.includes(path) ? `${BLOG} https://other.example:8443 null` : refused;
    expect([path, await framersOf(server, address)]).toEqual([path, expected]);
    expect([path, await framersOf(closed, address)]).toEqual([path, refused]);
  }
  for (const path of ["/api/v1/sessions/the-show", "/up", "/admin/queues", "/sessions/the-show/nowhere"])
    expect([path, await framersOf(server, path)]).toEqual([path, refused]);
});

const embedOf = (url: string, more = "") => `/oembed?url=${encodeURIComponent(url)}${more}`;

test("oEmbed describes the card of a session that everybody may see, within the asked size", async () => {
  const { slug } = await build.runningSession({ name: `Tom & "Jerry" <live>` });
  const address = `${deps.env.publicUrl}/sessions/${slug}`;
  const answer = await stranger.read(embedOf(address, "&format=json&maxwidth=400"), embedAnswer);
  expect(answer).toMatchObject({ version: "1.0", type: "rich", width: 400, height: 360 });
  expect(answer.html).toContain(
    `<iframe src="${address}/card" title="Tom &amp; &quot;Jerry&quot; &lt;live&gt;" width="400"`,
  );
  expect((await stranger.get(embedOf(`${address}/card`))).status).toBe(200);
  // The page says where.
  const page = await (await server.handle(new Request(address))).text();
  const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(page)?.[1] ?? "";
  const asked = href.replaceAll("&amp;", "&").replace(deps.env.publicUrl, "");
  expect((await stranger.read(asked, embedAnswer)).title).toBe(`Tom & "Jerry" <live>`);
});

test("oEmbed does not know private and unseen sessions, other addresses, and other formats", async () => {
  const { publicUrl } = deps.env;
  const secret = await build.runningSession({ settings: { private: true } });
  const planned = await build.session();
  for (const url of [
    `${publicUrl}/sessions/${secret.slug}`,
    `${publicUrl}/sessions/${planned.slug}`,
    `${publicUrl}/sessions/nowhere`,
    `${publicUrl}/sessions/the-show/admin`,
    "https://blog.example/sessions/the-show",
    "no address",
  ])
    expect([url, (await stranger.get(embedOf(url))).status]).toEqual([url, 404]);
  expect((await stranger.get(embedOf(`${publicUrl}/sessions/the-show`, "&format=xml"))).status).toBe(422);
  const { slug } = await build.runningSession();
  const elsewhere = await signedOutClient(closed);
  expect((await elsewhere.get(embedOf(`${publicUrl}/sessions/${slug}`))).status).toBe(404);
  expect(await (await closed.handle(new Request(`${publicUrl}/sessions`))).text()).not.toContain("oembed");
});
