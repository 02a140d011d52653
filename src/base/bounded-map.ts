/** A map of at most `max` entries. A key that is set becomes the newest one; the oldest makes way. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#max) return this;
    const [oldest] = this.keys();
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/** What a process remembers for each owner, such as a database: one such map, which goes with its owner. */
export function boundedMaps<Key, Value>(max: number): (owner: object) => BoundedMap<Key, Value> {
  const maps = new WeakMap<object, BoundedMap<Key, Value>>();
  return (owner) => {
    const map = maps.get(owner) ?? new BoundedMap<Key, Value>(max);
    maps.set(owner, map);
    return map;
  };
}
