import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import * as v from "valibot";
import { writeLetter } from "#src/mail/letter.ts";
import { isReserved } from "#src/people/users/judge-username.ts";
import { refuseCommonPassword } from "#src/people/users/refuse-common-password.ts";
import { plainSite, setSite, site } from "#src/settings/contract.ts";
import { ownVariables, readEnv } from "#src/settings/env.ts";
import { writeCalendar } from "#src/show/reminders/reminder.ts";
import { startSite } from "#src/show/site/start-site.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { buildWorld, type CallerName, callers, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { all, parsePage } from "#tests/pages/ssr/parse-page.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

/** Quotes, an element, a reference, a template's words, letters from right to left, and an emoji of several signs. */
const NAME = `"><i data-hostile>'&amp;\${x}$& חידון 🏴‍☠️`;
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><path d="M0 0h9v9z"/></svg>';

const folder = makeFileFolder();
const pages = path.join(folder, "pages");
mkdirSync(pages);
for (const name of ["terms", "privacy", "imprint"])
  writeFileSync(path.join(pages, `${name}.md`), `# Our ${name}\n\nText.`);
writeFileSync(path.join(folder, "logo.svg"), LOGO);
const settings = {
  SITE_NAME: NAME,
  SITE_LOGO: path.join(folder, "logo.svg"),
  SITE_ACCENT: "#ffff00",
  SITE_PAGES: pages,
};

const { deps, signIn } = await testWorld(settings);
const world = await buildWorld(deps);
const origin = await startWeb();

/** A web process of its own, because a process reads its site once. */
async function startWeb(): Promise<string> {
  const port = String(freePort());
  const {
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    dataDir: DATA_DIR,
    secretKey: SECRET_KEY,
  } = deps.env;
  const own = {
    DATABASE_URL,
    REDIS_URL,
    DATA_DIR,
    SECRET_KEY,
    PORT: port,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
  };
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    env: {
      ...ownVariables(),
      DEMO: "off",
      RATE_LIMITS: "off",
      DATABASE_SILENT_SECONDS: "60",
      ...own,
      ...settings,
    },
    stdout: "ignore",
    stderr: "inherit",
  });
  afterFile(async () => {
    child.kill("SIGTERM");
    await child.exited;
  });
  const address = `http://127.0.0.1:${port}`;
  await waitFor("the web process", async () => (await fetch(`${address}/up`).catch(() => null))?.ok === true);
  return address;
}

const ask = (pathname: string, headers: Record<string, string> = {}) =>
  fetch(origin + pathname, { redirect: "manual", headers: { accept: "text/html", ...headers } });

async function cookieOf(name: CallerName): Promise<Record<string, string>> {
  return name === "out" ? {} : { cookie: (await signIn(world.users[name]))["cookie"] ?? "" };
}

test("no page says the product's name to anybody; each is titled by the site's, which is text everywhere", async () => {
  const routes = Object.keys(pageAccess).filter(
    (key) => key.startsWith("GET ") && key !== "GET /users/sign_out",
  );
  const unknown = [
    "GET /nothing",
    "GET /pages/nothing",
    "GET /sessions/nothing/stage",
    "GET /dev/mail",
    "GET /api",
  ];
  const own = ["terms", "privacy", "imprint"].map((name) => `GET /pages/${name}`);
  let shown = 0;
  for (const caller of callers) {
    const cookie = await cookieOf(caller);
    for (const key of [...routes, ...own, ...unknown]) {
      const answer = await ask(pathIn(world, key, null), cookie);
      const text = await answer.text();
      expect([caller, key, text.includes(plainSite.name)]).toEqual([caller, key, false]);
      if (!(answer.headers.get("content-type") ?? "").startsWith("text/html")) continue;
      shown += 1;
      const page = parsePage(text);
      expect([caller, key, page.title.includes(NAME), all(page, "[data-hostile]").length]).toEqual([
        caller,
        key,
        true,
        0,
      ]);
      const names = all(page, 'meta[property="og:site_name"]').map((meta) => meta.getAttribute("content"));
      expect(names.every((name) => name === NAME)).toBe(true);
    }
  }
  expect(shown).toBeGreaterThan(150);
}, 120_000);

const appForm = v.looseObject({ icons: v.array(v.object({ src: v.string(), sizes: v.string() })) });
const documentForm = v.object({ info: v.object({ title: v.string() }) });

