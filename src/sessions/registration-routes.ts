import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAccount, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { registerPlayerBody } from "./contract.ts";
import { registerPlayer } from "./register-player.ts";
import { showRegistration } from "./show-registration.ts";

/**
 * Joining a session, once: 201, and 200 when asked again. Guests join by their first call and are led to finish their
 * account here; like everybody, they may read their own registration.
 */
export function registrationRoutes(deps: Deps) {
  return new Elysia({ name: "registrations" })
    .use(visiting(deps))
    .post("/api/v1/sessions/:id/registrations", async ({ params, body, visit, set }) => {
      const order = { slugOrId: params.id, viewer: requireAccount(visit) };
      const wanted = readBody(body ?? { registration: {} }, "registration", registerPlayerBody);
      const { registration, created } = await registerPlayer(deps, { ...order, ...wanted });
      set.status = created ? 201 : 200;
      return { registration };
    })
    .get("/api/v1/sessions/:id/registrations/:registrationId", ({ params, visit }) => {
      const order = { slugOrId: params.id, viewer: requireViewer(visit) };
      return showRegistration(deps.pool.db, { ...order, registrationId: readId(params.registrationId) });
    });
}
