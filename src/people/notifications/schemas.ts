import * as v from "valibot";
import { notificationKinds } from "#db/lists/notifications.ts";
import { listMeta, moment, rowId, textBlock, textLine } from "#src/http/schemas.ts";
import { ANNOUNCEMENT_BODY_MAX, ANNOUNCEMENT_TITLE_MAX, NOTIFICATIONS_MAX } from "./contract.ts";

export const notificationSchema = v.object({
  id: rowId,
  kind: v.picklist(notificationKinds),
  title: v.string(),
  body: v.string(),
  /** A path in this app to open; null for none. */
  url: v.nullable(v.string()),
  readAt: v.nullable(moment),
  createdAt: moment,
});
export type NotificationView = v.InferOutput<typeof notificationSchema>;

/** Newest first, at most 50. */
export const notificationsAnswer = v.object({
  notifications: v.array(notificationSchema),
  meta: v.object({ ...listMeta.entries, unreadCount: v.number() }),
});
export type NotificationsAnswer = v.InferOutput<typeof notificationsAnswer>;

/** `?limit=10` */
export const notificationsQuery = v.object({
  limit: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(NOTIFICATIONS_MAX)),
    String(NOTIFICATIONS_MAX),
  ),
});

/** Body of PUT .../notifications/read under `notifications`: the id of the newest one seen, so that a later one stays unread. */
export const markReadBody = v.strictObject({ upToId: rowId });

export const announcementBody = v.strictObject({
  title: textLine(ANNOUNCEMENT_TITLE_MAX),
  body: v.optional(textBlock(ANNOUNCEMENT_BODY_MAX), ""),
});
export const announcementAnswer = v.object({
  announcement: v.object({ title: v.string(), body: v.string(), recipientsCount: v.number() }),
});
export type AnnouncementAnswer = v.InferOutput<typeof announcementAnswer>;
