CREATE TABLE "stored_usage" (
	"workspace_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"kind" text NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"questions" integer DEFAULT 0 NOT NULL,
	"audit_day" date,
	"audit_rows" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stored_usage_workspace_id_owner_id_pk" PRIMARY KEY("workspace_id","owner_id")
);

ALTER TABLE "executions" ADD COLUMN "stored_bytes" bigint DEFAULT 0 NOT NULL;
ALTER TABLE "executions" ADD COLUMN "charged_bytes" bigint DEFAULT 0 NOT NULL;
ALTER TABLE "executions" ADD COLUMN "has_payload" boolean DEFAULT false NOT NULL;
ALTER TABLE "executions" ADD COLUMN "removed" text;
CREATE INDEX "executions_payload" ON "executions" USING btree ("workspace_id","owner_id","finished_at") WHERE "executions"."has_payload" and "executions"."finished_at" is not null;
-- What older versions stored.
UPDATE "executions" SET "stored_bytes" = 300 + octet_length("code") + coalesce(octet_length("program"), 0) + coalesce(octet_length("result"), 0)
  + coalesce((SELECT sum(octet_length("data") + 100) FROM "events" WHERE "events"."execution_id" = "executions"."id"), 0)
  + coalesce((SELECT sum(octet_length("input") + octet_length("prompt") + coalesce(octet_length("request"), 0) + 300) FROM "interactions" WHERE "interactions"."execution_id" = "executions"."id"), 0);
UPDATE "executions" SET "charged_bytes" = "stored_bytes",
  "has_payload" = "finished_at" is not null and ("stored_bytes" > 16384 or exists (SELECT FROM "artifacts" WHERE "artifacts"."execution_id" = "executions"."id"));
INSERT INTO "stored_usage" ("workspace_id", "owner_id", "kind", "bytes", "runs", "questions")
  SELECT "workspace_id", "owner_id", min("principal_kind"),
    sum("charged_bytes" + coalesce((SELECT sum("bytes") FROM "artifacts" WHERE "artifacts"."execution_id" = "executions"."id"), 0)), count(*),
    sum((SELECT count(*) FROM "interactions" WHERE "interactions"."execution_id" = "executions"."id" AND "interactions"."status" = 'pending'))
  FROM "executions" GROUP BY "workspace_id", "owner_id";

-- A question counts until it is no longer pending, whatever settles it.
CREATE FUNCTION "count_settled_question"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "stored_usage" SET "questions" = greatest(0, "questions" - 1) FROM "executions"
  WHERE "executions"."id" = new."execution_id"
    AND "stored_usage"."workspace_id" = "executions"."workspace_id" AND "stored_usage"."owner_id" = "executions"."owner_id";
  RETURN NULL;
END $$;
CREATE TRIGGER "interactions_settled" AFTER UPDATE OF "status" ON "interactions" FOR EACH ROW
  WHEN (old."status" = 'pending' AND new."status" <> 'pending') EXECUTE FUNCTION "count_settled_question"();
