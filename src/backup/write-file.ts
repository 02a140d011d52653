import { open, rename, rm } from "node:fs/promises";
import { BackupRefused } from "./refusal.ts";

/**
 * Writes a stream into a new file that only its owner can read. The file gets its name when all of it is on the disk.
 * @throws BackupRefused if there is a file of this name.
 */
export async function writeFileOf(file: string, stream: AsyncIterable<Uint8Array>): Promise<number> {
  if (await Bun.file(file).exists()) {
    throw new BackupRefused(
      `${file} exists already. Choose another name, or remove it. Nothing was written.`,
    );
  }
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", 0o600);
  let size = 0;
  try {
    for await (const bytes of stream) {
      await handle.writeFile(bytes);
      size += bytes.length;
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return size;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}
