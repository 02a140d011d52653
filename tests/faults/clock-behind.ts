import { shiftClock } from "./shift-clock.ts";

shiftClock(-7 * 60_000);
