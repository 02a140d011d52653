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
  expect(names).toHaveLength(3);
  for (const name of names) {
    const unit = path.join(folder, name);
    // Otherwise the mails of all players would be at /dev/mail.
    expect(read(`deploy/systemd/${name}`)).toContain("\nEnvironment=NODE_ENV=production\nEnvironmentFile=");
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
  // Its variables are among those of the image: see compose.test.ts.
  const web = scripts["web"]?.split(" ").filter((word) => !/^[A-Z_]+=/.test(word));
  expect(of("CMD").at(-1)).toBe(JSON.stringify(web).replaceAll(",", ", "));
  expect(of("RUN").some((line) => line === scripts["build"])).toBe(true);
  const bun = engines.bun.replace(">=", "");
  for (const image of of("FROM").filter((line) => line.includes("/")))
    expect(image).toContain(`oven/bun:${bun}-`);
  expect(of("USER")).toEqual(["bun"]);
});
