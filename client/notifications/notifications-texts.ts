/** The texts of the list of notifications. */

// Bell
export const notifications = "Notifications";
export const unreadNotifications = (unreadCount: number) => `Notifications, ${unreadCount} new`;

// Notifications sheet
export const emptyHint = "Nothing new. Results, refunds and corrections appear here.";
export const closeNotifications = "Close notifications";
export const newWord = "(new)";
export const markAsRead = "Mark as read";
export const clearAll = "Clear all";

// Use sheet
export const clearFailed = "Nothing was cleared. Try again in a moment.";
