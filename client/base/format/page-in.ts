/** A list's page number from the address; 1 where it is missing or invalid. @param param its name there. */
export function pageIn(search: URLSearchParams, param = "page"): number {
  const page = search.get(param) ?? "";
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}
