import type { Store } from "#src/base/store.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";
import { createDiskStore } from "./disk-store.ts";
import { createS3Store } from "./s3-store.ts";

/** Creates the store that the settings name. It opens no file and no connection before its first use. */
export function createStore(address: StorageAddress): Store {
  return address.kind === "disk" ? createDiskStore(address.folder) : createS3Store(address);
}
