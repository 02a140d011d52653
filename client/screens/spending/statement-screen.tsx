import { Form, Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { formatChange, formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { apiContext } from "#client/base/page/context.ts";
import { SPENDING_PATH } from "#client/spending/spending-summary.tsx";
import { Labelled } from "#client/ui/labelled.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Table } from "#client/ui/table.tsx";
import type { StatementView } from "#src/money/spending/schemas.ts";

const rows: readonly [label: string, of: (statement: StatementView) => string][] = [
  ["Balance before", ({ openingCents }) => formatMoney(openingCents)],
  ["Paid in", ({ depositedCents }) => formatChange(depositedCents)],
  ["Refunded or disputed", ({ takenBackCents }) => formatChange(takenBackCents)],
  ["Play money", ({ playMoneyCents }) => formatChange(playMoneyCents)],
  [words.won, ({ wonCents }) => formatChange(wonCents)],
  [words.lost, ({ lostCents }) => formatChange(lostCents)],
  ["Other", ({ otherCents }) => formatChange(otherCents)],
  ["Balance after", ({ closingCents }) => formatMoney(closingCents)],
];

/** What was paid in, won and lost in a period, by default this month. */
export function StatementScreen() {
  const { statement } = useLoaderData<{ statement: StatementView }>();
  const { from, to, netCents } = statement;
  return (
    <PageLayout
      title="Statement"
      actions={
        <Link className="btn" to={SPENDING_PATH}>
          Limits and breaks
        </Link>
      }
    >
      <Form className="row wrap" method="get">
        <Day label="From" name="from" value={from} />
        <Day label="Until" name="to" value={to} />
        <Submit>Show</Submit>
      </Form>
      <nav className="row wrap" aria-label="Months">
        <MonthLink label="The month before" from={from} months={-1} />
        <MonthLink label="The month after" from={from} months={1} />
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
          rows={rows}
          keyOf={([label]) => label}
          columns={[
            { head: "What", cell: ([label]) => label },
            { head: "Amount", cell: ([, of]) => of(statement), end: true, verbatim: true },
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

function Day({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <Labelled label={label} id={name} hint={undefined} errors={undefined}>
      <input className="input" id={name} name={name} type="date" defaultValue={value} required />
    </Labelled>
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

/** The sums of the period in the address. */
export async function loadStatement({
  context,
  request,
}: LoaderFunctionArgs): Promise<{ statement: StatementView }> {
  const search = new URL(request.url).searchParams;
  const dayIn = (name: string) => {
    const day = search.get(name) ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
  };
  const query = { from: dayIn("from"), to: dayIn("to") };
  return context.get(apiContext).get("/api/v1/spending/statement", { query, signal: request.signal });
}
