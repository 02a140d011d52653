import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { remindersEndpoints } from "./endpoints.ts";
import { downloadCalendar, findReminder, removeReminder, setReminder } from "./reminder.ts";

export function remindersRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(remindersEndpoints, {
    showReminder: async ({ params: { id: slugOrId }, viewer }) => ({
      reminder: await findReminder(db, { slugOrId, viewer }),
    }),
    setReminder: async ({ params: { id: slugOrId }, viewer }) => {
      await setReminder(db, { slugOrId, viewer });
      return { reminder: await findReminder(db, { slugOrId, viewer }) };
    },
    removeReminder: ({ params: { id: slugOrId }, viewer }) => removeReminder(db, { slugOrId, viewer }),
    downloadCalendar: ({ params, viewer }) => downloadCalendar(deps, params.id, viewer),
  });
}
