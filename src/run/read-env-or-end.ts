import { type Env, readEnv } from "#src/settings/env.ts";
import { SettingsError } from "#src/settings/settings.ts";
import { describeFailure } from "./command-line.ts";

/** The settings of this process. Where they are wrong it ends, and says in a few lines which and how to correct them. */
export function readEnvOrEnd(): Env {
  try {
    return readEnv();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`\n${describeFailure(error, "The start failed.")}\n`);
    process.exit(1);
  }
}
