import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { Glob } from "bun";
import { brokenRules } from "#tests/support/structure-rules.ts";

const files = [...new Glob("{src,client,jobs,db,tests}/**/*.{ts,tsx,css}").scanSync(".")].filter(
  (file) => !file.endsWith(".d.ts"),
);
const project = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

test("the project follows its structure rules", () => {
  expect(brokenRules(project)).toEqual([]);
});

test("the top level holds the five folders and the deploy files, and nothing else", () => {
  const folders = readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    // A build is written to dist.<pid> before it is renamed to dist.
    .filter((name) => !/^(node_modules|test-results|dist(\..+)?)$/.test(name));
  expect(folders.toSorted()).toEqual(["client", "db", "deploy", "jobs", "src", "tests"]);
});

/** A planted violation: its title, its file, its text, and a part of the expected message. */
const planted: [title: string, file: string, text: string, message: string][] = [
  [
    "client imports a verb",
    "client/calls/card.tsx",
    `import "#src/play/calls/place-call.ts"`,
    "knows contracts",
  ],
  [
    "client takes more than types of endpoints",
    "client/app/app.tsx",
    `import { type Line, callsEndpoints } from "#src/play/calls/endpoints.ts"`,
    "knows contracts",
  ],
  ["client imports the database", "client/app/app.tsx", `import "#db/client.ts"`, "knows contracts"],
  ["client checks data", "client/app/app.tsx", `import * as v from "valibot"`, "only the server checks"],
  [
    "client takes more than types of schemas",
    "client/app/app.tsx",
    `import { callSchema } from "#src/play/calls/schemas.ts"`,
    "knows contracts",
  ],
  ["a contract imports valibot", "src/play/calls/contract.ts", `import * as v from "valibot"`, "no valibot"],
  [
    "a contract imports a verb",
    "src/play/calls/contract.ts",
    `import "./place-call.ts"`,
    "a contract imports",
  ],
  ["a schema imports drizzle", "src/play/calls/schemas.ts", `import "drizzle-orm"`, "a schema imports"],
  ["a schema imports a verb", "src/play/calls/schemas.ts", `import "./place-call.ts"`, "a schema imports"],
  ["db imports src", "db/client.ts", `import "#src/settings/env.ts"`, "bottom layer"],
  ["src imports a worker", "src/show/events/routes.ts", `import "#jobs/workers.ts"`, "jobs/queues.ts"],
  ["src imports the dashboard", "src/server.ts", `import "#jobs/dashboard.ts"`, "jobs/queues.ts"],
  ["main imports a worker", "src/main.ts", `import "#jobs/workers.ts"`, "knows no more of jobs"],
  [
    "a room other than ssr imports client",
    "src/people/users/routes.ts",
    `import "#client/app/app.tsx"`,
    "only src/pages renders",
  ],
  ["jobs import client", "jobs/main.ts", `import "#client/app/app.tsx"`, "only src/pages renders"],
  ["a worker imports routes", "jobs/workers.ts", `import "#src/show/events/routes.ts"`, "calls verbs"],
  [
    "a worker imports a presenter",
    "jobs/workers.ts",
    `import "#src/play/spots/present-spot.ts"`,
    "calls verbs",
  ],
  ["a worker imports elysia", "jobs/workers.ts", `import { Elysia } from "elysia"`, "calls verbs"],
  ["a room touches ledger rows", "src/money/wallet/a.ts", `import "#db/schema/ledger.ts"`, "only db/ledger"],
  ["jobs touch accounts", "jobs/demo/a.ts", `import "#db/schema/ledger.ts"`, "only db/ledger"],
  ["src knows bullmq", "src/base/redis.ts", `import { Queue } from "bullmq"`, "only jobs knows"],
  [
    "a room imports a later room",
    "src/people/users/a.ts",
    `import "#src/play/calls/a.ts"`,
    "only rooms before it",
  ],
  [
    "a room imports a later room relatively",
    "src/people/users/a.ts",
    `import "../../play/calls/a.ts"`,
    "only rooms before it",
  ],
  [
    "a folder of a room imports a later folder of it",
    "src/people/users/a.ts",
    `import "../passkeys/a.ts"`,
    "only rooms before it",
  ],
  [
    "a part without a noun imports a noun",
    "client/ui/a.tsx",
    `import "../calls/call-pill.tsx"`,
    "downwards only",
  ],
  ["base imports a later folder of it", "client/base/api/a.ts", `import "../live/a.ts"`, "downwards only"],
  ["a noun imports a later noun", "client/calls/a.ts", `import "../results/a.ts"`, "downwards only"],
  ["a noun imports a screen", "client/calls/a.ts", `import "../screens/wallet/a.ts"`, "downwards only"],
  [
    "a screen knows the routes",
    "client/screens/wallet/a.ts",
    `import "#client/app/routes.tsx"`,
    "downwards only",
  ],
  [
    "a screen imports another screen",
    "client/screens/wallet/a.ts",
    `import "../payments/b.ts"`,
    "no other screen",
  ],
  ["a folder of client is in no layer", "client/bets/a.ts", "", "is in no layer of client"],
  ["a folder of src is not in the list of rooms", "src/bets/a.ts", "", "is in no room of src"],
  ["src imports tests", "src/server.ts", `import "#tests/support/deps.ts"`, "nothing imports tests"],
  ["a test imports main", "tests/house/a.test.ts", `import "#src/main.ts"`, "starts a process"],
  ["src imports start", "src/server.ts", `import "./run/start.ts"`, "starts a process"],
  ["a room imports the server", "src/pages/ssr/a.ts", `import "#src/server.ts"`, "only main and tests"],
  ["a dynamic import is an import", "src/base/redis.ts", `await import("bullmq")`, "only jobs knows"],
  ["a re-export is an import", "src/base/redis.ts", `export { Queue } from "bullmq"`, "only jobs knows"],
  [
    "a type import is an import",
    "src/base/redis.ts",
    `import type { Queue } from "bullmq"`,
    "only jobs knows",
  ],
  ["a top folder is reached relatively", "src/base/deps.ts", `import "../../db/client.ts"`, "by its alias"],
  ["process.env is read", "src/base/redis.ts", "const a = process.env.PORT", "reads the environment"],
  ["process.env is read by a name", "jobs/main.ts", `const a = process.env["PORT"]`, "reads the environment"],
  ["Bun.env is read", "db/client.ts", "const { PORT } = Bun.env", "reads the environment"],
  ["import.meta.env is read", "client/app/app.tsx", "import.meta.env.PORT", "reads the environment"],
  [
    "env is imported from process",
    "src/play/calls/a.ts",
    `import { env } from "node:process"`,
    "reads the environment",
  ],
  ["a file lies at the top of src", "src/lock.ts", "", "is in no room of src"],
  ["a room imports a file at the top", "src/api/a.ts", `import "#src/a.ts"`, "only rooms before it"],
  ["a style sheet is long", "client/styles/a.css", "a {}\n".repeat(251), "at most 250"],
  [
    "a handler is long",
    "src/play/calls/routes.ts",
    `app.get("/", () => {\n1;\n2;\n3;\n4;\n5;\n6;\n})`,
    "at most 5",
  ],
  ["the path is asked for a program", "src/base/a.ts", `Bun.which("zip")`, "asks the path"],
  ["a test asks by an import", "tests/a.test.ts", `import { which } from "bun"`, "asks the path"],
  ["a test runs a program by name", "tests/a.test.ts", `Bun.spawn(["redis-server"])`, "runs redis-server"],
  ["it does so later", "tests/a.test.ts", `const a = ["ip", "a"]; Bun.spawnSync([...a, "b"])`, "runs ip"],
  ["it launches one by name", "tests/a.ts", `launch({ command: ["nginx", "-v"] })`, "runs nginx"],
  ["its shell does", "tests/a.ts", "const s = $.cwd('/'); s`A=on psql ${1} | zip a`", "runs psql, zip"],
  ["it needs a history", "tests/a.test.ts", "$`git log`.quiet()", "runs git"],
  [
    "a test waits for a number of what it asserts",
    "tests/a.test.ts",
    `test("a", async () => { await waitFor("it", () => lines.length > 0); expect(lines[0]).toBe("a"); })`,
    "asserts on lines",
  ],
  [
    "it asks for what it counts",
    "tests/a.test.ts",
    `await waitFor("it", async () => (await names()).length === 2); expect((await names()).sort()).toEqual([])`,
    "asserts on names()",
  ],
  ["a test uses a hook of Bun", "tests/a.test.ts", `import { afterEach } from "bun:test"`, "a hook without"],
  [
    "an endpoint's handler is long",
    "src/play/calls/routes.ts",
    `serveEndpoints(endpoints, { a: () => {\n1;\n2;\n3;\n4;\n5;\n6;\n} })`,
    "at most 5",
  ],
];

