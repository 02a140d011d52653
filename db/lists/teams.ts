/** How many teams a session has, if it has teams. Players refer to them by number, from 1. */
export const teamNumbers = { min: 1, max: 12 };
export const TEAMS_MIN = 2;
export const TEAM_NAME_LENGTH_MAX = 20;
