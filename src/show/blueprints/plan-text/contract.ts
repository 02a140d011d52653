/** The most letters of a text with a plan. 200 actions with all their texts have half of it. */
export const PLAN_TEXT_MAX = 400_000;
/** The most letters of one of its lines: 200 questions whose line breaks were lost have less. JSON may be one line. */
export const PLAN_LINE_LENGTH_MAX = 20_000;
/** The most actions in it, together with the lines that are none. */
export const PLAN_LINES_MAX = 1_000;
