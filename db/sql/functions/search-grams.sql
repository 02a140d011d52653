-- search_grams(texts): all pieces of one to three characters in these texts, in lower case. A text that contains another one
-- has all its pieces, so an index of the pieces finds it without reading all rows. Core Postgres only: a managed Postgres may not
-- allow the extension pg_trgm.
-- Example: search_grams('Anna') has a, an, ann, n, na, nn, nna.
-- The index users_search calls it, so it is created before the tables and replaced in place. A change of what it returns needs
-- a migration that builds the index again.
CREATE OR REPLACE FUNCTION search_grams(VARIADIC p_texts text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT substr(lower(t), at, size))
  FROM unnest(p_texts) AS t CROSS JOIN generate_series(1, 3) AS size
    CROSS JOIN LATERAL generate_series(1, length(t) - size + 1) AS at $$;
