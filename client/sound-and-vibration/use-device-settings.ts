import { useLateParts } from "../base/deferred/use-late-parts.ts";

const load = async () => (await import("./device-settings.tsx")).deviceParts;

/** The settings of this device. Their code is fetched when they are opened. @returns null until it has arrived. */
export function useDeviceSettings({ opened }: { opened: boolean }) {
  return useLateParts(opened ? load : null);
}
