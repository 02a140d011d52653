import type { LoaderFunctionArgs } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { SharedAnswer } from "#src/shares/schemas.ts";
import type { FrontDoor } from "#src/show/front-door/schemas.ts";

export type SharedData = SharedAnswer & {
  /** The path of the picture on this host. */
  picturePath: string;
  /** What a signed-out visitor sees of the game; null for everybody else, and where the shared session is live. */
  door: FrontDoor | null;
};

/** What a link shows. Unknown, expired and revoked ones are not found. */
export async function loadShared({ context, params, request }: LoaderFunctionArgs): Promise<SharedData> {
  const api = context.get(apiContext);
  const { signal } = request;
  const path = `/api/v1/shared/${encodeURIComponent(params["token"] ?? "")}` as const;
  const { shared } = await api.get(path, { signal });
  const isStranger = context.get(pageContext).viewer === null && shared.livePath === null;
  const door = isStranger ? (await api.get("/api/v1/front_door", { signal })).frontDoor : null;
  return { shared, picturePath: `${path}/picture.png`, door };
}
