import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { changeSwitch, listSwitches } from "./change-switch.ts";
import { changeSwitchBody, switchesAnswer } from "./schemas.ts";

/** What admins turn off and on for the whole site, at once and without a restart. */
export const switchesEndpoints = {
  listSwitches: endpoint({
    route: "GET /api/v1/switches",
    summary: "Lists what can be turned off for the whole site, and whether it is on",
    notes: "What a setting closes is off, whatever its switch says: `setting` names it.",
    who: "admin",
    token: "none",
    answer: switchesAnswer,
    handle: (deps) => listSwitches(deps),
  }),
  changeSwitch: endpoint({
    route: "PUT /api/v1/switches/:name",
    summary: "Turns something off, or on again, for the whole site",
    notes:
      "`:name` is one of `registration`, `guests`, `payments`, `chat` and `uploads`. It counts from the answer on, in all processes. What is there already stays. The audit of the site has it with the reason.",
    who: "admin",
    params: { name: "text" },
    body: { switch: changeSwitchBody },
    answer: switchesAnswer,
    refusals: { by_setting: { status: 409, when: "A setting closes it. The error names it." } },
    handle: async (deps, { viewer, params, body }) => {
      await changeSwitch(deps, { ...body.switch, actor: viewer, name: params.name });
      return listSwitches(deps);
    },
  }),
};
