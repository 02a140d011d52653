import { data } from "react-router";

/** The forms of the Action screen. */
export function actOnAction() {
  return data(null, { status: 422 });
}
