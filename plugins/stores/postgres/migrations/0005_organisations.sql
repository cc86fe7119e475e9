-- Quotas of an organisation, as JSON, and when its removal began.
ALTER TABLE organisations ADD COLUMN quotas TEXT COLLATE "C", ADD COLUMN removed_at BIGINT;

-- What an organisation has stored, counted by triggers: documents, and the bytes of their texts and files as they were sent.
CREATE TABLE organisation_usage (
	organisation TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	documents BIGINT NOT NULL,
	bytes BIGINT NOT NULL
) WITH (fillfactor = 50);
INSERT INTO organisation_usage (organisation, documents, bytes)
	SELECT d.organisation, count(*), sum(coalesce((d.content::json ->> 'byteLength')::BIGINT, 0) + coalesce(octet_length(x.content), 0))
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id
	GROUP BY d.organisation;

CREATE FUNCTION count_stored(owner TEXT, more_documents BIGINT, more_bytes BIGINT) RETURNS VOID LANGUAGE sql AS $$
	INSERT INTO organisation_usage AS u (organisation, documents, bytes) VALUES (owner, more_documents, more_bytes)
	ON CONFLICT (organisation) DO UPDATE SET documents = u.documents + excluded.documents, bytes = u.bytes + excluded.bytes
$$;
CREATE FUNCTION count_document() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'DELETE' THEN
		PERFORM count_stored(NEW.organisation, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE 0 END, coalesce((NEW.content::json ->> 'byteLength')::BIGINT, 0));
	END IF;
	IF TG_OP <> 'INSERT' THEN
		PERFORM count_stored(OLD.organisation, CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 0 END, -coalesce((OLD.content::json ->> 'byteLength')::BIGINT, 0));
	END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER document_counted AFTER INSERT OR DELETE ON documents FOR EACH ROW EXECUTE FUNCTION count_document();
CREATE TRIGGER document_recounted AFTER UPDATE OF content ON documents FOR EACH ROW WHEN (NEW.content <> OLD.content) EXECUTE FUNCTION count_document();
CREATE FUNCTION count_document_text() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'DELETE' AND NEW.content IS NOT NULL THEN PERFORM count_stored(NEW.organisation, 0, octet_length(NEW.content)); END IF;
	IF TG_OP <> 'INSERT' AND OLD.content IS NOT NULL THEN PERFORM count_stored(OLD.organisation, 0, -octet_length(OLD.content)); END IF;
	RETURN NULL;
END $$;
CREATE TRIGGER document_text_counted AFTER INSERT OR DELETE ON document_texts FOR EACH ROW EXECUTE FUNCTION count_document_text();
CREATE TRIGGER document_text_recounted AFTER UPDATE OF content ON document_texts FOR EACH ROW
WHEN (NEW.content IS DISTINCT FROM OLD.content) EXECUTE FUNCTION count_document_text();

-- Organisations take turns in the queue.
CREATE INDEX jobs_in_turn ON jobs (organisation, not_before, rowid) WHERE lease IS NULL;
