type Name = "localStorage" | "sessionStorage";

/** What this device, or this tab, has stored; null for nothing, and where storage is switched off. */
export function readStored(key: string, storage: Name = "localStorage"): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. @returns false where storage is switched off or full. */
export function store(key: string, value: string | null, storage: Name = "localStorage"): boolean {
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
