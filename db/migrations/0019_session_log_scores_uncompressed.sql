-- The scores of a part are about 30 KB. Compressing them took a tenth of the time of the part.
ALTER TABLE "session_log" ALTER COLUMN "scores" SET STORAGE EXTERNAL;
