import { expect, test } from "bun:test";
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

/** A planted violation: its file, its text, and a part of the expected message. */
const planted: [file: string, text: string, message: string][] = [
  ["client/calls/card.tsx", `import "#src/play/calls/place-call.ts"`, "knows contracts"],
  [
    "client/app/app.tsx",
    `import { type Line, callsEndpoints } from "#src/play/calls/endpoints.ts"`,
    "knows contracts",
  ],
  ["client/app/app.tsx", `import "#db/client.ts"`, "knows contracts"],
  ["client/app/app.tsx", `import * as v from "valibot"`, "only the server checks"],
  ["client/app/app.tsx", `import { callSchema } from "#src/play/calls/schemas.ts"`, "knows contracts"],
  ["src/play/calls/contract.ts", `import * as v from "valibot"`, "no valibot"],
  ["src/play/calls/contract.ts", `import "./place-call.ts"`, "a contract imports"],
  ["src/play/calls/schemas.ts", `import "drizzle-orm"`, "a schema imports"],
  ["src/play/calls/schemas.ts", `import "./place-call.ts"`, "a schema imports"],
  ["db/client.ts", `import "#src/settings/env.ts"`, "bottom layer"],
  ["src/show/events/endpoints.ts", `import "#jobs/workers.ts"`, "base/queues.ts"],
  ["src/server.ts", `import "#jobs/dashboard.ts"`, "base/queues.ts"],
  ["src/main.ts", `import "#jobs/workers.ts"`, "knows no more of jobs"],
  ["src/people/users/endpoints.ts", `import "#client/app/app.tsx"`, "only src/pages renders"],
  ["jobs/main.ts", `import "#client/app/app.tsx"`, "only src/pages renders"],
  ["jobs/workers.ts", `import "#src/show/events/endpoints.ts"`, "calls verbs"],
  ["jobs/workers.ts", `import "#src/play/spots/present-spot.ts"`, "calls verbs"],
  ["jobs/workers.ts", `import { Elysia } from "elysia"`, "calls verbs"],
  ["src/money/wallet/a.ts", `import "#db/schema/ledger.ts"`, "only db/ledger"],
  ["jobs/demo/a.ts", `import "#db/schema/ledger.ts"`, "only db/ledger"],
  ["src/base/redis.ts", `import { Queue } from "bullmq"`, "know BullMQ"],
  ["src/people/users/a.ts", `import "#src/play/calls/a.ts"`, "only rooms before it"],
  ["src/people/users/a.ts", `import "../../play/calls/a.ts"`, "only rooms before it"],
  ["src/people/users/a.ts", `import "../passkeys/a.ts"`, "only rooms before it"],
  ["client/ui/a.tsx", `import "../calls/call-pill.tsx"`, "downwards only"],
  ["client/base/api/a.ts", `import "../live/a.ts"`, "downwards only"],
  ["client/calls/a.ts", `import "../results/a.ts"`, "downwards only"],
  ["client/calls/a.ts", `import "../screens/wallet/a.ts"`, "downwards only"],
  ["client/screens/wallet/a.ts", `import "#client/app/routes.tsx"`, "downwards only"],
  ["client/screens/wallet/a.ts", `import "../payments/b.ts"`, "no other screen"],
  ["client/bets/a.ts", "", "is in no layer of client"],
  ["src/bets/a.ts", "", "is in no room of src"],
  ["src/server.ts", `import "#tests/support/deps.ts"`, "nothing imports tests"],
  ["tests/house/a.test.ts", `import "#src/main.ts"`, "starts a process"],
  ["src/server.ts", `import "./run/start.ts"`, "starts a process"],
  ["src/pages/ssr/a.ts", `import "#src/server.ts"`, "only main and tests"],
  ["src/base/redis.ts", `await import("bullmq")`, "know BullMQ"],
  ["src/base/redis.ts", `export { Queue } from "bullmq"`, "know BullMQ"],
  ["src/base/redis.ts", `import type { Queue } from "bullmq"`, "know BullMQ"],
  ["src/base/deps.ts", `import "../../db/client.ts"`, "by its alias"],
  ["src/base/redis.ts", "const a = process.env.PORT", "reads the environment"],
  ["jobs/main.ts", `const a = process.env["PORT"]`, "reads the environment"],
  ["db/client.ts", "const { PORT } = Bun.env", "reads the environment"],
  ["client/app/app.tsx", "import.meta.env.PORT", "reads the environment"],
  ["src/play/calls/a.ts", `import { env } from "node:process"`, "reads the environment"],
  ["src/lock.ts", "", "is in no room of src"],
  ["src/api/a.ts", `import "#src/a.ts"`, "only rooms before it"],
  ["client/styles/a.css", "a {}\n".repeat(251), "at most 250"],
  ["src/base/a.ts", `Bun.which("zip")`, "asks the path"],
  ["tests/a.test.ts", `import { which } from "bun"`, "asks the path"],
  ["tests/a.test.ts", `Bun.spawn(["redis-server"])`, "runs redis-server"],
  ["tests/a.test.ts", `const a = ["ip", "a"]; Bun.spawnSync([...a, "b"])`, "runs ip"],
  ["tests/a.ts", `launch({ command: ["nginx", "-v"] })`, "runs nginx"],
  ["tests/a.ts", "const s = $.cwd('/'); s`A=on psql ${1} | zip a`", "runs psql, zip"],
  ["tests/a.test.ts", "$`git log`.quiet()", "runs git"],
  [
    "tests/a.test.ts",
    `test("a", async () => { await waitFor("it", () => lines.length > 0); expect(lines[0]).toBe("a"); })`,
    "asserts on lines",
  ],
  [
    "tests/a.test.ts",
    `await waitFor("it", async () => (await names()).length === 2); expect((await names()).sort()).toEqual([])`,
    "asserts on names()",
  ],
  ["tests/a.test.ts", `import { afterEach } from "bun:test"`, "a hook without"],
  [
    "src/play/calls/endpoints.ts",
    `const a = { b: endpoint({ route: "GET /", handle: () => {\n1;\n2;\n3;\n4;\n5;\n6;\n} }) }`,
    "at most 5",
  ],
];

