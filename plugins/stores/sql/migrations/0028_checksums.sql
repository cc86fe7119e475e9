-- A checksum of every value that no other index holds. SQLite keeps them with every write, and compares them with the rows in
-- `PRAGMA integrity_check`: a bit that has changed in a value is found as one in the structure of a page is. `checksum` is a function of
-- the connection (`checksum.ts`). Where a table is large the index begins with what ascends, so that new entries come to its end.
CREATE INDEX organisations_checksums ON organisations (checksum(name, slug, created_at, quotas, removed_at));
CREATE INDEX api_keys_checksums ON api_keys (checksum(name, created_at, role, reach, endpoints, rate_limit, is_enabled, expires_at));
CREATE INDEX containers_checksums ON containers
	(checksum(name, description, entity_context, memory_filesystem_paths, profile_buckets, created_at, updated_at, emoji));
CREATE INDEX records_checksums ON records (checksum(value, version));

CREATE INDEX documents_checksums ON documents (created_at, checksum(content, container_tags, metadata, dreaming, revision, published_revision,
	published_edition, type, title, summary, language, remarks, failure, neighbour_filter, about));
CREATE INDEX document_texts_checksums ON document_texts (document, checksum(content, found));
CREATE INDEX document_tags_checksums ON document_tags (document, checksum(custom_id));
CREATE INDEX removed_documents_checksums ON removed_documents (document, checksum(row, memories));
CREATE INDEX chunks_checksums ON chunks (key, checksum(revision, text, indexed_text, place));
CREATE INDEX chunk_vectors_checksums ON chunk_vectors (key, checksum(vector));

CREATE INDEX memories_checksums ON memories
	(key, checksum(text, is_static, is_inference, confidence, subject, event_time, version, is_latest, is_forgotten, forget_reason, metadata, extractor,
	updated_at, said_at, indexed_text));
CREATE INDEX memory_vectors_checksums ON memory_vectors (key, checksum(vector));
CREATE INDEX memory_absences_checksums ON memory_absences (checksum(ends));

CREATE INDEX memory_evidence_checksums ON memory_evidence (memory, checksum(chunk, span_begin, span_end, words));
CREATE INDEX document_metadata_checksums ON document_metadata (document, checksum(text, number));
CREATE INDEX memory_metadata_checksums ON memory_metadata (memory, checksum(text, number));
