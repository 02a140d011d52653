import { BackupRefused } from "#src/backup/refusal.ts";
import { PASSPHRASE_LENGTH_MIN } from "#src/settings/backup-settings.ts";

const ENTER = ["\r", "\n"];
const BACKSPACE = ["\u007F", "\b"];
const CTRL_C = "\u0003";

/** Asks for a passphrase in the terminal, without showing it. Null if there is no terminal. */
export async function askPassphrase(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  try {
    return await readLine();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write("\n");
  }
}

/** Asks twice for a new passphrase. @throws BackupRefused without a terminal, if it is too short, or if the two differ. */
export async function askNewPassphrase(): Promise<string> {
  const first = await askPassphrase("Passphrase of the backup: ");
  if (first === null) {
    throw new BackupRefused(
      "There is no terminal to ask for the passphrase. Set BACKUP_PASSPHRASE. Nothing was written.",
    );
  }
  if (first.length < PASSPHRASE_LENGTH_MIN) {
    throw new BackupRefused(
      `The passphrase must have at least ${PASSPHRASE_LENGTH_MIN} characters. Nothing was written.`,
    );
  }
  if ((await askPassphrase("Once more: ")) === first) return first;
  throw new BackupRefused("The two passphrases differ. Nothing was written.");
}

async function readLine(): Promise<string> {
  let typed: string[] = [];
  for await (const bytes of process.stdin) {
    for (const letter of String(bytes)) {
      if (ENTER.includes(letter)) return typed.join("");
      if (letter === CTRL_C) throw new BackupRefused("Stopped. Nothing was written.");
      typed = BACKSPACE.includes(letter) ? typed.slice(0, -1) : [...typed, letter];
    }
  }
  return typed.join("");
}
