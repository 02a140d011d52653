import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");

/** What a command has printed, and its exit code. */
export type Ran = { code: number; output: string };

/**
 * Runs a command of the product, such as `bun run backup`, without a terminal. Settings of the person who runs the tests have no effect.
 * @param words its file in src/run, without the ending, and its arguments.
 * @param variables its settings.
 */
export async function runCommand(
  [name, ...words]: string[],
  variables: Record<string, string>,
): Promise<Ran> {
  const empty = {
    DATABASE_URL: "",
    REDIS_URL: "",
    SECRET_KEY: "",
    BACKUP_PASSPHRASE: "",
    // A guess of the passphrase takes a second on purpose; here it takes some milliseconds.
    BACKUP_WORK_FACTOR: "10",
  };
  const { code, out, errors } = await runProgram([`src/run/${name}.ts`, ...words], {
    ...empty,
    ...variables,
  });
  return { code, output: `${out}${errors}` };
}

/** Runs a program of the product until it ends. @param variables its settings. */
export async function runProgram(words: string[], variables: Record<string, string>) {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: TOP,
    env: { ...ownVariables(), NODE_ENV: "development", ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, errors };
}
