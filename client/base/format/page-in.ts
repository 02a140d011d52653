/** A list's page number from the address; 1 where it is missing or invalid. */
export function pageIn(search: URLSearchParams): number {
  const page = search.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}
