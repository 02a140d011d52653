import type { WalletView } from "#src/wallet/schemas.ts";
import { formatChange, formatShare, formatShareChange } from "../ui/money.ts";
import { KeyValue } from "./key-value.tsx";

const CENTS_PER_DOLLAR = 100;

/** How the player has done so far. */
export function Record({ metrics }: { metrics: WalletView["metrics"] }) {
  return (
    <aside className="panel pad record">
      <h2>Record</h2>
      <dl>
        <KeyValue label="Won">{metrics.won}</KeyValue>
        <KeyValue label="Lost">{metrics.lost}</KeyValue>
        <KeyValue label="Win rate">{formatShare(metrics.winRate)}</KeyValue>
        <KeyValue label="Net">{formatChange(Math.round(metrics.net * CENTS_PER_DOLLAR))}</KeyValue>
        <KeyValue label="Return on calls">{formatShareChange(metrics.roi)}</KeyValue>
        <KeyValue label="Best streak">{metrics.bestStreak}</KeyValue>
      </dl>
    </aside>
  );
}
