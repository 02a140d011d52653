-- The two roles of db/README.md and the database. psql runs this as a superuser: the image of Postgres once, deploy/setup.sh also to give
-- the roles other passwords. They come from the environment, and no log gets them.
\getenv owner_password POSTGRES_PASSWORD
\getenv application_password APPLICATION_PASSWORD
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
-- CREATEDB is for dry runs, which play in databases of their own.
SELECT format('CREATE ROLE %I LOGIN %s', name, rights)
  FROM (VALUES ('called_it_owner', ''), ('called_it', 'CREATEDB')) AS roles (name, rights)
  WHERE to_regrole(name) IS NULL
\gexec
ALTER ROLE called_it_owner PASSWORD :'owner_password';
ALTER ROLE called_it PASSWORD :'application_password';
-- Text sorts the same on every system.
SELECT $$CREATE DATABASE called_it OWNER called_it_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'$$
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'called_it')
\gexec
-- What the program sets with its connections, for those of a PgBouncer too, which refuses that.
ALTER ROLE called_it SET statement_timeout = '30s';
ALTER ROLE called_it SET idle_in_transaction_session_timeout = '4s';
ALTER ROLE called_it SET client_connection_check_interval = '2s';
-- A superuser comes in by the socket of its own machine or container alone, such as: docker compose exec postgres psql -U postgres
ALTER ROLE CURRENT_USER PASSWORD NULL;
