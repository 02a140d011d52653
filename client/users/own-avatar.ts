import { useSyncExternalStore } from "react";
import type { Avatar } from "#src/sign-ins/schemas.ts";
import { useViewer } from "../context.ts";

type Heard = { avatar: Avatar; version: number };

const listeners = new Set<() => void>();
let heard: Heard | null = null;

/** The cable says which pictures stand for the viewer now. What is older than what is known is dropped. */
export function hearAvatar(told: Heard): void {
  if (heard !== null && heard.version >= told.version) return;
  heard = told;
  for (const listener of listeners) listener();
}

/** An answer says which pictures stand for the viewer now. */
export function takeAvatar(avatar: Avatar): void {
  heard = { avatar, version: heard?.version ?? 0 };
  for (const listener of listeners) listener();
}

/** The viewer's pictures, as new as they are known; null while signed out. */
export function useOwnAvatar(): Avatar | null {
  const viewer = useViewer();
  const newest = useSyncExternalStore(
    subscribe,
    () => heard,
    () => null,
  );
  return viewer === null ? null : (newest?.avatar ?? viewer.avatar);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
