import { expect, test } from "bun:test";
import path from "node:path";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { ownVariables } from "#src/settings/env.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { figure } from "#tests/prove/figure.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startFaults } from "./start-faults.ts";

// Whatever is wrong before a start: `bun run doctor` and the start itself say it within seconds, with what to do.
const TOP = path.join(import.meta.dir, "../../..");
const SAID_WITHIN_MS = 120_000;
const TEST_WITHIN_MS = 300_000;

const deps = await testDeps();
const redisPort = freePort();
await deps.redis.config("SET", "port", String(redisPort));

/** The settings of a start with which all is well. */
function variablesOf(settings: Record<string, string>): Record<string, string> {
  const { env } = deps;
  const address = new URL(env.databaseUrl);
  address.username = APPLICATION_ROLE;
  return {
    ...ownVariables(),
    NODE_ENV: "development",
    DATABASE_URL: address.toString(),
    REDIS_URL: env.redisUrl,
    SECRET_KEY: env.secretKey,
    DATA_DIR: env.dataDir,
    PORT: "0",
    DEMO: "off",
    ...settings,
  };
}

/** Runs a program until it has said this, or has ended. */
async function run(file: string, settings: Record<string, string>, says: RegExp | null) {
  const startedAtMs = performance.now();
  const child = Bun.spawn([process.execPath, file], {
    cwd: TOP,
    env: variablesOf(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) output += part;
  });
  const isSaid = () => says === null || says.test(output);
  await waitFor(`${file} to say ${says}`, () => (says !== null && isSaid()) || child.exitCode !== null, {
    withinMs: SAID_WITHIN_MS,
  }).catch(() => undefined);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  if (says !== null && isSaid() && child.exitCode === null) await Bun.sleep(1_000);
  const code = child.exitCode;
  child.kill("SIGKILL");
  await child.exited;
  await Promise.all(reading);
  return { output, seconds, code };
}

test("where all is well the doctor says so, and the start says nothing", async () => {
  const doctor = await run("src/run/doctor.ts", {}, null);
  expect(doctor.output).toContain("A start would work.");
  const web = await run("src/main.ts", {}, /listening/);
  expect(web.output.match(/ (WARN|ERROR) /gi) ?? []).toEqual([]);
});

test.each([...startFaults(deps, redisPort)])(
  "$name: the doctor and the start say it, with what to do",
  async ({ name, settings, says, start, end }) => {
    const variables = await settings();
    try {
      const doctor = await run("src/run/doctor.ts", variables, null);
      expect(doctor.output.replaceAll(/\n +-> /g, " ")).toMatch(says);
      // Redis may be away, and the start goes on without it.
      if (start !== "goes on") expect(doctor.code).toBe(1);
      const web = await run("src/main.ts", variables, says);
      expect(web.output).toMatch(says);
      expect(web.code).toBe(start === "refused" ? 1 : null);
      for (const { output } of [doctor, web]) expect(output).not.toMatch(/^IMPORTANT/m);
      for (const { output } of [doctor, web]) expect(output).not.toMatch(/Failed query|^\s+at /m);
      figure(
        `${name}: told by the doctor after ${doctor.seconds.toFixed(1)} s, by the start after ${web.seconds.toFixed(1)} s`,
      );
    } finally {
      await end?.();
    }
  },
  TEST_WITHIN_MS,
);