test("the app, its page without a network and the documents of the API have the name, and icons of the logo", async () => {
  const app = v.parse(appForm, await (await ask("/manifest.webmanifest")).json());
  expect(app).toMatchObject({ name: NAME, short_name: NAME });
  for (const { src, sizes } of app.icons) {
    const icon = await ask(src);
    expect([src, icon.status, icon.headers.get("content-type")]).toEqual([src, 200, "image/png"]);
    const { width, height } = await sharp(await icon.arrayBuffer()).metadata();
    expect(sizes).toBe(`${width}x${height}`);
  }
  const worker = await (await ask("/service-worker.js")).text();
  expect(() => new Bun.Transpiler({ loader: "js" }).scan(worker)).not.toThrow();
  expect(worker).not.toContain(plainSite.name);
  const brand = /<span class=.{0,2}brand.{0,2}>.*?<span>(.*?)<\/span>/s.exec(worker)?.[1] ?? "";
  expect(parsePage(`<!doctype html><p>${brand}</p>`).querySelector("p")?.textContent).toBe(NAME);
  expect(worker).not.toContain("<svg");
  for (const name of ["openapi", "asyncapi"]) {
    const { info } = v.parse(documentForm, await (await ask(`/api/${name}.json`)).json());
    expect(info.title).toStartWith(NAME);
  }
});

test("the logo is served as a picture that runs nothing, and is the icon of the page", async () => {
  const page = parsePage(await (await ask("/users/sign_in")).text());
  const address = page.querySelector('link[rel="icon"]')?.getAttribute("href") ?? "";
  expect(all(page, ".brand img").map((image) => image.getAttribute("src"))).toEqual([address]);
  for (const pathname of [address, "/favicon.ico"]) {
    const logo = await ask(pathname);
    expect(await logo.text()).toBe(LOGO);
    expect(logo.headers.get("content-type")).toBe("image/svg+xml");
    expect(logo.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
});

test("the site's own terms take the place of the product's, and its pages are linked before and after the sign-in", async () => {
  const terms = await ask("/terms");
  expect([terms.status, terms.headers.get("location")]).toEqual([302, "/pages/terms"]);
  const linked = ["/pages/terms", "/pages/imprint", "/pages/privacy"];
  const linksAt = async (pathname: string, within: string, caller: CallerName) =>
    all(parsePage(await (await ask(pathname, await cookieOf(caller))).text()), `${within} a`).map((link) =>
      link.getAttribute("href"),
    );
  for (const pathname of ["/users/sign_in", "/users/guest_registration", "/join", "/pages/imprint"])
    expect([pathname, await linksAt(pathname, "footer", "out")]).toEqual([pathname, linked]);
  expect(await linksAt("/profile", '#menu nav[aria-label="About"]', "player")).toEqual(linked);
  expect((await (await ask("/robots.txt")).text()).split("\n")).toContain("Allow: /pages/");
  expect((await fetch(`${origin}/pages/terms`, { method: "HEAD" })).status).toBe(200);
});

test("an accent is moved to where it can be read, and given to the style sheets", async () => {
  const style = parsePage(await (await ask("/users/sign_in")).text()).body.getAttribute("style") ?? "";
  expect(style).toMatch(/^--site:#[0-9a-f]{6};--on-site:#14171a$/);
  expect(style).not.toContain("#ffff00");
});

test("mails, calendars, usernames and passwords know the name of the site", async () => {
  startSite(deps.env.site);
  try {
    const letter = writeLetter({ to: "ana@example.test", subject: "Hello", paragraphs: ["One."] });
    expect(letter.text).toEndWith(`\n\n${NAME}\n`);
    expect(all(parsePage(letter.html), "[data-hostile]")).toEqual([]);
    expect(parsePage(letter.html).body.textContent).toContain(NAME);
    const at = new Date();
    const session = {
      id: 1,
      name: "Quiz",
      description: "",
      slug: "quiz",
      version: 1,
      updatedAt: at,
      startsAt: at,
    };
    const calendar = writeCalendar(deps.env, session).replaceAll("\r\n ", "");
    expect(calendar).not.toContain(plainSite.name);
    expect(calendar.split("\r\n")[2]).toStartWith('PRODID:-//"><i');
    setSite({ ...site(), name: "Tavern Night" });
    expect([isReserved("Tavern_Night"), isReserved("Tavern_Fan")]).toEqual([true, false]);
    expect((await refusalOf(refuseCommonPassword("Tavern-Night-2026"))).status).toBe(422);
  } finally {
    setSite(plainSite);
  }
  expect(isReserved("Tavern_Night")).toBe(false);
});

test("without its settings a page carries nothing of a site", () => {
  startSite(readEnv({ DATA_DIR: folder }).site);
  expect(site()).toBe(plainSite);
});

/** What names the product to operators and programs. The documents of the API get the site's name as they are made. */
const operators =
  /^(src\/(api|backup|run|settings|operate\/checks)\/|src\/base\/watch-redis\.ts$|src\/people\/sign-ins\/authenticate\.ts$|db\/upgrade\/|db\/create-database\.ts$)/;

test("no sentence for players and hosts has the product's name in it", () => {
  const files = ["src", "client", "jobs", "db"].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: "utf8" }).map((file) => path.join(top, file)),
  );
  const naming = files.filter(
    (file) =>
      /\.(tsx?|css)$/.test(file) &&
      !operators.test(file) &&
      readFileSync(file, "utf8").includes(plainSite.name),
  );
  expect(naming).toEqual([]);
});
