/** How long before the planned start of a session its reminders go out. */
export const REMIND_BEFORE_MINUTES = 10;

/** How long before its close players are reminded of a question that is open for days. */
export const REMIND_UNCALLED_BEFORE_HOURS = 24;

/** The ways by which a reminder reaches a user while no page is open. */
export const reminderWays = ["push", "mail"] as const;
