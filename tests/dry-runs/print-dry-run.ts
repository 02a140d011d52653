import * as v from "valibot";
import { createLog } from "#src/base/log.ts";
import { plan, startDryRunBody } from "#src/dry-runs/schemas.ts";
import { runDryRun } from "#src/dry-runs/simulate/run-dry-run.ts";
import { readEnv } from "#src/settings/env.ts";

// A process of its own for a test: plays the dry run on its standard input with the settings of its environment, and prints the report.
const input = v.parse(
  v.object({ database: v.string(), plan, options: startDryRunBody }),
  await new Response(Bun.stdin.stream()).json(),
);
const env = readEnv();
const log = createLog(env, "print");
process.stdout.write(await runDryRun({ env, log }, { ...input, pulse: () => Promise.resolve() }));
process.exit(0);
