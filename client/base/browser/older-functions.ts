// Functions that the page uses and that the oldest supported browsers lack, in a few lines each. It is the first import of the entry, so
// that all others can use them.

function add(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

type Order<Item> = (one: Item, other: Item) => number;

add(Array.prototype, "toReversed", function toReversed<Item>(this: Item[]) {
  return [...this].reverse();
});
add(Array.prototype, "toSorted", function toSorted<Item>(this: Item[], order?: Order<Item>) {
  return [...this].sort(order);
});
add(Promise, "withResolvers", <Value>() => {
  let settle: { resolve: (value: Value) => void; reject: (reason: unknown) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
});

add(AbortSignal, "any", (signals: readonly AbortSignal[]) => {
  const any = new AbortController();
  for (const signal of signals) {
    const follow = () => any.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener("abort", follow, { once: true, signal: any.signal });
  }
  return any.signal;
});

add(URL, "parse", (url: string, base?: string) => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
});