test.each(planted)("in %s the planted %j is reported", (file, text, message) => {
  const [broken, ...more] = brokenRules(new Map([[file, text]]));
  expect(broken).toContain(file);
  expect(broken).toContain(message);
  expect(more).toEqual([]);
});

test("a planted cycle over three files, types included, is reported", () => {
  const cycle = new Map([
    ["src/people/users/a.ts", `import "./b.ts"`],
    ["src/people/users/b.ts", `import type { C } from "#src/people/users/c.ts"`],
    ["src/people/users/c.ts", `export { a } from "./a.ts"`],
  ]);
  expect(brokenRules(cycle)).toEqual([
    "src/people/users/a.ts -> src/people/users/b.ts -> src/people/users/c.ts -> src/people/users/a.ts is a cycle",
  ]);
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
    [
      "src/play/calls/endpoints.ts",
      "endpoint({ handle: (deps, { params }) => {\n  // one sentence\n  return params;\n} })",
    ],
    [
      "src/play/calls/place-call.ts",
      `import "#db/ledger/hold.ts"; import "#src/base/queues.ts"; import "#src/base/redis.ts"`,
    ],
    [
      "src/pages/ssr/render-page.tsx",
      `import "#client/app/routes.tsx"; import "../../show/sessions/find-session.ts"`,
    ],
    ["src/settings/env.ts", "const a = process.env.PORT"],
    ["src/base/log.ts", `const text = "process.env.PORT"; // process.env.PORT`],
    ["db/ledger/hold.ts", `import "#db/schema/ledger.ts"`],
    ["jobs/workers.ts", `import "#src/show/events/close-event.ts"; import "#src/base/queues.ts"`],
    ["tests/server.test.ts", `import "#src/server.ts"; import "bullmq"; import "#db/schema/ledger.ts"`],
    ["src/server.ts", `import "./play/calls/endpoints.ts"`],
    [
      "tests/a.test.ts",
      "Bun.spawn([process.execPath, 'a']); run(['/bin/sh', '-c', 'zip']); Bun.spawn([requireProgram('zip'), 'a']); $`cp a ${b}`",
    ],
    ["tests/upgrade/take-release.ts", "$`git log | tar -x`"],
  ]);
  expect(brokenRules(allowed)).toEqual([]);
});
