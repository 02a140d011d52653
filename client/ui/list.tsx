import type { ReactNode } from "react";

type ListProps<Item> = {
  items: readonly Item[];
  row: (item: Item) => ReactNode;
  className?: string;
  empty?: ReactNode;
};

export function List<Item>({ items, row, className = "list", empty }: ListProps<Item>) {
  if (items.length === 0 && empty !== undefined) return empty;
  return <ul className={className}>{items.map((item) => row(item))}</ul>;
}
