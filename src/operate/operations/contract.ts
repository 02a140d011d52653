/** How many failed jobs are listed; the queue dashboard has the others. */
export const FAILED_JOBS_SHOWN = 25;
/** How many late timers, starts of processes and mails that could not be sent are listed. */
export const ROWS_SHOWN = 10;
/** A timer that is later than this is late: the sweep performs what no job has performed a second after its time. */
export const LATE_AFTER_MS = 2_000;

/** The processes that serve the product. Several web processes are "web-1", "web-2" and so on. */
export const START_ACTION = "start_process";
