// Own code, because a library such as negotiator knows no alias and needs its types besides, for the same 20 lines.

export type Encoding = "zstd" | "br" | "gzip";

/** A member of the header: a coding and its weight. What has another form is ignored. */
const MEMBER = /^(\*|[\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * The coding that `Accept-Encoding` prefers among the offered ones (RFC 9110, 12.5.3). Of those with equal weights the first
 * offered one wins.
 * @returns null for no coding, also where the client refuses that too: such a client gets the answer as it is.
 */
export function chooseEncoding(request: Request, offered: readonly Encoding[]): Encoding | null {
  const weights = weightsIn(request.headers.get("accept-encoding") ?? "");
  let chosen: Encoding | null = null;
  // No coding is preferred only where the client says so.
  let chosenWeight = weights.get("identity") ?? 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight === 0 || weight < chosenWeight || (chosen !== null && weight === chosenWeight)) continue;
    chosen = encoding;
    chosenWeight = weight;
  }
  return chosen;
}

function weightsIn(header: string): Map<string, number> {
  const members = header.split(",").flatMap((member) => {
    const [, name = "", weight = "1"] = MEMBER.exec(member.trim()) ?? [];
    const coding = name.toLowerCase();
    return coding === "" ? [] : [[coding === "x-gzip" ? "gzip" : coding, Number(weight)] as const];
  });
  return new Map(members);
}
