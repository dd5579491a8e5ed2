CREATE TABLE "source_chunks" (
	"content_id" text NOT NULL,
	"part" text NOT NULL,
	"number" integer NOT NULL,
	"source_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "source_chunks_content_id_part_number_pk" PRIMARY KEY("content_id","part","number")
);

CREATE TABLE "sources" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"namespace" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"settings" text NOT NULL,
	"auth" text NOT NULL,
	"auth_id" text NOT NULL,
	"approval" text NOT NULL,
	"edits" text NOT NULL,
	"unseen" text NOT NULL,
	"title" text,
	"base_url" text,
	"security" text NOT NULL,
	"warnings" text NOT NULL,
	"tool_count" integer NOT NULL,
	"suggestion_count" integer NOT NULL,
	"document" text,
	"content_id" text NOT NULL,
	"revision" bigint NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"loaded_at" timestamp (3) with time zone NOT NULL
);

ALTER TABLE "source_chunks" ADD CONSTRAINT "source_chunks_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sources" ADD CONSTRAINT "sources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "source_chunks_source" ON "source_chunks" USING btree ("source_id");
CREATE UNIQUE INDEX "sources_namespace" ON "sources" USING btree ("workspace_id","namespace");