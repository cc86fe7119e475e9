-- Documents that were removed and can be brought back. Their texts, their published chunks and the vectors and words of
-- their memories stay where they are: without a row in `documents` or `memories` nobody sees them.
CREATE TABLE removed_documents (
	organisation TEXT NOT NULL,
	removal TEXT NOT NULL,
	document TEXT NOT NULL,
	row TEXT NOT NULL,
	blob TEXT,
	memories TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	PRIMARY KEY (organisation, removal, document)
);
CREATE INDEX removed_documents_by_expiry ON removed_documents (expires_at);
CREATE INDEX removed_documents_by_blob ON removed_documents (organisation, blob) WHERE blob IS NOT NULL;
