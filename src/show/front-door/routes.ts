import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { frontDoorEndpoints } from "./endpoints.ts";
import { findFrontDoor } from "./find-front-door.ts";

export function frontDoorRoutes(deps: Deps) {
  return serveEndpoints(frontDoorEndpoints, {
    showFrontDoor: async ({ now }) => ({ frontDoor: await findFrontDoor(deps, now) }),
  });
}
