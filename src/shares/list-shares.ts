import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import type { Env } from "#src/settings/env.ts";
import { shareSchema, type ShareView, type SharesAnswer } from "./schemas.ts";
import { type OwnShare, ownUnrevoked } from "./update-share.ts";

type ShareDeps = Pick<Deps, "env" | "pool">;

/** A page of a player's links that are not revoked, newest first. */
export async function listShares(
  { env, pool }: ShareDeps,
  { viewer, page }: { viewer: { id: number }; page: Page },
  now: Date,
): Promise<SharesAnswer> {
  const own = and(eq(shares.userId, viewer.id), isNull(shares.revokedAt));
  const rows = await selectShares(pool.db)
    .where(own)
    .orderBy(desc(shares.id))
    .limit(page.perPage)
    .offset(page.offset);
  const total = await totalOf(page, rows.length, () => pool.db.$count(shares, own));
  return { shares: rows.map((row) => presentShare(env, row)), meta: listMeta(page, total, now) };
}

export async function findShareView({ env, pool }: ShareDeps, share: OwnShare): Promise<ShareView> {
  const [row] = await selectShares(pool.db).where(ownUnrevoked(share));
  if (row === undefined) throw notFound();
  return presentShare(env, row);
}

function selectShares(db: Queryable) {
  return db
    .select({
      ...getTableColumns(shares),
      expired: sql`coalesce(${shares.expiresAt} <= clock_timestamp(), false)`.mapWith(Boolean),
      question: sql<string | null>`${earlierTextsOf.eventTitle}`,
      sessionName: sessions.name,
    })
    .from(shares)
    .leftJoin(calls, eq(calls.id, shares.callId))
    .leftJoin(events, eq(events.id, calls.eventId))
    .leftJoin(earlierTextsOfCall, sql`TRUE`)
    .leftJoin(sessions, eq(sessions.id, shares.sessionId));
}

type ShareRow = Awaited<ReturnType<typeof selectShares>>[number];

function presentShare(env: Pick<Env, "publicUrl">, row: ShareRow): ShareView {
  return present(shareSchema, {
    ...row,
    targetId: row.callId ?? row.sessionId ?? row.userId,
    title: row.question ?? row.sessionName ?? "Records",
    url: `${env.publicUrl}/shared/${row.token}`,
    imageUrl: pictureUrl(env, row.token),
  });
}

export function pictureUrl({ publicUrl }: Pick<Env, "publicUrl">, token: string): string {
  return `${publicUrl}/api/v1/shared/${token}/picture.png`;
}
