import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { metricsPortOf } from "#src/operate/metrics/serve-metrics.ts";
import { allocatorVariables } from "#src/run/bring-up.ts";
import { readEnv, readMigration } from "#src/settings/env.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { readCompose, variablesIn } from "./read-compose.ts";

const TOP = path.join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");

test("compose.yaml is what the Compose specification describes", () => {
  // Images have digests, which say more than a tag.
  const off = ["no-unbound-port-interfaces", "service-image-require-explicit-tag"];
  const rules = off.flatMap((rule) => ["--disable-rule", rule]);
  const command = [process.execPath, "node_modules/.bin/dclint", "compose.yaml", "--quiet", ...rules];
  expect(Bun.spawnSync(command, { cwd: TOP }).exitCode).toBe(0);
});

const targetsFile = v.tuple([v.object({ targets: v.array(v.string()) })]);

test("in compose.yaml nginx knows each web process, and each process trusts nginx", () => {
  const { services } = readCompose();
  const addressOf = (name: string) => services[name]?.networks["default"]?.ipv4_address ?? "";
  const webs = Object.keys(services).filter((name) => name.startsWith("web-"));
  expect(webs).toHaveLength(2);
  for (const web of webs)
    expect(read("deploy/nginx/containers.conf")).toContain(`server ${addressOf(web)}:3000`);
  for (const name of [...webs, "worker"]) {
    expect([name, services[name]?.environment["TRUSTED_PROXIES"]]).toEqual([name, addressOf("proxy")]);
  }
  for (const { command } of Object.values(services)) {
    for (const file of command.filter((word) => word.endsWith(".ts")))
      expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
  }
});

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

/** A setting that somebody has added to `.env`, and those that only some may have. */
const settings = {
  ...exampleSettings(),
  METRICS_TOKEN: "a token that only this test of metrics has",
  ADMIN_PASSKEYS: "required",
  MAIL_FROM: "play@example.com",
  BACKUP_PASSPHRASE: "of the backups alone",
  BACKUP_TO: "s3://key:of-the-backups@bucket.example/nightly/kept",
};

test("in compose.yaml the processes that serve have all settings of .env, but for those of others", () => {
  const { services } = readCompose();
  for (const name of ["web-1", "web-2", "worker", "owner"]) {
    const env = readEnv(variablesIn(services[name], settings));
    const { mailFrom, adminPasskeysRequired: required, production } = env;
    expect([name, mailFrom, required, production]).toEqual([name, "play@example.com", true, true]);
    const isOfOwner = name === "owner";
    expect([name, env.applicationRole, env.backupPassphrase]).toEqual([
      name,
      isOfOwner ? "called_it" : null,
      isOfOwner ? settings.BACKUP_PASSPHRASE : null,
    ]);
    expect([name, env.smtpUrl !== null]).toEqual([name, name === "worker"]);
    expect(readEnv(variablesIn(services[name], exampleSettings())).metricsPort).toBeNull();
  }
});

test("in compose.yaml each secret is only where it is needed", () => {
  const { services } = readCompose();
  const holders = (secret: string, given: Record<string, string> = settings) =>
    Object.entries(services)
      .filter(([, service]) => JSON.stringify(variablesIn(service, given)).includes(secret))
      .map(([name]) => name);
  const of = (name: string) => exampleSettings()[name] ?? "none";
  expect(holders(of("POSTGRES_OWNER_PASSWORD"))).toEqual(["migrate", "owner", "postgres"]);
  expect(holders(settings.BACKUP_PASSPHRASE)).toEqual(["owner"]);
  expect(holders(settings.BACKUP_TO)).toEqual(["owner"]);
  expect(holders(of("SMTP_URL"))).toEqual(["worker"]);
  expect(holders(of("SMTP_URL"), { ...settings, ALERTS_TO: "you@example.com" })).toEqual([
    "web-1",
    "web-2",
    "worker",
  ]);
  const serving = ["web-1", "web-2", "worker", "owner"];
  expect(holders(of("SECRET_KEY"))).toEqual(serving);
  expect(holders(of("REDIS_PASSWORD"))).toEqual([...serving, "redis"]);
  expect(holders(of("POSTGRES_PASSWORD"))).toEqual([...serving, "postgres"]);
  // The migration needs the addresses of the database, and nothing else.
  const given = variablesIn(services["migrate"], settings);
  expect(Object.keys(given)).toEqual(["NODE_ENV", "DATABASE_URL", "MIGRATE_DATABASE_URL"]);
  expect(readMigration(given)).toMatchObject({ production: true, applicationRole: "called_it" });
});

test("Prometheus has a target for each process, by compose.yaml and by one command or systemd", () => {
  const { services } = readCompose();
  const targetsOf = (file: string) =>
    v.parse(targetsFile, Bun.YAML.parse(read(`deploy/observability/targets/${file}.yml`)))[0].targets;
  const inCompose = Object.entries({ "web-1": "web", "web-2": "web", worker: "worker" }).map(
    ([name, process]) => {
      const host = services[name]?.networks["default"]?.ipv4_address;
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

test("in compose.yaml Redis has the user of the program alone", () => {
  const [, , script = ""] = readCompose().services["redis"]?.command ?? [];
  const [, rules = ""] = /sed "([^"]*)"/.exec(script) ?? [];
  const made = Bun.spawnSync(
    [requireProgram("sed"), rules.replace("$$REDISCLI_AUTH", "secret"), "deploy/redis/called-it.conf"],
    { cwd: TOP },
  );
  const users = made.stdout.toString().match(/^user .*? (?:off|on >\S+)/gm);
  expect(users).toEqual(["user default off", "user called_it on >secret"]);
});

test("the files that compose.yaml mounts are there", () => {
  for (const [, file = ""] of read("compose.yaml").matchAll(/- \.\/(deploy\/\S+):\/\S+\.(?:conf|sql)/g))
    expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
});
