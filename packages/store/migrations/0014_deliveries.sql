CREATE TABLE "deliveries" (
	"execution_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lost_at" timestamp with time zone,
	"joined_by" text,
	"shown" text NOT NULL,
	CONSTRAINT "deliveries_execution_id_owner_id_pk" PRIMARY KEY("execution_id","owner_id")
);

ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "deliveries_code" ON "deliveries" USING btree ("owner_id","code_hash");