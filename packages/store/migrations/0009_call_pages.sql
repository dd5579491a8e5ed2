CREATE INDEX "events_of_calls" ON "events" USING btree ("execution_id","call_index") WHERE "events"."call_index" is not null;
CREATE INDEX "events_outside_calls" ON "events" USING btree ("execution_id","seq") WHERE "events"."call_index" is null;
CREATE INDEX "executions_owner" ON "executions" USING btree ("workspace_id","owner_id","id");