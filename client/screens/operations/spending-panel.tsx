import { type Api, nullAt } from "#client/base/api/api.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Table } from "#client/ui/table.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { SiteSpending } from "#src/money/spending/schemas.ts";

const DAYS_SHOWN = 7;

/** Deposits and breaks of the last days, and how many players are at a limit; nothing where payments are off. Names nobody. */
export function SpendingPanel({ site }: { site: Deferred<SiteSpending | null> }) {
  return (
    <WhenLoaded data={site} loading={null} quiet>
      {(found) => (found === null ? null : <Sums site={found} />)}
    </WhenLoaded>
  );
}

function Sums({ site }: { site: SiteSpending }) {
  const { days, playersAtLimit, playersOnBreak } = site;
  return (
    <Panel title="Spending" aside={`${playersAtLimit} at a limit, ${playersOnBreak} on a break`}>
      <Table
        caption="Deposits and breaks by day"
        rows={days.slice(0, DAYS_SHOWN)}
        keyOf={({ day }) => day}
        columns={[
          { head: "Day", cell: ({ day }) => day },
          { head: "Deposits", cell: ({ depositsCount }) => depositsCount, end: true, verbatim: true },
          {
            head: "Paid in",
            cell: ({ depositedCents }) => formatMoney(depositedCents),
            end: true,
            verbatim: true,
          },
          { head: "Breaks begun", cell: ({ breaksBegun }) => breaksBegun, end: true, verbatim: true },
        ]}
      />
    </Panel>
  );
}

/** Null where payments are off. */
export function fetchSiteSpending(api: Api): Promise<SiteSpending | null> {
  return api.get("/api/v1/spending/site").then(({ site }) => site, nullAt(404));
}
