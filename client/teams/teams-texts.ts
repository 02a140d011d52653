import { say } from "#src/http/contract.ts";
import { countOf } from "../base/format/count.ts";

/** What the screens say about teams. */

export const members = (count: number) => countOf(count, "player");
export const option = (name: string, count: number) => say`${name}, ${members(count)}`;
