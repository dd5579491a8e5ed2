ALTER TABLE "sources" ADD COLUMN "origins" text DEFAULT '[]' NOT NULL;
ALTER TABLE "sources" ADD COLUMN "given" text DEFAULT '{}' NOT NULL;