/** A backup cannot be made, or a file cannot be restored. The message says why and what to do. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

export function damaged(file: string): BackupRefused {
  return new BackupRefused(
    `${file} is cut off or was changed after it was written, so it is not restored. Take another copy of it. Nothing was written.`,
  );
}
