import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { isTokenOf } from "#src/http/csrf.ts";
import { createServer } from "#src/server.ts";
import { testWorld } from "#tests/support/world.ts";
import { metaIn, Reader, readerFor } from "./browser.ts";

const HOSTILE = `</script><script>alert("1")</script><img src=x onerror='alert(1)'>\u2028`;

const { deps, build, server } = await testWorld();
const ana = await build.player({ balanceCents: 12_340 });
const ben = await build.player({ balanceCents: 77_701 });
const reader = await readerFor(deps, server, ana);
const live = await build.runningSession({ slug: "friday-derby", name: HOSTILE.slice(0, 80) });
const event = await build.event("open", { sessionId: live.id, title: HOSTILE.slice(0, 140) });
await build.call({ userId: ana.id, eventId: event.id, wagerCents: 500 });
await build.call({ userId: ben.id, eventId: event.id, side: "false", wagerCents: 333 });
await build.event("draft", { sessionId: live.id, title: "Nobody may know this yet" });

test("a page contains its viewer and the active session in its meta tags and on the app's root element, which is not live before its script runs", async () => {
  const { html } = await reader.open("/profile");
  const read = (name: string) => metaIn(html, name);
  expect(read("csrf-param")).toBe("authenticity_token");
  expect(read("action-cable-url")).toBe("/cable");
  expect(JSON.parse(read("active-session"))).toEqual({ id: live.id, slug: live.slug });
  const root = /<div id="root"[^>]*>/.exec(html)?.[0] ?? "";
  expect(root).not.toContain("data-hydrated");
  for (const [name, value] of [
    ["user-gid", `gid://called-it/User/${ana.id}`],
    ["user-id", String(ana.id)],
    ["user-email", String(ana.email)],
    ["user-roles", "[]"],
    ["user-guest", "false"],
  ] as const) {
    expect([name, read(name)]).toEqual([name, value]);
    expect(root).toContain(`data-${name}="${value}"`);
  }
  const { html: signedOut } = await new Reader(server).open("/users/sign_in");
  for (const name of ["user-id", "user-email", "active-session"]) expect(metaIn(signedOut, name)).toBe("");
});

test("a page contains an anti-forgery token that differs each time and is valid for this sign-in", async () => {
  const tokens = [await reader.open("/profile"), await reader.open("/profile")].map((page) =>
    metaIn(page.html, "csrf-token"),
  );
  expect(tokens[0]).not.toBe(tokens[1]);
  expect(isTokenOf("", tokens[0] ?? "")).toBe(false);
  reader.token = tokens[0] ?? "";
  expect((await reader.send("DELETE", "/api/v1/calls/999999")).status).toBe(404);
});

test("hostile texts stay text in the page, its title and its data", async () => {
  for (const path of [`/sessions/${live.slug}`, `/sessions/${live.slug}/history`]) {
    const { html } = await reader.open(path);
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("&lt;/script&gt;");
    expect(html.match(/<\/script>/g)).toHaveLength(html.match(/<script/g)?.length ?? 0);
  }
});

test("a page contains nothing of other players and nothing unpublished", async () => {
  for (const path of ["", "/history", "/leaders"].map((tab) => `/sessions/${live.slug}${tab}`)) {
    const { html } = await reader.open(path);
    expect(html).not.toContain(String(ben.email));
    expect(html).not.toContain("777.01");
    expect(html).not.toContain("Nobody may know this yet");
  }
});

test("a browser that runs scripts may return to a signed-in page from its memory, and loads it again for all else", async () => {
  const scripted = await readerFor(deps, server, ana);
  scripted.cookies.set("time_zone", "UTC");
  const cachingOf = async (path: string) => {
    const { headers } = await scripted.open(path);
    return [headers.get("cache-control"), headers.get("vary")];
  };
  expect(await cachingOf("/profile")).toEqual(["private, no-cache", "*"]);
  const notStored = ["no-store", "accept-encoding, cookie"];
  expect(await cachingOf("/terms")).toEqual(notStored);
  expect(await cachingOf("/nowhere")).toEqual(notStored);
  expect(await cachingOf("/users/password/edit?reset_password_token=x")).toEqual(notStored);
  scripted.cookies.clear();
  scripted.cookies.set("time_zone", "UTC");
  expect(await cachingOf(`/sessions/${live.slug}`)).toEqual(notStored);
});

test("a page is in English, with money and times in one format, whatever languages the browser prefers", async () => {
  const french = await readerFor(deps, server, ana);
  const { html } = await french.open("/profile/wallet", { "accept-language": "fr-FR,fr;q=0.9" });
  expect(html).toContain('<html lang="en">');
  expect(html).toContain("Available");
  expect(html).toContain("$123.40");
  expect(html).toMatch(/<time dateTime="[^"]+">\d{1,2} [A-Z][a-z]{2} \d{1,2}:\d\d (AM|PM)<\/time>/i);
});

test("a page has the theme and time zone of the browser's cookies, if they are valid", async () => {
  const dressed = await readerFor(deps, server, ana);
  dressed.cookies.set("theme", "dark").set("time_zone", "Asia%2FTokyo");
  const { html } = await dressed.open("/profile");
  expect(html).toContain('<html lang="en" data-theme="dark">');
  expect(html).toContain('data-time-zone="Asia/Tokyo"');
  dressed.cookies.set("theme", 'x"onload').set("time_zone", "Mars/Olympus");
  const plain = (await dressed.open("/profile")).html;
  expect(plain).toContain('<html lang="en">');
  expect(plain).toContain('data-time-zone="UTC"');
});

test("a page is compressed if the client accepts it, with the same content", async () => {
  const ask = (encoding: string) =>
    server.handle(
      new Request("http://localhost:3000/terms", {
        headers: { accept: "text/html", "accept-encoding": encoding },
      }),
    );
  const withoutSecrets = (html: string) => html.replaceAll(/(nonce|content|value)="[\w-]{22,}"/g, "");
  const plain = await ask("identity");
  expect(plain.headers.has("content-encoding")).toBe(false);
  const html = withoutSecrets(await plain.text());
  expect(html).toEndWith("</html>");
  for (const [accepted, encoding, decompress] of [
    ["gzip, deflate, br, zstd", "gzip", gunzipSync],
    ["gzip;q=0.5, zstd", "zstd", zstdDecompressSync],
    ["br, gzip;q=0", "br", brotliDecompressSync],
  ] as const) {
    const response = await ask(accepted);
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(withoutSecrets(decompress(await response.arrayBuffer()).toString())).toBe(html);
  }
});

test("a bug is a plain error page without details", async () => {
  const broken = createServer({
    ...deps,
    pool: {
      ...deps.pool,
      db: new Proxy(deps.pool.db, {
        get: () => {
          throw new Error("secret reason at secret-host:5432");
        },
      }),
    },
  });
  const visitor = await readerFor(deps, server, ana);
  const same = new Reader(broken);
  for (const [name, value] of visitor.cookies) same.cookies.set(name, value);
  const page = await same.open("/profile");
  expect(page.status).toBe(500);
  expect(page.html).not.toMatch(/secret[ -](reason|host)/);
  expect(page.html).toContain("Something went wrong");
});
