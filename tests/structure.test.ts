import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { Glob } from "bun";
import { brokenRules } from "#tests/support/house-rules.ts";

const files = [...new Glob("{src,client,jobs,db,tests}/**/*.{ts,tsx}").scanSync(".")].filter(
  (file) => !file.endsWith(".d.ts"),
);
const house = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

test("the house follows its rules", () => {
  expect(brokenRules(house)).toEqual([]);
});

test("the top level holds the five folders, and nothing else that is code", () => {
  const folders = readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    // A build is made in dist.<pid> before it takes the place of dist.
    .filter((name) => !/^(node_modules|test-results|dist(\..+)?)$/.test(name));
  expect(folders.toSorted()).toEqual(["client", "db", "jobs", "src", "tests"]);
});

const longWorker = "export const line = 1;\n".repeat(26);
/** What is planted, in which file, as which text; and a piece of what must be told. */
const planted: [what: string, file: string, text: string, told: string][] = [
  ["client imports a verb", "client/calls/card.tsx", `import "#src/calls/place-call.ts"`, "contracts only"],
  [
    "client takes more than types of endpoints",
    "client/app.tsx",
    `import { type Line, callsEndpoints } from "#src/calls/endpoints.ts"`,
    "contracts only",
  ],
  ["client imports the database", "client/app.tsx", `import "#db/client.ts"`, "contracts only"],
  ["client checks shapes", "client/app.tsx", `import * as v from "valibot"`, "checked on the server"],
  ["a contract imports drizzle", "src/calls/contract.ts", `import "drizzle-orm"`, "a contract is pure"],
  ["a contract imports a verb", "src/calls/contract.ts", `import "./place-call.ts"`, "a contract is pure"],
  ["db imports src", "db/client.ts", `import "#src/settings/env.ts"`, "bottom layer"],
  ["src imports a worker", "src/events/routes.ts", `import "#jobs/workers/close-event.ts"`, "jobs/queues.ts"],
  ["src imports the dashboard", "src/server.ts", `import "#jobs/dashboard.ts"`, "jobs/queues.ts"],
  ["main imports a worker", "src/main.ts", `import "#jobs/workers/close-event.ts"`, "knows no more of jobs"],
  ["a room other than ssr imports client", "src/users/routes.ts", `import "#client/app.tsx"`, "only src/ssr"],
  ["jobs import client", "jobs/main.ts", `import "#client/app.tsx"`, "only src/ssr"],
  ["a worker imports routes", "jobs/workers/close.ts", `import "#src/events/routes.ts"`, "calls verbs"],
  [
    "a worker imports a presenter",
    "jobs/workers/close.ts",
    `import "#src/calls/present-call.ts"`,
    "calls verbs",
  ],
  ["a worker imports elysia", "jobs/workers/close.ts", `import { Elysia } from "elysia"`, "calls verbs"],
  ["a room touches ledger rows", "src/wallet/a.ts", `import "#db/schema/ledger.ts"`, "only db/ledger"],
  ["jobs touch accounts", "jobs/demo/a.ts", `import "#db/schema/accounts.ts"`, "only db/ledger"],
  ["src knows bullmq", "src/base/redis.ts", `import { Queue } from "bullmq"`, "only jobs knows"],
  ["a room imports a later room", "src/users/a.ts", `import "#src/calls/a.ts"`, "stand before it"],
  ["a room imports a later room relatively", "src/users/a.ts", `import "../calls/a.ts"`, "stand before it"],
  ["a folder of src is no room", "src/bets/a.ts", "", "no known room"],
  ["src imports tests", "src/server.ts", `import "#tests/support/deps.ts"`, "nothing imports tests"],
  ["somebody imports main", "tests/house/a.test.ts", `import "#src/main.ts"`, "starts a process"],
  ["somebody imports start", "src/server.ts", `import "./start.ts"`, "starts a process"],
  ["a room imports the server", "src/ssr/a.ts", `import "../server.ts"`, "only main and tests"],
  ["a dynamic import is an import", "src/base/redis.ts", `await import("bullmq")`, "only jobs knows"],
  ["a re-export is an import", "src/base/redis.ts", `export { Queue } from "bullmq"`, "only jobs knows"],
  [
    "a type import is an import",
    "src/base/redis.ts",
    `import type { Queue } from "bullmq"`,
    "only jobs knows",
  ],
  ["a top folder is reached relatively", "src/base/deps.ts", `import "../db/client.ts"`, "by its alias"],
  ["process.env is read", "src/base/redis.ts", "const a = process.env.PORT", "reads the environment"],
  ["process.env is read by a name", "jobs/main.ts", `const a = process.env["PORT"]`, "reads the environment"],
  ["Bun.env is read", "db/client.ts", "const { PORT } = Bun.env", "reads the environment"],
  ["import.meta.env is read", "client/app.tsx", "import.meta.env.PORT", "reads the environment"],
  ["env is imported from process", "src/a.ts", `import { env } from "node:process"`, "reads the environment"],
  ["a worker is long", "jobs/workers/close.ts", longWorker, "at most 25"],
  [
    "a handler is long",
    "src/calls/routes.ts",
    `app.get("/", () => {\n1;\n2;\n3;\n4;\n5;\n6;\n})`,
    "at most 5",
  ],
  [
    "an endpoint's handler is long",
    "src/calls/routes.ts",
    `serveEndpoints(deps, endpoints, { a: () => {\n1;\n2;\n3;\n4;\n5;\n6;\n} })`,
    "at most 5",
  ],
  ["a file is named for nothing", "src/calls/utils.ts", "", "named after nothing"],
  ["a folder is named for nothing", "client/helpers/money.ts", "", "named after nothing"],
];

