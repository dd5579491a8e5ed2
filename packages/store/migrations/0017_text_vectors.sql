CREATE TABLE "text_vectors" (
	"model" text NOT NULL,
	"hash" text NOT NULL,
	"vector" "bytea" NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "text_vectors_model_hash_pk" PRIMARY KEY("model","hash")
);

CREATE INDEX "text_vectors_used" ON "text_vectors" USING btree ("used_at");