import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleScripts } from "#client/build/bundle-scripts.ts";
import { checkFeatures } from "#client/build/check-features.ts";
import { cutCode, type Cuts } from "#client/build/cut-code.ts";
import { checkModules, slimmedModules } from "#client/build/slim-bundle.ts";
import { afterFile } from "#tests/support/after-file.ts";

const outdir = mkdtempSync(path.join(tmpdir(), "bundle-"));
afterFile(() => rmSync(outdir, { recursive: true, force: true }));

const modules = ["client/entry.tsx", "src/events/contract.ts", "db/lists/events.ts", ...slimmedModules];

test("the bundle has only the client's code, contracts and lists, and chunks for the screens", async () => {
  // bundleScripts calls checkModules with the bundler's own list of modules, and throws if it refuses.
  const chunks = Object.keys(await bundleScripts(outdir));
  for (const name of [
    "entry.tsx",
    "screens.ts",
    "account-screens.ts",
    "admin-screens.ts",
    "build/vendor.ts",
  ]) {
    expect(chunks).toContain(`client/${name}`);
  }
});

test("a plain text is where it is used, and costs no name", async () => {
  const files = (await bundleScripts(outdir))["client/entry.tsx"] ?? [];
  const code = files.map((file) => readFileSync(path.join(outdir, file), "utf8")).join("");
  expect(code).toContain('"Reload the page to go on."');
  expect(code).not.toContain('="Reload the page to go on."');
});

test.each([
  "node_modules/valibot/dist/index.mjs",
  "src/events/schemas.ts",
  "src/events/endpoints.ts",
  "src/base/refusal.ts",
  "db/schema/events.ts",
  "jobs/queues.ts",
])("a bundle with %s is refused", (foreign) => {
  expect(() => checkModules(modules)).not.toThrow();
  expect(() => checkModules([...modules, foreign])).toThrow(`must not contain ${foreign}`);
});

test("a bundle is refused if a module of a library is not where it is slimmed", () => {
  for (const moved of slimmedModules) {
    const others = modules.filter((module) => module !== moved);
    expect(() => checkModules(others)).toThrow("adjust client/build/slim-bundle.ts");
  }
});

test("a page of the entry needs two scripts: the vendor's and the entry's own", async () => {
  const { "client/entry.tsx": entry = [], ...others } = await bundleScripts(outdir);
  expect(entry.length).toBe(2);
  for (const late of ["client/screens.ts", "client/account-screens.ts", "client/admin-screens.ts"])
    expect(others[late]).toEqual(expect.arrayContaining(entry));
});

const library = `function used() {
  return unused() + idle();
}
function unused() {
  return 1;
}
function idle() {
  return 2;
}
start();
between();
end();
`;
const cuts: Cuts = {
  sha256: new Bun.CryptoHasher("sha256").update(library).digest("hex"),
  never: ["unused"],
  instead: { idle: "0" },
  ranges: [
    ["start();", "end();"],
    ["end()", ";", "finish()"],
  ],
};

test("a library loses the bodies of functions that nothing calls, and ranges of code", () => {
  const cut = cutCode(library, cuts, "library.js");
  expect(cut).toContain("function unused() {calledWhatIsCut();");
  expect(cut).toContain("function idle() {return 0;");
  expect(cut).not.toContain("return 1");
  expect(cut).not.toContain("between");
  expect(cut).toContain("\nfinish();\n");
  expect(cut).toContain("return unused() + idle();");
});

test("a library that has changed since its cuts were reviewed is refused, and so is a cut without its place", () => {
  expect(() => cutCode(`${library} `, cuts, "library.js")).toThrow("library.js has changed");
  const misplaced: Partial<Cuts>[] = [
    { never: ["missing"] },
    { instead: { missing: "0" } },
    { ranges: [["missing", "end();"]] },
    { ranges: [["end();", "start();"]] },
    { ranges: [["return", "end();"]] },
  ];
  for (const change of misplaced)
    expect(() => cutCode(library, { ...cuts, ...change }, "library.js")).toThrow("not exactly one");
});

test.each([
  ["view transitions", '<Link to="/sessions" viewTransition>Sessions</Link>'],
  ["references to fragments", "<Fragment key={id} ref={parts} />"],
  ["metadata, style sheets and scripts in components", "<title>Sessions</title>"],
  ["forms whose action is a function", "const [state, act] = useActionState(send, null);"],
  ["composition events", "<input onCompositionEnd={save} />"],
  ["custom elements", "<color-picker>red</color-picker>"],
  ["events that React does not listen to", "<li onMouseEnter={show} />"],
  ["events that React does not listen to", "if (event.keyCode === 13) send();"],
  ["attributes and elements that React does not know", '<stop stopColor="red" />'],
  ["attributes and elements that React does not know", '<video src="/film.mp4" />'],
  ["portals, profilers, handles and events of effects", "return createPortal(menu, root);"],
  ["old lifecycle methods", "componentWillUpdate() {}"],
  ["masked locations", '<Link to="/sessions/1" mask="/sessions">One</Link>'],
  ["submissions of text or JSON", 'submit(call, { method: "post", encType: "application/json" });'],
  ["fetchers", "const fetcher = useFetcher();"],
])("code that uses %s, which are cut, is refused", (feature, source) => {
  expect(() => checkFeatures("client/page.tsx", source)).toThrow(`client/page.tsx uses ${feature}`);
  expect(() => checkFeatures("client/page.tsx", "<p>Sessions</p>")).not.toThrow();
});