describe("each planted violation is reported:", () => {
  for (const [title, file, text, message] of planted) {
    test(title, () => {
      const [broken, ...more] = brokenRules(new Map([[file, text]]));
      expect(broken).toContain(file);
      expect(broken).toContain(message);
      expect(more).toEqual([]);
    });
  }

  test("a cycle over three files, types included", () => {
    const cycle = new Map([
      ["src/people/users/a.ts", `import "./b.ts"`],
      ["src/people/users/b.ts", `import type { C } from "#src/people/users/c.ts"`],
      ["src/people/users/c.ts", `export { a } from "./a.ts"`],
    ]);
    expect(brokenRules(cycle)).toEqual([
      "src/people/users/a.ts -> src/people/users/b.ts -> src/people/users/c.ts -> src/people/users/a.ts is a cycle",
    ]);
  });
});

test("allowed imports and names are not reported", () => {
  const allowed = new Map([
    [
      "client/calls/card.tsx",
      `import "#src/play/calls/contract.ts"; import "react"; import "../ui/button.tsx"`,
    ],
    ["client/ui/button.tsx", ""],
    ["client/calls/list.ts", `import type { Call } from "#src/play/calls/schemas.ts"`],
    ["src/play/calls/contract.ts", `import "#src/people/users/contract.ts"; import "#db/lists/calls.ts"`],
    ["src/play/calls/schemas.ts", `import * as v from "valibot"; import "./contract.ts"`],
    ["src/people/users/contract.ts", ""],
    ["db/lists/calls.ts", ""],
    ["src/play/calls/routes.ts", `app.get("/", ({ params }) => {\n  // one sentence\n  return params;\n})`],
    [
      "src/play/calls/place-call.ts",
      `import "#db/ledger/hold.ts"; import "#jobs/queues.ts"; import "#src/base/redis.ts"`,
    ],
    [
      "src/pages/ssr/render-page.tsx",
      `import "#client/app/routes.tsx"; import "../../show/sessions/find-session.ts"`,
    ],
    ["src/settings/env.ts", "const a = process.env.PORT"],
    ["src/base/log.ts", `const text = "process.env.PORT"; // process.env.PORT`],
    ["db/ledger/hold.ts", `import "#db/schema/ledger.ts"`],
    ["jobs/workers.ts", `import "#src/show/events/close-event.ts"; import "./queues.ts"`],
    ["tests/server.test.ts", `import "#src/server.ts"; import "bullmq"; import "#db/schema/ledger.ts"`],
    ["src/server.ts", `import "./play/calls/routes.ts"`],
    [
      "tests/a.test.ts",
      "Bun.spawn([process.execPath, 'a']); run(['/bin/sh', '-c', 'zip']); Bun.spawn([requireProgram('zip'), 'a']); $`cp a ${b}`",
    ],
    ["tests/upgrade/take-release.ts", "$`git log | tar -x`"],
  ]);
  expect(brokenRules(allowed)).toEqual([]);
});
