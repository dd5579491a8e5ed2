ALTER TABLE "executions" ADD COLUMN "lost_leases" integer DEFAULT 0 NOT NULL;
ALTER TABLE "executions" ADD COLUMN "lone_losses" integer DEFAULT 0 NOT NULL;
ALTER TABLE "executions" ADD COLUMN "lost_epoch" integer DEFAULT 0 NOT NULL;
CREATE INDEX "executions_executing" ON "executions" USING btree ("lease_owner") WHERE "executions"."lease_owner" is not null and "executions"."finished_at" is null and "executions"."status" = 'running';
CREATE INDEX "executions_suspects" ON "executions" USING btree ("lost_leases" DESC NULLS FIRST,"runnable_at") WHERE "executions"."lost_leases" > 0 and "executions"."runnable_at" is not null;