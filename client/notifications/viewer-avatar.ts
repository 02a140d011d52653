import { useSyncExternalStore } from "react";
import type { Avatar } from "#src/people/avatars/schemas.ts";
import { useViewer } from "../base/page/context.ts";

type VersionedAvatar = { avatar: Avatar; version: number };

const listeners = new Set<() => void>();
let current: VersionedAvatar | null = null;

/** Takes the viewer's avatar from the cable. A version older than the known one is dropped. */
export function receiveAvatar(received: VersionedAvatar): void {
  if (current === null || received.version > current.version) setCurrent(received);
}

/** Takes the viewer's avatar from an API answer. */
export function setAvatar(avatar: Avatar): void {
  setCurrent({ avatar, version: current?.version ?? 0 });
}

/** The viewer's newest known avatar; null while signed out. */
export function useViewerAvatar(): Avatar | null {
  const viewer = useViewer();
  const newest = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  return viewer === null ? null : (newest?.avatar ?? viewer.avatar);
}

function setCurrent(next: VersionedAvatar): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
