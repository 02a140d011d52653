import { existsSync, realpathSync } from "node:fs";
import path from "node:path";

const COMMAND = path.join(import.meta.dir, "../../deploy/called-it");

/**
 * A text with its commands as they are typed on this machine: `bun run migrate` is `called-it migrate` where deploy/setup.sh has linked that to
 * this program. There the settings are in no shell.
 */
export function asTyped(text: string, link = "/usr/local/bin/called-it"): string {
  const isLinked = existsSync(link) && realpathSync(link) === COMMAND;
  return isLinked ? text.replaceAll("bun run ", "called-it ") : text;
}
