import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { metricsPortOf } from "#src/operate/metrics/serve-metrics.ts";
import { allocatorVariables } from "#src/run/allocator.ts";
import { readEnv } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");

test("compose.yaml is what the Compose specification describes", () => {
  const rules = ["--quiet", "--disable-rule", "no-unbound-port-interfaces"];
  const command = [process.execPath, "node_modules/.bin/dclint", "compose.yaml", ...rules];
  expect(Bun.spawnSync(command, { cwd: TOP }).exitCode).toBe(0);
});

const service = v.object({
  env_file: v.optional(v.string()),
  command: v.optional(v.array(v.string())),
  read_only: v.optional(v.boolean()),
  environment: v.optional(v.record(v.string(), v.string())),
  networks: v.optional(v.object({ default: v.object({ ipv4_address: v.string() }) })),
});
const composeFile = v.object({
  services: v.record(v.string(), service),
  configs: v.object({ upstream: v.object({ content: v.string() }) }),
});
const targetsFile = v.tuple([v.object({ targets: v.array(v.string()) })]);

test("in compose.yaml nginx knows each web process, and each process trusts nginx and can write nowhere else", () => {
  const { services, configs } = v.parse(composeFile, Bun.YAML.parse(read("compose.yaml")));
  const addressOf = (name: string) => services[name]?.networks?.default.ipv4_address ?? "";
  const webs = Object.keys(services).filter((name) => name.startsWith("web-"));
  expect(webs).toHaveLength(2);
  for (const web of webs) expect(configs.upstream.content).toContain(`server ${addressOf(web)}:3000`);
  for (const name of [...webs, "worker", "migrate"]) {
    const { read_only: readOnly, environment, command } = services[name] ?? {};
    expect([name, readOnly, environment?.["TRUSTED_PROXIES"]]).toEqual([name, true, addressOf("proxy")]);
    for (const file of command?.filter((word) => word.endsWith(".ts")) ?? [])
      expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
  }
});

/** What a container gets: its file, then its own variables, with the values of `.env` put in as Compose does it. */
function variablesIn(
  { env_file: file, environment = {} }: v.InferOutput<typeof service>,
  settings: Record<string, string>,
): Record<string, string> {
  const variables: Record<string, string> = file === ".env" ? { ...settings } : {};
  for (const [name, text] of Object.entries(environment)) {
    variables[name] = text.replaceAll(
      /\$\{(\w+)(?::([?+-])([^}]*))?\}/g,
      (_all, from: string, operator = "", other: string = "") => {
        const value = settings[from] ?? "";
        return operator === "+" && value !== "" ? other : value;
      },
    );
  }
  return variables;
}

/** The example of deploy/machines.md. */
function exampleSettings(): Record<string, string> {
  const [, block = ""] = /```sh\n(PUBLIC_URL=[^`]*)```/.exec(read("deploy/machines.md")) ?? [];
  const lines = block.split("\n").filter((line) => line.includes("="));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = (line.split("#")[0] ?? "").trim().split(/=(.*)/);
      return [name, value.replace("...", `the value of ${name} in the test`.replaceAll(" ", "-"))];
    }),
  );
}

test("in compose.yaml each process has all settings of .env, and only the migration those of the owner", () => {
  const { services } = v.parse(composeFile, Bun.YAML.parse(read("compose.yaml")));
  const METRICS_TOKEN = "a token that only this test of metrics has";
  const settings = {
    ...exampleSettings(),
    METRICS_TOKEN,
    ADMIN_PASSKEYS: "required",
    MAIL_FROM: "play@example.com",
  };
  const owner = exampleSettings()["POSTGRES_OWNER_PASSWORD"] ?? "none";
  for (const name of ["web-1", "web-2", "worker", "migrate"]) {
    const variables = variablesIn(services[name] ?? {}, settings);
    const env = readEnv(variables);
    const { mailFrom, adminPasskeysRequired: required, production, applicationRole } = env;
    expect([name, mailFrom, required, production]).toEqual([name, "play@example.com", true, true]);
    const isOfOwner = name === "migrate";
    expect([name, applicationRole, JSON.stringify(variables).includes(owner)]).toEqual([
      name,
      isOfOwner ? "called_it" : null,
      isOfOwner,
    ]);
    expect(readEnv(variablesIn(services[name] ?? {}, exampleSettings())).metricsPort).toBeNull();
  }
});

test("Prometheus has a target for each process, by compose.yaml and by one command or systemd", () => {
  const { services } = v.parse(composeFile, Bun.YAML.parse(read("compose.yaml")));
  const targetsOf = (file: string) =>
    v.parse(targetsFile, Bun.YAML.parse(read(`deploy/observability/targets/${file}.yml`)))[0].targets;
  const inCompose = Object.entries({ "web-1": "web", "web-2": "web", worker: "worker" }).map(
    ([name, process]) => {
      const host = services[name]?.networks?.default.ipv4_address;
      return `${host}:${metricsPortOf({ metricsPort: 9_464, webConcurrency: 1 }, process)}`;
    },
  );
  expect(targetsOf("compose")).toEqual(inCompose);
  const ports = ["web-1", "web-2", "worker"].map((name) =>
    metricsPortOf({ metricsPort: 9_464, webConcurrency: 2 }, name),
  );
  expect(targetsOf("one-command")).toEqual(ports.map((port) => `127.0.0.1:${port}`));
  expect(new Set(ports).size).toBe(3);
  expect(read("deploy/systemd/called-it-web@.service")).toContain("src/main.ts web-%i\n");
  // Another one would have the same name, so it has no port.
  expect(metricsPortOf({ metricsPort: 9_464, webConcurrency: 2 }, "web")).toBeNull();
});

test("every way to start a process sets its allocator to the same value", () => {
  const [setting] = Object.entries(allocatorVariables).map((pair) => pair.join("="));
  for (const file of [
    "Dockerfile",
    "deploy/systemd/called-it-web@.service",
    "deploy/systemd/called-it-worker.service",
  ])
    expect(read(file)).toContain(setting ?? "");
  for (const program of ["src/main.ts", "jobs/main.ts"])
    expect(read("package.json")).toContain(`"${setting} bun ${program}"`);
});

test("the files that compose.yaml mounts are there", () => {
  for (const [, file = ""] of read("compose.yaml").matchAll(/- \.\/(deploy\/\S+):\/\S+\.(?:conf|sql)/g))
    expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
});
