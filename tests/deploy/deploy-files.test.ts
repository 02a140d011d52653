import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { requireProgram } from "#tests/engines/install-packages.ts";
import { makeCertificate } from "#tests/engines/nginx.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const TOP = path.join(import.meta.dir, "../..");
const { dataDir: folder, remove } = makeDataFolder();
afterFile(remove);

const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");

function run(command: readonly string[]): { code: number; output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: TOP });
  return { code: exitCode, output: `${stdout.toString()}${stderr.toString()}` };
}

test("systemd accepts the units, and finds little that they could do to the machine", () => {
  const analyze = requireProgram("systemd-analyze", "systemd");
  const names = readdirSync(path.join(TOP, "deploy/systemd")).filter((name) => name.endsWith(".service"));
  expect(names).toHaveLength(2);
  for (const name of names) {
    const unit = path.join(folder, name);
    // Bun may be elsewhere on this machine.
    writeFileSync(unit, read(`deploy/systemd/${name}`).replace("/usr/local/bin/bun", process.execPath));
    expect(run([analyze, "verify", "--recursive-errors=no", unit])).toEqual({ code: 0, output: "" });
    // Of 10, in tenths.
    expect(run([analyze, "security", "--offline=yes", "--threshold=20", unit]).code).toBe(0);
  }
});

test("nginx accepts its configuration", () => {
  const { certificate, key } = makeCertificate(folder);
  const site = read("deploy/nginx/called-it.conf")
    .replace("/etc/nginx/certificates/called-it.pem", certificate)
    .replace("/etc/nginx/certificates/called-it.key", key);
  writeFileSync(path.join(folder, "site.conf"), site);
  const all = `pid ${folder}/nginx.pid; events {} http { include ${TOP}/deploy/nginx/upstream.conf; include ${folder}/site.conf; }`;
  writeFileSync(path.join(folder, "nginx.conf"), all);
  const checked = run([requireProgram("nginx"), "-t", "-e", "stderr", "-c", path.join(folder, "nginx.conf")]);
  expect(checked.output).toContain("test is successful");
});

test("compose.yaml is what the Compose specification describes", () => {
  const rules = ["--quiet", "--disable-rule", "no-unbound-port-interfaces"];
  const checked = run([process.execPath, "node_modules/.bin/dclint", "compose.yaml", ...rules]);
  expect(checked).toMatchObject({ code: 0 });
});

const service = v.object({
  command: v.optional(v.array(v.string())),
  read_only: v.optional(v.boolean()),
  environment: v.optional(v.record(v.string(), v.string())),
  networks: v.optional(v.object({ default: v.object({ ipv4_address: v.string() }) })),
});
const composeFile = v.object({
  services: v.record(v.string(), service),
  configs: v.object({ upstream: v.object({ content: v.string() }) }),
});

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

test("the Dockerfile copies what there is, runs what package.json runs, with the same Bun, and not as root", () => {
  const lines = read("Dockerfile").replaceAll("\\\n", " ").split("\n");
  const of = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const copied = of("COPY").filter((line) => !line.startsWith("--from"));
  const ignored = read(".dockerignore").split("\n");
  for (const file of copied.flatMap((line) => line.split(" ").slice(0, -1))) {
    expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
    expect(ignored).toContain(`!${file}`);
  }
  const { scripts, engines } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()), engines: v.object({ bun: v.string() }) }),
    JSON.parse(read("package.json")),
  );
  expect(of("CMD").at(-1)).toBe(JSON.stringify(scripts["web"]?.split(" ")).replaceAll(",", ", "));
  expect(of("RUN").some((line) => line === scripts["build"])).toBe(true);
  const bun = engines.bun.replace(">=", "");
  for (const image of of("FROM").filter((line) => line.includes("/")))
    expect(image).toContain(`oven/bun:${bun}-`);
  expect(of("USER")).toEqual(["bun"]);
});

test("the files that compose.yaml mounts are there", () => {
  for (const [, file = ""] of read("compose.yaml").matchAll(/- \.\/(deploy\/\S+):\/etc\S+\.conf/g))
    expect([file, existsSync(path.join(TOP, file))]).toEqual([file, true]);
});
