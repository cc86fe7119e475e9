-- Documents that scopes may see otherwise than before: published anew, moved to other containers, with other metadata or
-- another path, gone or back. Who remembers what a scope holds looks at these again, and at no others.
CREATE TABLE scope_changes (
	sequence INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	document TEXT NOT NULL
);
-- For each organisation in the order in which it was written down.
CREATE UNIQUE INDEX scope_changes_in_order ON scope_changes (organisation, sequence);
CREATE TRIGGER document_scope_changed AFTER UPDATE OF published_edition, container_tags, metadata, filepath ON documents
WHEN NEW.published_edition IS NOT NULL AND (NEW.published_edition IS NOT OLD.published_edition OR NEW.container_tags <> OLD.container_tags
	OR NEW.metadata <> OLD.metadata OR NEW.filepath IS NOT OLD.filepath) BEGIN
	INSERT INTO scope_changes (organisation, document) VALUES (NEW.organisation, NEW.id);
END;
CREATE TRIGGER document_scope_back AFTER INSERT ON documents WHEN NEW.published_edition IS NOT NULL BEGIN
	INSERT INTO scope_changes (organisation, document) VALUES (NEW.organisation, NEW.id);
END;
CREATE TRIGGER document_scope_gone AFTER DELETE ON documents WHEN OLD.published_edition IS NOT NULL BEGIN
	INSERT INTO scope_changes (organisation, document) VALUES (OLD.organisation, OLD.id);
END;
