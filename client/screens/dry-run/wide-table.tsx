import { Table, type TableProps } from "#client/ui/table.tsx";

/** A table that scrolls by itself where the screen is narrow; with the arrow keys too. */
export function WideTable<Row>({ label, ...table }: TableProps<Row> & { label: string }) {
  return (
    <div className="strip-window" tabIndex={0} role="group" aria-label={label}>
      <Table {...table} />
    </div>
  );
}
