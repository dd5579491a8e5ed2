DROP INDEX "executions_runnable";
CREATE INDEX "executions_runnable" ON "executions" USING btree ("owner_id","runnable_at") WHERE "executions"."runnable_at" is not null;