import { isRouteErrorResponse, type StaticHandlerContext } from "react-router";

/** What the browser's router goes on from, in the form it reads. Of an unknown error nothing is said but that it was one. */
export function loadedData({ loaderData, actionData, errors }: StaticHandlerContext): unknown {
  return { loaderData, actionData, errors: errors === null ? null : tellErrors(errors) };
}

function tellErrors(errors: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([routeId, error]) => [
      routeId,
      isRouteErrorResponse(error)
        ? { ...error, __type: "RouteErrorResponse" }
        : { message: "Something went wrong on our side.", __type: "Error" },
    ]),
  );
}
