-- writes_directly(): true for what the application's role writes by a statement of its own; false within a function of db/sql and
-- within a foreign key's action, which run as the owner of the tables, and for a role that could write the journal by hand. Triggers
-- that ask it hold for the application alone: tests, the demo's seeds and dry runs work as the owner.
CREATE FUNCTION writes_directly() RETURNS boolean LANGUAGE sql STABLE
  RETURN NOT has_table_privilege('public.journal', 'UPDATE');
