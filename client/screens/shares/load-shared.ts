import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { SharedAnswer } from "#src/shares/schemas.ts";

export type SharedData = SharedAnswer & {
  /** The path of the picture on this host. */
  picturePath: string;
};

/** What a link shows. Unknown, expired and revoked ones are not found. */
export async function loadShared({ context, params, request }: LoaderFunctionArgs): Promise<SharedData> {
  const path = `/api/v1/shared/${encodeURIComponent(params["token"] ?? "")}` as const;
  const { shared } = await context.get(apiContext).get(path, { signal: request.signal });
  return { shared, picturePath: `${path}/picture.png` };
}
