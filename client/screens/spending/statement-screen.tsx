import { Form, Link, useLoaderData } from "react-router";
import { formatChange, formatMoney } from "#client/base/format/money.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { SPENDING_PATH } from "#client/spending/break-row.tsx";
import { Field } from "#client/ui/field.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Table } from "#client/ui/table.tsx";
import { statementSums } from "#db/lists/spending.ts";
import { sumLabel } from "#src/money/spending/contract.ts";
import type { StatementView } from "#src/money/spending/schemas.ts";

/** What was paid in, won and lost in a period, by default this month. */
export function StatementScreen() {
  const { statement, isNewest } = useLoaderData<StatementData>();
  const { from, to, netCents } = statement;
  return (
    <PageLayout title="Statement" actions={<ButtonLink to={SPENDING_PATH}>Limits and breaks</ButtonLink>}>
      <Form className="row wrap" method="get">
        <Field label="From" name="from" type="date" value={from} />
        <Field label="Until" name="to" type="date" value={to} />
        <Submit>Show</Submit>
      </Form>
      <nav className="row wrap" aria-label="Months">
        <MonthLink label="The month before" from={from} months={-1} />
        {isNewest ? null : <MonthLink label="The month after" from={from} months={1} />}
      </nav>
      <Panel
        title={`${from} until ${to}`}
        aside={
          <a href={`/api/v1/spending/statement.csv?from=${from}&to=${to}`} download>
            Export as CSV
          </a>
        }
      >
        <Table
          caption="Statement"
          rows={statementSums}
          keyOf={(sum) => sum}
          columns={[
            { head: "What", cell: sumLabel },
            { head: "Amount", cell: (sum) => formatMoney(statement[sum]), end: true, verbatim: true },
          ]}
        />
      </Panel>
      <p>
        {"Won and lost together: "}
        <b className="num">{formatChange(netCents)}</b>
      </p>
      <p className="small ink2">
        Days are those of UTC. What open calls hold is in the balance. Other is what was adjusted, owed or
        paid back.
      </p>
    </PageLayout>
  );
}

function MonthLink({ label, from, months }: { label: string; from: string; months: number }) {
  const first = new Date(`${from.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return (
    <Link className="btn sm" to={`?from=${day(first)}&to=${day(last)}`}>
      {label}
    </Link>
  );
}

/** `isNewest`: no month has begun after it. */
type StatementData = { statement: StatementView; isNewest: boolean };

export async function loadStatement({ api, url }: LoaderArgs): Promise<StatementData> {
  const search = url.searchParams;
  const dayIn = (name: string) => {
    const day = search.get(name) ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
  };
  const query = { from: dayIn("from"), to: dayIn("to") };
  const { statement } = await api.get("/api/v1/spending/statement", { query });
  return { statement, isNewest: statement.from.slice(0, 7) >= new Date().toISOString().slice(0, 7) };
}
