import { Decrypter, Encrypter } from "age-encryption";
import { WORK_FACTOR } from "#src/settings/backup-settings.ts";
import { BackupRefused } from "./refusal.ts";

const MAGIC = "age-encryption.org/v1\n";

export async function isEncrypted(bytes: {
  start: (length: number) => Promise<Uint8Array>;
}): Promise<boolean> {
  return new TextDecoder().decode(await bytes.start(MAGIC.length)) === MAGIC;
}

/**
 * Encrypts a stream with a passphrase in the age format (scrypt, ChaCha20-Poly1305), which the program `age` reads too.
 * @param workFactor how much a guess of the passphrase costs, as a power of two; at 18, the default, about a second.
 */
export function encrypt(
  stream: ReadableStream<Uint8Array>,
  { passphrase, workFactor = WORK_FACTOR }: { passphrase: string; workFactor?: number | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(stream);
}

/**
 * Decrypts a stream. It fails in the middle if a part was changed, and at its end if the end is missing.
 * @throws BackupRefused if the passphrase is wrong.
 */
export async function decrypt(
  stream: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(stream);
  } catch (error) {
    throw new BackupRefused("The passphrase does not open this backup. Nothing was written.", {
      cause: error,
    });
  }
}
