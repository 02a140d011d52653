import { expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { metricsPortOf } from "#src/operate/metrics/serve-metrics.ts";
import { allocatorVariables } from "#src/run/bring-up.ts";
import { readEnv, readMigration } from "#src/settings/env.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

const FILE = path.join(import.meta.dir, "../../compose.yaml");

const service = v.object({
  image: v.string(),
  build: v.optional(v.object({ args: v.record(v.string(), v.string()) })),
  user: v.optional(v.string()),
  read_only: v.optional(v.boolean()),
  cap_drop: v.optional(v.array(v.string()), []),
  cap_add: v.optional(v.array(v.string()), []),
  privileged: v.optional(v.boolean()),
  security_opt: v.optional(v.array(v.string()), []),
  tmpfs: v.optional(v.array(v.string()), []),
  mem_limit: v.optional(v.string()),
  pids_limit: v.optional(v.number()),
  logging: v.optional(v.object({ options: v.record(v.string(), v.string()) })),
  ports: v.optional(v.array(v.string()), []),
  volumes: v.optional(v.array(v.string()), []),
  env_file: v.optional(v.string()),
  command: v.optional(v.array(v.string()), []),
  environment: v.optional(v.record(v.string(), v.string()), {}),
  networks: v.record(v.string(), v.object({ ipv4_address: v.optional(v.string()) })),
});
const composeFile = v.object({
  services: v.record(v.string(), service),
  networks: v.record(v.string(), v.object({ internal: v.optional(v.boolean(), false) })),
});

type Service = v.InferOutput<typeof service>;

/** The parts of compose.yaml that tests look at, with what its anchors stand for. */
function readCompose(): v.InferOutput<typeof composeFile> {
  return v.parse(composeFile, Bun.YAML.parse(readFileSync(FILE, "utf8")));
}

/** The variables that a container gets: its file, then its own, with the values of `.env` put in as Compose does it. */
function variablesIn(given: Service | undefined, settings: Record<string, string>): Record<string, string> {
  const variables: Record<string, string> = given?.env_file === ".env" ? { ...settings } : {};
  for (const [name, text] of Object.entries(given?.environment ?? {}))
    variables[name] = fillIn(text, settings);
  return variables;
}

/** Puts the values of `.env` into a text. */
function fillIn(text: string, settings: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::([?+-])((?:\$\{\w+\}|[^}])*))?\}/g,
    (_all, from: string, operator = "", other: string = "") => {
      const value = settings[from] ?? "";
      return operator === "+" && value !== "" ? fillIn(other, settings) : value;
    },
  );
}

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

const { services, networks } = readCompose();
const entries = Object.entries(services);
const names = (wanted: (name: string) => boolean) => Object.keys(services).filter(wanted);

test("no container is root, has a capability, gets more rights, or writes to its own files", () => {
  for (const [name, service] of entries) {
    const { user = "root", cap_drop: dropped, cap_add: added, read_only: readOnly, privileged } = service;
    expect([name, /^(root|0(:.*)?)$/.test(user)]).toEqual([name, false]);
    expect([name, dropped, added, readOnly, privileged]).toEqual([name, ["ALL"], [], true, undefined]);
    expect([name, service.security_opt]).toEqual([name, ["no-new-privileges:true"]]);
  }
});

