import type { Store } from "#src/base/store.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";
import { createDiskBackend } from "./disk-backend.ts";
import { guardStore } from "./guard-store.ts";
import { createS3Backend } from "./s3-backend.ts";

/** Creates the store that the settings name. It opens no file and no connection before its first use. */
export function createStore(address: StorageAddress): Store {
  return guardStore(address.kind === "disk" ? createDiskBackend(address.folder) : createS3Backend(address));
}
