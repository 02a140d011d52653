import { useSyncExternalStore } from "react";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { useViewer } from "../base/page/context.ts";

/** How a player looks. A process of the release before sends no name. */
type Look = Pick<ViewerView, "avatar"> & { username?: string | undefined };

const listeners = new Set<() => void>();
let current: (Look & { version: number }) | null = null;

/** Takes the viewer's name and avatar: from the cable, where an older version of the avatar is dropped, or from an API answer. */
export function receiveLook({
  avatar,
  username,
  version = current?.version ?? 0,
}: Look & { version?: number }): void {
  if (current !== null && version < current.version) return;
  current = { avatar, version, username: username ?? current?.username };
  for (const listener of listeners) listener();
}

/** The viewer with the newest known name and avatar; null while signed out. */
export function useNewestViewer(): ViewerView | null {
  const viewer = useViewer();
  const newest = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  if (viewer === null || newest === null) return viewer;
  return { ...viewer, avatar: newest.avatar, username: newest.username ?? viewer.username };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
