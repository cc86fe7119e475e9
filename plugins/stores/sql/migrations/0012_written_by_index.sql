-- The documents of one key are found without a look at those of all others.
CREATE INDEX documents_by_writer ON documents (organisation, written_by, id) WHERE written_by IS NOT NULL;
