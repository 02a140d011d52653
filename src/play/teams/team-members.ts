import { sql } from "drizzle-orm";

/**
 * In SQL: the players of all sessions with their teams. `here` is false for a player whom a host has removed: what the player has won
 * and lost stays with the team.
 */
export const teamMembers = sql`(SELECT session_id, user_id, team, TRUE AS here FROM registrations
  UNION ALL SELECT session_id, user_id, team, FALSE FROM removed_players)`;
