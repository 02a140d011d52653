import { readBackupAddress, tryPlace } from "#src/backup/places.ts";
import { type Check, well } from "#src/operate/checks/check.ts";
import { readBackupSettings } from "#src/settings/env.ts";

/** Below the time that a check has: then the cause can be said. */
const SILENT_MS = 4_000;

/** Whether backups can go where the settings send them. The doctor alone tries it: processes have no such setting. */
export const placeCheck: Check<unknown> = {
  part: "Backups",
  at: ["doctor"],
  severity: "degraded",
  how: "a small file is written, read, listed and removed in BACKUP_TO",
  silent: "failed",
  cure: "Correct BACKUP_TO, or let its key do s3:PutObject, s3:GetObject, s3:ListBucket and s3:DeleteObject there (deploy/backup.md).",
  find: async () => {
    const { to, keys } = readBackupSettings();
    return well(to === null ? "not set" : await tryPlace(readBackupAddress(to, keys, SILENT_MS)));
  },
};
