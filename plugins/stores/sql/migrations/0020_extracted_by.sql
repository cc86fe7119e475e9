-- Which memory extractors a document's memories are of, so that those of others can be extracted anew.
ALTER TABLE documents ADD COLUMN extracted_by TEXT;
CREATE INDEX documents_extracted ON documents (organisation, extracted_by) WHERE task_type = 'memory' AND status = 'done' AND dreaming_status = 'done';
