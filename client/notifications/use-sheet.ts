import { type ToggleEvent, useState } from "react";
import { ApiError } from "../api.ts";
import { useApi, useViewer } from "../context.ts";
import { Unreachable } from "../reach.ts";
import { showToast } from "../ui/toast.tsx";
import {
  forgetNotifications,
  type Known,
  takeNotifications,
  useNotifications,
} from "./known-notifications.ts";

export type Sheet = Known & {
  onToggle: (event: ToggleEvent<HTMLDivElement>) => void;
  /** True for those that were new when the sheet was opened; they stay marked until it closes. */
  isFresh: (id: number) => boolean;
  clear: () => Promise<void>;
};

/** What the sheet shows and does: opening it marks what it shows as read. */
export function useSheet(): Sheet {
  const api = useApi();
  const known = useNotifications();
  const path = `/api/v1/users/${useViewer()?.id ?? 0}/notifications` as const;
  const [freshIds, setFreshIds] = useState<ReadonlySet<number>>(new Set());
  const [lastId] = known.notifications.map(({ id }) => id);
  const open = async () => {
    setFreshIds(new Set(known.notifications.filter(({ readAt }) => readAt === null).map(({ id }) => id)));
    takeNotifications(
      known.unreadCount === 0 || lastId === undefined
        ? await api.get(path)
        : await api.put(`${path}/read`, { notifications: { upToId: lastId } }),
    );
  };
  const clear = async () => {
    await api.delete(path);
    forgetNotifications(known);
  };
  return {
    ...known,
    onToggle: ({ newState }) => {
      if (newState === "open") void quietly(open);
      else setFreshIds(new Set());
    },
    isFresh: (id) => freshIds.has(id),
    clear: () => sayingWhatFailed(clear),
  };
}

/** What came with the page is shown in any case; opening again asks again. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Unreachable)) throw error;
  }
}

async function sayingWhatFailed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Unreachable)) throw error;
    showToast({ icon: "warning", text: "Nothing was cleared. Try again in a moment.", urgent: true });
  }
}
