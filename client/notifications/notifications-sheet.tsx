import { type SubmitEvent, type ToggleEvent, useState } from "react";
import { Link, useLocation } from "react-router";
import * as words from "#client/base/format/words.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";
import { ApiError } from "../base/api/api.ts";
import { Unreachable } from "../base/api/request-with-retry.ts";
import { useApi, useViewer } from "../base/page/context.ts";
import { useInstall } from "../install/start-install.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Moment } from "../ui/time.tsx";
import { showToast } from "../ui/toast.tsx";
import { useClosingSheet } from "../ui/use-closing-sheet.ts";
import { NOTIFICATIONS_ID } from "./bell.tsx";
import {
  mergeNotifications,
  type NotificationsState,
  removeNotifications,
  useNotifications,
} from "./notifications-store.ts";
import { notificationIcon } from "./show-notification.ts";

/** The list of notifications: a full sheet on a phone, a card below the bell on a desktop. Opens without JavaScript. */
export function NotificationsSheet() {
  const sheet = useSheet();
  const { notifications } = sheet;
  const install = useInstall({ opened: sheet.opened });
  return (
    <div
      className="sheet notifications"
      id={NOTIFICATIONS_ID}
      popover="auto"
      role="dialog"
      aria-label={words.notifications}
      ref={useClosingSheet()}
      onToggle={sheet.onToggle}
    >
      <div className="head">
        <h2>{words.notifications}</h2>
        {notifications.length === 0 ? null : <ClearForm sheet={sheet} />}
        <CloseButton />
      </div>
      {notifications.length === 0 ? (
        <p className="ink2 nothing">Nothing new. Results, refunds and corrections appear here.</p>
      ) : (
        <ul>
          {notifications.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} fresh={isNew(sheet, notification)} />
            </li>
          ))}
        </ul>
      )}
      {install === null ? null : <install.PushPanel />}
    </div>
  );
}

function CloseButton() {
  return (
    <button
      className="btn bare sq only-mobile"
      type="button"
      popoverTarget={NOTIFICATIONS_ID}
      aria-label="Close notifications"
    >
      <Icon name="cross" />
    </button>
  );
}

function isNew({ isFresh }: Sheet, { id, readAt }: NotificationView): boolean {
  return readAt === null || isFresh(id);
}

function NotificationRow({ notification, fresh }: { notification: NotificationView; fresh: boolean }) {
  const { kind, title, body, url, createdAt } = notification;
  const content = (
    <>
      <Icon name={notificationIcon(kind)} />
      <span className="words">
        <b>
          {title}
          {fresh ? <span className="vh"> (new)</span> : null}
        </b>
        {body === "" ? null : <span className="small ink2">{body}</span>}
        <span className="small muted">
          <Moment at={createdAt} />
        </span>
      </span>
    </>
  );
  const className = fresh ? "notification fresh" : "notification";
  if (url === null) return <div className={className}>{content}</div>;
  return (
    <Link className={className} to={url}>
      {content}
    </Link>
  );
}

/** Without JavaScript the form is posted, and a second button marks as read. */
function ClearForm({ sheet: { notifications, unreadCount, clear } }: { sheet: Sheet }) {
  const { pathname, search } = useLocation();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void clear();
  };
  return (
    <form className="row" method="post" action="/notifications" onSubmit={submit}>
      <CsrfField />
      <input type="hidden" name="return_to" value={pathname + search} />
      <input type="hidden" name="up_to_id" value={notifications[0]?.id} />
      {unreadCount === 0 ? null : (
        <button className="btn sm no-javascript" type="submit" name="intent" value="read">
          Mark as read
        </button>
      )}
      <button className="btn sm" type="submit" name="intent" value="clear">
        Clear all
      </button>
    </form>
  );
}

type Sheet = NotificationsState & {
  opened: boolean;
  onToggle: (event: ToggleEvent<HTMLDivElement>) => void;
  /** True for those that were unread when the sheet was opened. They stay marked until it closes. */
  isFresh: (id: number) => boolean;
  clear: () => Promise<void>;
};

/** The state and actions of the sheet. Opening it marks its notifications as read. */
function useSheet(): Sheet {
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
      if (newState === "open") void tryTo(open);
      else setFreshIds(new Set());
    },
    isFresh: (id) => freshIds.has(id),
    clear: () => tryTo(clear, sayFailure),
  };
}

/** After an API error the sheet shows what it has. Opening it again repeats the request. */
async function tryTo(work: () => Promise<void>, fail: () => void = () => undefined): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Unreachable)) throw error;
    fail();
  }
}

function sayFailure(): void {
  showToast({ icon: "warning", text: "Nothing was cleared. Try again in a moment.", urgent: true });
}
