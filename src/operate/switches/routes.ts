import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { changeSwitch, listSwitches } from "./change-switch.ts";
import { switchesEndpoints } from "./endpoints.ts";

export function switchesRoutes(deps: Deps) {
  return serveEndpoints(switchesEndpoints, {
    listSwitches: () => listSwitches(deps),
    changeSwitch: async ({ viewer, params, body }) => {
      await changeSwitch(deps, { ...body.switch, actor: viewer, name: params.name });
      return listSwitches(deps);
    },
  });
}