test("every container has bounds: memory, processes, logs, and each folder in memory", () => {
  for (const [name, { mem_limit: memory, pids_limit: pids = 0, logging, tmpfs }] of entries) {
    expect([name, memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    expect([name, pids > 0 && pids <= 512]).toEqual([name, true]);
    expect(Object.keys(logging?.options ?? {})).toEqual(["max-size", "max-file"]);
    expect([name, tmpfs.filter((each) => !/[:,]size=\d+m/.test(each))]).toEqual([name, []]);
  }
});

test("Postgres and Redis are in networks of their own, without a way out, and the proxy is in neither", () => {
  const inNetwork = (network: string) => names((name) => network in (services[name]?.networks ?? {}));
  expect(networks).toMatchObject({ database: { internal: true }, redis: { internal: true } });
  expect(inNetwork("database")).toEqual(["web-1", "web-2", "worker", "migrate", "owner", "postgres"]);
  expect(inNetwork("redis")).toEqual(["web-1", "web-2", "worker", "owner", "redis"]);
  expect(inNetwork("default")).toEqual(["proxy", "web-1", "web-2", "worker", "owner"]);
  expect(names((name) => (services[name]?.ports.length ?? 0) > 0)).toEqual(["proxy"]);
  expect(names((name) => services[name]?.volumes.some((each) => each.startsWith("data:")) === true)).toEqual([
    "web-1",
    "web-2",
    "worker",
    "owner",
  ]);
  expect(JSON.stringify(services)).not.toContain("docker.sock");
});

test("every image is demanded by a digest that deploy/pin-images.sh has written", () => {
  const script = readFileSync(path.join(import.meta.dir, "../../deploy/pin-images.sh"), "utf8");
  const pinned = [...script.matchAll(/^([A-Z]+_IMAGE) docker\.io\/\S+:\S+$/gm)].map(([, name = ""]) => name);
  const demanded = new Set<string>();
  for (const [name, { image, build }] of entries) {
    const named = build === undefined ? image : build.args["BUN_IMAGE"];
    const [, variable = ""] = /^\$\{(\w+_IMAGE):\?sh deploy\/pin-images\.sh\}$/.exec(named ?? "") ?? [];
    expect([name, pinned.includes(variable)]).toEqual([name, true]);
    demanded.add(variable);
  }
  expect([...demanded].sort()).toEqual([...pinned].sort());
  const dockerfile = readFileSync(path.join(import.meta.dir, "../../Dockerfile"), "utf8");
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual([
    "${BUN_IMAGE}",
    "packages",
    "${BUN_IMAGE}",
  ]);
  expect(script).toContain(`\nBUN_IMAGE ${/^ARG BUN_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]}\n`);
});

const text = readFileSync(path.join(import.meta.dir, "../../deploy/nginx/called-it.conf"), "utf8");
/** The directives of this name, without their semicolons. */
const of = (name: string) =>
  [...text.matchAll(new RegExp(`^ *${name}\\s+([^;{]*);`, "gm"))].map(([, rest = ""]) => rest.trim());

test("nginx listens by IPv4 and by IPv6", () => {
  expect(of("listen")).toEqual(["80", "[::]:80", "443 ssl http2", "[::]:443 ssl http2"]);
});

test("nginx speaks TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers alone", () => {
  expect(of("ssl_protocols")).toEqual(["TLSv1.2 TLSv1.3"]);
  const [ciphers = ""] = of("ssl_ciphers");
  expect(ciphers.split(":").filter((name) => !/^ECDHE-.*(GCM|POLY1305)/.test(name))).toEqual([]);
});

test("over http nginx redirects browsers, and refuses programs, whose tokens would go unencrypted", () => {
  const [plain = ""] = /^server \{\n {4}listen 80;[\s\S]*?^\}$/m.exec(text) ?? [];
  const [, pattern = ""] = /location ~ (\S+) \{\n[^}]*return 403/.exec(plain) ?? [];
  for (const [path, refused] of [
    ["/api/v1/events/7", true],
    ["/cable", true],
    ["/", false],
    ["/api", false],
    ["/sessions/friday", false],
  ] as const)
    expect([path, new RegExp(pattern).test(path)]).toEqual([path, refused]);
  expect(plain).toContain("return 301 https://$server_name$request_uri;");
});

const SCRIPT = path.join(import.meta.dir, "../../deploy/pin-images.sh");
const folder = makeFileFolder();
mkdirSync(path.join(folder, "deploy"));
mkdirSync(path.join(folder, "bin"));
copyFileSync(SCRIPT, path.join(folder, "deploy/pin-images.sh"));
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

/** Runs the script beside a `docker` that says this of each image. */
function pin(answer: string): number {
  const docker = path.join(folder, "bin/docker");
  writeFileSync(docker, `#!/bin/sh\n[ "$1" = pull ] || { for image; do :; done; echo "${answer}"; }\n`);
  chmodSync(docker, 0o755);
  const env = { PATH: `${path.join(folder, "bin")}:/usr/bin:/bin` };
  return Bun.spawnSync(["/bin/sh", path.join(folder, "deploy/pin-images.sh")], { env }).exitCode;
}

const writtenSettings = () => readFileSync(path.join(folder, ".env"), "utf8");

test("the script writes the digest of each image into .env, and leaves all else there", () => {
  writeFileSync(path.join(folder, ".env"), "SECRET_KEY=kept\nNGINX_IMAGE=old\nREDIS_PASSWORD=kept too\n");

  expect(pin(`\${image%:*}@${DIGEST}`)).toBe(0);
  expect(writtenSettings().split("\n")).toEqual([
    "SECRET_KEY=kept",
    "REDIS_PASSWORD=kept too",
    `BUN_IMAGE=docker.io/oven/bun@${DIGEST}`,
    `NGINX_IMAGE=docker.io/library/nginx@${DIGEST}`,
    `POSTGRES_IMAGE=docker.io/library/postgres@${DIGEST}`,
    `REDIS_IMAGE=docker.io/library/redis@${DIGEST}`,
    "",
  ]);
  expect(statSync(path.join(folder, ".env")).mode & 0o077).toBe(0);
});

test("an answer without a digest is refused, and .env is as it was", () => {
  const before = writtenSettings();
  for (const answer of ["", "docker.io/library/nginx:1.28", "nginx@sha256:abc", `nginx@${DIGEST} x`]) {
    expect([answer, pin(answer)]).toEqual([answer, 1]);
    expect(writtenSettings()).toBe(before);
  }
});
