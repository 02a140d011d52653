import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFileFolder } from "#tests/support/after-file.ts";

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
const settings = () => readFileSync(path.join(folder, ".env"), "utf8");

test("the script writes the digest of each image into .env, and leaves all else there", () => {
  writeFileSync(path.join(folder, ".env"), "SECRET_KEY=kept\nNGINX_IMAGE=old\nREDIS_PASSWORD=kept too\n");

  expect(pin(`\${image%:*}@${DIGEST}`)).toBe(0);
  expect(settings().split("\n")).toEqual([
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
  const before = settings();
  for (const answer of ["", "docker.io/library/nginx:1.28", "nginx@sha256:abc", `nginx@${DIGEST} x`]) {
    expect([answer, pin(answer)]).toEqual([answer, 1]);
    expect(settings()).toBe(before);
  }
});