describe("each planted violation is found:", () => {
  for (const [what, file, text, told] of planted) {
    test(what, () => {
      const [broken, ...more] = brokenRules(new Map([[file, text]]));
      expect(broken).toContain(file);
      expect(broken).toContain(told);
      expect(more).toEqual([]);
    });
  }

  test("a cycle over three files, types included", () => {
    const ring = new Map([
      ["src/users/a.ts", `import "./b.ts"`],
      ["src/users/b.ts", `import type { C } from "#src/users/c.ts"`],
      ["src/users/c.ts", `export { a } from "./a.ts"`],
    ]);
    expect(brokenRules(ring)).toEqual([
      "src/users/a.ts -> src/users/b.ts -> src/users/c.ts -> src/users/a.ts is a cycle",
    ]);
  });
});

test("what the rules allow is not reported", () => {
  const allowed = new Map([
    ["client/calls/card.tsx", `import "#src/calls/contract.ts"; import "react"; import "../ui/button.tsx"`],
    ["client/ui/button.tsx", ""],
    ["src/calls/contract.ts", `import * as v from "valibot"; import "#src/users/contract.ts"`],
    ["src/users/contract.ts", ""],
    ["src/calls/routes.ts", `app.get("/", ({ params }) => {\n  // one sentence\n  return params;\n})`],
    [
      "src/calls/place-call.ts",
      `import "#db/ledger/hold.ts"; import "#jobs/queues.ts"; import "../redis.ts"`,
    ],
    ["src/ssr/render-page.tsx", `import "#client/routes.tsx"; import "../sessions/find-session.ts"`],
    ["src/settings/env.ts", "const a = process.env.PORT"],
    ["src/base/log.ts", `const text = "process.env.PORT"; // process.env.PORT`],
    ["db/ledger/hold.ts", `import "#db/schema/ledger.ts"`],
    ["jobs/workers/close.ts", `import "#src/events/close-event.ts"; import "../queues.ts"`],
    ["tests/server.test.ts", `import "#src/server.ts"; import "bullmq"; import "#db/schema/ledger.ts"`],
  ]);
  expect(brokenRules(allowed)).toEqual([]);
});
