import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { findFrontDoor } from "./find-front-door.ts";
import { frontDoorAnswer } from "./schemas.ts";

export const frontDoorEndpoints = {
  showFrontDoor: endpoint({
    route: "GET /api/v1/front_door",
    summary: "Shows the question that is live, what is open for days, and the session that starts next",
    notes: "For the page that signed-out visitors see first.",
    who: "public",
    answer: frontDoorAnswer,
    handle: async (deps, { now }) => ({ frontDoor: await findFrontDoor(deps, now) }),
  }),
};
