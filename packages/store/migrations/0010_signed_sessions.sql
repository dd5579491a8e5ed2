-- Sessions whose page holds a token end: people sign in again.
DELETE FROM "sessions";
ALTER TABLE "sessions" ADD COLUMN "process_id" text NOT NULL;
ALTER TABLE "sessions" ADD COLUMN "public_key" jsonb;
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone;
ALTER TABLE "sessions" DROP COLUMN "token_hash";