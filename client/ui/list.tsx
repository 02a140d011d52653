import type { ReactNode } from "react";

type ListProps<Item> = {
  items: readonly Item[];
  /** The row of an item, with its key. */
  row: (item: Item) => ReactNode;
  className?: string;
  /** What is shown instead where there are none. */
  empty?: ReactNode;
};

export function List<Item>({ items, row, className = "list", empty }: ListProps<Item>) {
  if (items.length === 0 && empty !== undefined) return empty;
  return <ul className={className}>{items.map((item) => row(item))}</ul>;
}
