import { data } from "react-router";

/**
 * A row id in a page's path. Throws 404 for other text. Example: /users/me is no user's page, although the API has
 * /api/v1/users/me.
 */
export function rowIdIn(part: string | undefined): string {
  if (part === undefined || !/^[1-9]\d{0,14}$/.test(part)) throw data(null, { status: 404 });
  return part;
}
