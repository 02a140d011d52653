-- The two roles of db/README.md and the database. The image of Postgres runs this once, with psql, as its superuser.
\getenv owner_password POSTGRES_PASSWORD
\getenv application_password APPLICATION_PASSWORD
CREATE ROLE called_it_owner LOGIN PASSWORD :'owner_password';
-- CREATEDB is for dry runs, which play in databases of their own.
CREATE ROLE called_it LOGIN CREATEDB PASSWORD :'application_password';
CREATE DATABASE called_it OWNER called_it_owner;
-- What the program sets with its connections, for those of a PgBouncer too, which refuses that.
ALTER ROLE called_it SET statement_timeout = '30s';
ALTER ROLE called_it SET idle_in_transaction_session_timeout = '4s';
ALTER ROLE called_it SET client_connection_check_interval = '2s';
-- Its superuser comes in by the socket of its own container alone, such as: docker compose exec postgres psql -U postgres
ALTER ROLE CURRENT_USER PASSWORD NULL;
