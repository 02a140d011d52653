import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { slugOrId } from "#src/play/session-endpoints.ts";
import { downloadCalendar, findReminder, removeReminder, setReminder } from "./reminder.ts";
import { reminderAnswer } from "./schemas.ts";

const path = "/api/v1/sessions/:id/reminder";
const planned = "For a session that is planned for a time and has not started; others are not found.";

/** Being reminded of a planned session: by a calendar file, by a message to the user's browsers, or by mail. */
export const remindersEndpoints = {
  showReminder: endpoint({
    route: `GET ${path}`,
    summary: "Shows when a planned session starts, and whether and how the viewer is reminded of it",
    notes: planned,
    who: "anyone",
    params: slugOrId,
    answer: reminderAnswer,
    handle: async (deps, { params: { id: slugOrId }, viewer }) => ({
      reminder: await findReminder(deps.pool.db, { slugOrId, viewer }),
    }),
  }),
  setReminder: endpoint({
    route: `PUT ${path}`,
    summary: "Reminds the viewer of a planned session, 10 minutes before it starts",
    notes: `${planned} The reminder follows the session when its time changes, and goes out at once if it starts early. It goes to the viewer's browsers that show messages, or else to the confirmed address.`,
    who: "viewer",
    rate: rates.subscribe,
    params: slugOrId,
    answer: reminderAnswer,
    refusals: {
      unreachable: "The viewer has neither a browser that shows messages nor a confirmed address.",
    },
    handle: async (deps, { params: { id: slugOrId }, viewer }) => {
      await setReminder(deps.pool.db, { slugOrId, viewer });
      return { reminder: await findReminder(deps.pool.db, { slugOrId, viewer }) };
    },
  }),
  removeReminder: endpoint({
    route: `DELETE ${path}`,
    summary: "Takes the viewer's reminder of a session back",
    who: "viewer",
    params: slugOrId,
    handle: (deps, { params: { id: slugOrId }, viewer }) =>
      removeReminder(deps.pool.db, { slugOrId, viewer }),
  }),
  downloadCalendar: endpoint({
    route: "GET /api/v1/sessions/:id/calendar.ics",
    summary: "Downloads a planned session as a calendar file with an alarm 10 minutes before (RFC 5545)",
    notes: `${planned} The file of a session whose time has changed replaces the one before in a calendar.`,
    who: "anyone",
    params: slugOrId,
    answer: "file",
    handle: (deps, { params, viewer }) => downloadCalendar(deps, params.id, viewer),
  }),
};
