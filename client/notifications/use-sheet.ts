import { type ToggleEvent, useState } from "react";
import { ApiError } from "../base/api/api.ts";
import { Unreachable } from "../base/api/request-with-retry.ts";
import { useApi, useViewer } from "../base/page/context.ts";
import { showToast } from "../ui/toast.tsx";
import {
  removeNotifications,
  type NotificationsState,
  mergeNotifications,
  useNotifications,
} from "./notifications-store.ts";
import * as texts from "./notifications-texts.ts";

export type Sheet = NotificationsState & {
  /** The viewer has opened it on this page. */
  opened: boolean;
  onToggle: (event: ToggleEvent<HTMLDivElement>) => void;
  /** True for those that were unread when the sheet was opened. They stay marked until it closes. */
  isFresh: (id: number) => boolean;
  clear: () => Promise<void>;
};

/** The state and actions of the sheet. Opening it marks its notifications as read. */
export function useSheet(): Sheet {
  const api = useApi();
  const state = useNotifications();
  const path = `/api/v1/users/${useViewer()?.id ?? 0}/notifications` as const;
  const [opened, setOpened] = useState(false);
  const [freshIds, setFreshIds] = useState<ReadonlySet<number>>(new Set());
  const [lastId] = state.notifications.map(({ id }) => id);
  const open = async () => {
    setFreshIds(new Set(state.notifications.filter(({ readAt }) => readAt === null).map(({ id }) => id)));
    mergeNotifications(
      state.unreadCount === 0 || lastId === undefined
        ? await api.get(path)
        : await api.put(`${path}/read`, { notifications: { upToId: lastId } }),
    );
  };
  const clear = async () => {
    await api.delete(path);
    removeNotifications(state);
  };
  return {
    ...state,
    opened,
    onToggle: ({ newState }) => {
      setOpened(true);
      if (newState === "open") void ignoreApiErrors(open);
      else setFreshIds(new Set());
    },
    isFresh: (id) => freshIds.has(id),
    clear: () => showFailure(clear),
  };
}

/** After an API error the sheet shows what it has. Opening it again repeats the request. */
async function ignoreApiErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Unreachable)) throw error;
  }
}

async function showFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Unreachable)) throw error;
    showToast({ icon: "warning", text: texts.clearFailed, urgent: true });
  }
}
