-- Token buckets of rate limits, which all servers share. After a crash of the database they are full again: nothing of them needs the log.
CREATE UNLOGGED TABLE rate_buckets (
	organisation TEXT COLLATE "C" NOT NULL,
	bucket TEXT COLLATE "C" NOT NULL,
	tokens DOUBLE PRECISION NOT NULL,
	is_allowed BOOLEAN NOT NULL,
	at BIGINT NOT NULL,
	PRIMARY KEY (organisation, bucket)
);
CREATE INDEX rate_buckets_by_time ON rate_buckets (at);
