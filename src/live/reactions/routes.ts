import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { reactionsEndpoints } from "./endpoints.ts";
import { react } from "./react.ts";
import { ReactionCounter } from "./reaction-counter.ts";

export function reactionsRoutes(deps: Deps) {
  const counter = new ReactionCounter(deps);
  return serveEndpoints(reactionsEndpoints, {
    createReaction: ({ viewer, params, body }) =>
      react({ ...deps, counter }, { viewer, sessionId: params.id, kind: body.reaction.kind }),
  });
}
