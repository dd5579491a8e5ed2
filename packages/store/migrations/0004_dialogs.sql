ALTER TABLE "api_keys" ADD COLUMN "allow_dialog" boolean DEFAULT false NOT NULL;
ALTER TABLE "installation" ADD COLUMN "state_key" text;