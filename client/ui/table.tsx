import type { ReactNode } from "react";

/** A column of a table: its heading, and what a row shows in it. */
export type Column<Row> = {
  /** Unlike those of the other columns. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are at the end of their column, so that their digits stand below each other. */
  end?: boolean;
  /** The column's cells name their rows for screen readers. */
  namesRow?: boolean;
  /** The class of the heading and of the cells, for a column that is not shown everywhere. */
  className?: string;
  cellClass?: string;
  /** The cells are not words of a language, such as amounts. */
  verbatim?: boolean;
};

export type TableProps<Row> = {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** What the table is, for screen readers. Left out below a heading that says it. */
  caption?: string;
  className?: string;
  rowClass?: (row: Row) => string | undefined;
  children?: ReactNode;
  foot?: ReactNode;
};

/** A table of records: a row for each of them. */
export function Table<Row>({ columns, rows, keyOf, caption, className = "table", ...rest }: TableProps<Row>) {
  const { rowClass, children, foot } = rest;
  return (
    <table className={className}>
      {caption === undefined ? null : <caption className="vh">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ head, end, className: shown }) => (
            <th key={head} scope="col" className={classOf(end && "end", shown)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowClass?.(row)}>
            {columns.map((column) => (
              <Cell key={column.head} column={column} row={row} />
            ))}
          </tr>
        ))}
        {children}
      </tbody>
      {foot === undefined || foot === null ? null : <tfoot>{foot}</tfoot>}
    </table>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { cell, end, namesRow = false, className, cellClass, verbatim = false } = column;
  const attributes = {
    className: classOf(end && "end", cellClass, className),
    translate: verbatim ? ("no" as const) : undefined,
  };
  if (namesRow) {
    return (
      <th scope="row" {...attributes}>
        {cell(row)}
      </th>
    );
  }
  return <td {...attributes}>{cell(row)}</td>;
}

function classOf(...names: readonly (string | false | undefined)[]): string | undefined {
  const given = names.filter(Boolean);
  return given.length === 0 ? undefined : given.join(" ");
}
