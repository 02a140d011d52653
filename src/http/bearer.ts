const bearer = /^bearer(?: +(.*))?$/i;

/** The token in `Authorization: Bearer ...`; null without one. Other schemes, such as those of proxies, mean nothing here. */
export function readBearer({ headers }: Request): string | null {
  const found = bearer.exec(headers.get("authorization")?.trim() ?? "");
  return found === null ? null : (found[1]?.trim() ?? "");
}
