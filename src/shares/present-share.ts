import type { ShareKind } from "#db/lists/shares.ts";
import type { Env } from "#src/settings/env.ts";
import type { ShareView } from "./schemas.ts";

/** A link's row, with the question of its call or the name of its session. */
export type ShareRow = {
  id: number;
  kind: ShareKind;
  callId: number | null;
  sessionId: number | null;
  userId: number;
  token: string;
  createdAt: Date;
  expiresAt: Date | null;
  expired: boolean;
  question: string | null;
  sessionName: string | null;
};

/** A link as its owner reads it. */
export function presentShare(env: Pick<Env, "publicUrl">, row: ShareRow): ShareView {
  return {
    id: row.id,
    kind: row.kind,
    targetId: row.callId ?? row.sessionId ?? row.userId,
    title: row.question ?? row.sessionName ?? "Records",
    url: `${env.publicUrl}/shared/${row.token}`,
    imageUrl: pictureUrl(env, row.token),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    expired: row.expired,
  };
}

/** The address of a link's picture. */
export function pictureUrl({ publicUrl }: Pick<Env, "publicUrl">, token: string): string {
  return `${publicUrl}/api/v1/shared/${token}/picture.png`;
}
