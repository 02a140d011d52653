export const LEADERS_DEFAULT = 10;
export const LEADERS_MAX = 100;
export const EXCLUSION_REASON_MAX = 200;
