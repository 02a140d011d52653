import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { createStore, useStore } from "../base/browser/store.ts";
import { useViewer } from "../base/page/context.ts";

/** How a player looks. A process of the release before sends no name. */
type Look = Pick<ViewerView, "avatar"> & { username?: string | undefined };

const store = createStore<(Look & { version: number }) | null>(null);

/** Takes the viewer's name and avatar: from the cable, where an older version of the avatar is dropped, or from an API answer. */
export function receiveLook({ avatar, username, version }: Look & { version?: number }): void {
  const known = store.get();
  const next = version ?? known?.version ?? 0;
  if (known === null || next >= known.version)
    store.set({ avatar, version: next, username: username ?? known?.username });
}

/** The viewer with the newest known name and avatar; null while signed out. */
export function useNewestViewer(): ViewerView | null {
  const viewer = useViewer();
  const newest = useStore(store);
  if (viewer === null || newest === null) return viewer;
  return { ...viewer, avatar: newest.avatar, username: newest.username ?? viewer.username };
}
