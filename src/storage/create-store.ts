import type { Store } from "#src/base/store.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";
import { createDiskStore } from "./disk-store.ts";
import { createS3Store } from "./s3-store.ts";

/** The store that the settings name. It opens nothing before it is asked. */
export function createStore(address: StorageAddress): Store {
  return address.kind === "disk" ? createDiskStore(address.folder) : createS3Store(address);
}
