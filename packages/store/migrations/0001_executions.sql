CREATE TABLE "policies" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"scope" text NOT NULL,
	"pattern" text NOT NULL,
	"conditions" text NOT NULL,
	"decision" text NOT NULL,
	"note" text,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "presence" (
	"workspace_id" text NOT NULL,
	"actor_id" text NOT NULL,
	"mode" text NOT NULL,
	"pin_hash" text,
	"failures" integer NOT NULL,
	"locked_until" timestamp (3) with time zone,
	CONSTRAINT "presence_workspace_id_actor_id_pk" PRIMARY KEY("workspace_id","actor_id")
);

CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"concurrency" integer NOT NULL,
	"running" integer NOT NULL,
	"draining" boolean NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "artifact_chunks" (
	"artifact_id" text NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "artifact_chunks_artifact_id_number_pk" PRIMARY KEY("artifact_id","number")
);

CREATE TABLE "artifacts" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"execution_id" text NOT NULL,
	"media_type" text NOT NULL,
	"name" text,
	"bytes" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "events" (
	"execution_id" text NOT NULL,
	"seq" integer NOT NULL,
	"workspace_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	"call_index" integer,
	"data" text NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "events_execution_id_seq_pk" PRIMARY KEY("execution_id","seq")
);

CREATE TABLE "executions" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"actor_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"principal_kind" text NOT NULL,
	"client_id" text,
	"runtime_id" text NOT NULL,
	"code" text NOT NULL,
	"code_excerpt" text NOT NULL,
	"program" text,
	"build" text NOT NULL,
	"seed" text NOT NULL,
	"epoch" double precision NOT NULL,
	"limits" text NOT NULL,
	"metadata" text,
	"idempotency_key" text,
	"request_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"result" text,
	"error" text,
	"omitted" text,
	"usage" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"wake_at" timestamp (3) with time zone,
	"last_seq" integer NOT NULL,
	"lease_owner" text,
	"lease_epoch" integer NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"last_batch" integer NOT NULL,
	"runnable_at" timestamp with time zone GENERATED ALWAYS AS (case when finished_at is not null then null when lease_owner is null and status = 'waiting' then wake_at else lease_until end) STORED
);

CREATE TABLE "interactions" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"execution_id" text NOT NULL,
	"call_index" integer NOT NULL,
	"ordinal" integer NOT NULL,
	"kind" text NOT NULL,
	"tool_path" text NOT NULL,
	"effect" text NOT NULL,
	"input" text NOT NULL,
	"request" text,
	"prompt" text NOT NULL,
	"binding" text NOT NULL,
	"remember" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolution" text
);

ALTER TABLE "workspaces" ADD COLUMN "settings" jsonb DEFAULT '{}'::jsonb NOT NULL;
ALTER TABLE "policies" ADD CONSTRAINT "policies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "presence" ADD CONSTRAINT "presence_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "presence" ADD CONSTRAINT "presence_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "artifact_chunks" ADD CONSTRAINT "artifact_chunks_artifact_id_artifacts_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifacts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "executions" ADD CONSTRAINT "executions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "interactions" ADD CONSTRAINT "interactions_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "policies_workspace" ON "policies" USING btree ("workspace_id","id");
CREATE INDEX "artifacts_execution" ON "artifacts" USING btree ("execution_id");
CREATE INDEX "events_feed" ON "events" USING btree ("workspace_id","tx","execution_id","seq") WHERE "events"."type" like 'execution.%' or "events"."type" like 'interaction.%';
CREATE UNIQUE INDEX "executions_idempotency" ON "executions" USING btree ("workspace_id","owner_id","idempotency_key") WHERE "executions"."idempotency_key" is not null;
CREATE INDEX "executions_workspace" ON "executions" USING btree ("workspace_id","id");
CREATE INDEX "executions_unfinished" ON "executions" USING btree ("workspace_id","status","id") WHERE "executions"."finished_at" is null;
CREATE INDEX "executions_finished" ON "executions" USING btree ("workspace_id","finished_at") WHERE "executions"."finished_at" is not null;
CREATE INDEX "executions_runnable" ON "executions" USING btree ("runnable_at") WHERE "executions"."runnable_at" is not null;
CREATE INDEX "interactions_workspace" ON "interactions" USING btree ("workspace_id","id");
CREATE INDEX "interactions_pending" ON "interactions" USING btree ("workspace_id","id") WHERE "interactions"."status" = 'pending';
CREATE INDEX "interactions_execution" ON "interactions" USING btree ("execution_id","id");
ALTER TABLE "artifact_chunks" ALTER COLUMN "content" SET STORAGE EXTERNAL;
