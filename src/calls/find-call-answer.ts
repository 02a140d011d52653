import type { DatabasePool } from "#db/client.ts";
import { gathering } from "#src/gathering.ts";
import { findWalletViews } from "#src/wallet/find-wallet-view.ts";
import type { CallAnswer } from "./contract.ts";
import { findCallViews } from "./find-call-views.ts";

/** Calls are placed in batches, and so their answers are wanted in batches. */
const ANSWERED_AT_ONCE_MAX = 256;

type Asked = { callId: number; viewer: { id: number } };

/**
 * Finds calls that are there, each with its owner's wallet beside it, as both stand now. Those that are asked for while the
 * database is at others are found together: three queries for all of them.
 */
export const findCallAnswer = gathering(
  ANSWERED_AT_ONCE_MAX,
  async ({ db }: DatabasePool, asked: readonly Asked[]): Promise<CallAnswer[]> => {
    const callIds = asked.map(({ callId }) => callId);
    const userIds = [...new Set(asked.map(({ viewer }) => viewer.id))];
    const [calls, wallets] = await Promise.all([
      findCallViews(db, { callIds }, new Date()),
      findWalletViews(db, userIds),
    ]);
    const callById = new Map(calls.map((call) => [call.id, call]));
    return asked.map(({ callId, viewer }) => {
      const [call, wallet] = [callById.get(callId), wallets.get(viewer.id)];
      if (call === undefined || wallet === undefined) throw new Error("a call that was just placed is there");
      return { call, wallet };
    });
  },
);
