-- Quotas of an organisation, as JSON, and when its removal began.
ALTER TABLE organisations ADD COLUMN quotas TEXT;
ALTER TABLE organisations ADD COLUMN removed_at INTEGER;

-- What an organisation has stored, counted by triggers: documents, and the bytes of their texts and files as they were sent.
CREATE TABLE organisation_usage (
	organisation TEXT NOT NULL PRIMARY KEY,
	documents INTEGER NOT NULL,
	bytes INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO organisation_usage (organisation, documents, bytes)
	SELECT d.organisation, count(*), coalesce(sum(coalesce(json_extract(d.content, '$.byteLength'), 0) + coalesce(octet_length(x.content), 0)), 0)
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id
	GROUP BY d.organisation;

CREATE TRIGGER document_counted AFTER INSERT ON documents BEGIN
	INSERT INTO organisation_usage (organisation, documents, bytes) VALUES (NEW.organisation, 1, coalesce(json_extract(NEW.content, '$.byteLength'), 0))
		ON CONFLICT (organisation) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER document_uncounted AFTER DELETE ON documents BEGIN
	UPDATE organisation_usage SET documents = documents - 1, bytes = bytes - coalesce(json_extract(OLD.content, '$.byteLength'), 0)
		WHERE organisation = OLD.organisation;
END;
CREATE TRIGGER document_recounted AFTER UPDATE OF content ON documents WHEN NEW.content <> OLD.content BEGIN
	UPDATE organisation_usage
		SET bytes = bytes + coalesce(json_extract(NEW.content, '$.byteLength'), 0) - coalesce(json_extract(OLD.content, '$.byteLength'), 0)
		WHERE organisation = NEW.organisation;
END;
CREATE TRIGGER document_text_counted AFTER INSERT ON document_texts WHEN NEW.content IS NOT NULL BEGIN
	UPDATE organisation_usage SET bytes = bytes + octet_length(NEW.content) WHERE organisation = NEW.organisation;
END;
CREATE TRIGGER document_text_uncounted AFTER DELETE ON document_texts WHEN OLD.content IS NOT NULL BEGIN
	UPDATE organisation_usage SET bytes = bytes - octet_length(OLD.content) WHERE organisation = OLD.organisation;
END;
CREATE TRIGGER document_text_recounted AFTER UPDATE OF content ON document_texts WHEN NEW.content IS NOT OLD.content BEGIN
	UPDATE organisation_usage SET bytes = bytes + coalesce(octet_length(NEW.content), 0) - coalesce(octet_length(OLD.content), 0)
		WHERE organisation = NEW.organisation;
END;

-- Organisations take turns in the queue.
CREATE INDEX jobs_in_turn ON jobs (organisation, not_before) WHERE lease IS NULL;
