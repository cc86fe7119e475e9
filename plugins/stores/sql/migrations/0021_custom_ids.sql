-- A customId names one document of a container. The row of a tag says it as well, so that a name is found by its container, however many containers have it.
DROP INDEX documents_by_custom_id;
CREATE INDEX documents_by_custom_id ON documents (organisation, custom_id, id) WHERE custom_id IS NOT NULL;
ALTER TABLE document_tags ADD COLUMN custom_id TEXT;
UPDATE document_tags SET custom_id = (SELECT d.custom_id FROM documents d WHERE d.organisation = document_tags.organisation AND d.id = document_tags.document);
CREATE UNIQUE INDEX document_tags_by_custom_id ON document_tags (organisation, custom_id, tag) WHERE custom_id IS NOT NULL;
