import { DatabaseRefused } from "#db/upgrade/refusal.ts";
import { BackupRefused } from "#src/backup/refusal.ts";
import { asTyped } from "#src/base/as-typed.ts";
import { explainError } from "#src/base/describe-error.ts";
import { AdminRefused } from "#src/people/users/make-admin.ts";
import { SettingsError } from "#src/settings/settings.ts";
import { StartRefused } from "./claim-data-dir.ts";

/**
 * The file and the options of a command.
 * @param fallback the file if none is given.
 * @throws BackupRefused with the usage if there is no file, or an unknown option.
 */
export function readCommand(
  usage: string,
  known: readonly string[],
  fallback: string | null,
): { file: string; isGiven: boolean; options: ReadonlySet<string> } {
  const given = process.argv.slice(2);
  const [named, ...others] = given.filter((word) => !word.startsWith("--"));
  const options = given.filter((word) => word.startsWith("--"));
  const file = named ?? fallback;
  if (file === null || others.length > 0 || options.some((word) => !known.includes(word))) {
    throw new BackupRefused(`Usage: ${usage}. Without a file BACKUP_TO must be set.`);
  }
  return { file, isGiven: named !== undefined, options: new Set(options) };
}

const EXIT_MS = 5_000;
const CHECK_THEM = "`bun run doctor` checks all settings, and what they lead to, without a start.";

/** Errors that are expected, and whose message is a sentence with the cure. */
const refusals = [AdminRefused, BackupRefused, DatabaseRefused, StartRefused];

/** What a command, or the start, prints when it fails. @param failed what has happened: "The start failed." */
export function describeFailure(error: unknown, failed: string): string {
  if (error instanceof SettingsError)
    return asTyped(`The settings are wrong. Nothing was started.\n${error.message}\n${CHECK_THEM}`);
  const isRefusal = refusals.some((kind) => error instanceof kind);
  return asTyped(isRefusal && error instanceof Error ? error.message : `${failed}\n${explainError(error)}`);
}

/** Runs a command. A refusal is printed as its sentence, any other error as its cause and its cure; then the process exits with 1. */
export async function runCommand(
  command: (output: { say: (line: string) => void }) => Promise<void>,
): Promise<void> {
  try {
    await command({ say: (line) => void process.stdout.write(`${line}\n`) });
  } catch (error) {
    process.stderr.write(`\n${describeFailure(error, "The command failed.")}\n`);
    process.exitCode = 1;
    // A request to a silent bucket cannot be ended. It does not keep the process.
    setTimeout(() => process.exit(), EXIT_MS).unref();
  }
}
