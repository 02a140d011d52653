import type { SwitchName } from "#db/lists/switches.ts";
import { labelsOf } from "#src/base/contract.ts";

const labels: Readonly<Record<SwitchName, string>> = {
  registration: "Registration",
  guests: "Guests",
  payments: "Payments",
  chat: "Chat",
  uploads: "Pictures",
};

/** What people call what admins turn off and on. */
export const switchLabel = labelsOf<string>(labels);

/** Why something is closed, as its pages and its refusals say it. `uninvited`: an account without an invitation. */
export type Closed = Partial<Record<SwitchName | "uninvited", string>>;

/** What the audit says of switches. */
export const TURN_OFF_ACTION = "turn_off";
export const TURN_ON_ACTION = "turn_on";
