ALTER TABLE "troubles" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "troubles_told" ON "troubles" USING btree ("part") WHERE told_at IS NOT NULL;