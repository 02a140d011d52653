/** The texts of the form for announcements. */

// Announcement form
export const tellEverybody = "Tell everybody";
export const announcement = "Announcement";
export const announcementHint = "Everybody reads it among the notifications, guests too.";
export const moreAboutIt = "More about it";
export const announce = "Announce";
