-- What happens to documents and memories is noted by the database itself, in the transaction that makes it happen, so no
-- writer can forget it and no end of the process can come between.
CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, 'document.queued', NEW.updated_at, NEW.id, NEW.container_tags, json_object('customId', NEW.custom_id, 'revision', NEW.revision));
END;
CREATE TRIGGER document_revised AFTER UPDATE OF revision ON documents WHEN NEW.revision <> OLD.revision BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, 'document.queued', NEW.updated_at, NEW.id, NEW.container_tags, json_object('customId', NEW.custom_id, 'revision', NEW.revision));
END;
CREATE TRIGGER document_ended AFTER UPDATE OF status ON documents WHEN NEW.status <> OLD.status AND NEW.status IN ('done', 'failed') BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, 'document.' || NEW.status, NEW.updated_at, NEW.id, NEW.container_tags,
		json_patch(json_object('customId', NEW.custom_id, 'revision', NEW.revision),
			iif(NEW.status = 'failed', json_object('code', NEW.failure ->> 'code', 'stage', NEW.failure ->> 'stage'), '{}')));
END;
CREATE TRIGGER document_dreamed AFTER UPDATE OF dreaming_status ON documents WHEN NEW.dreaming_status <> OLD.dreaming_status AND NEW.dreaming_status = 'done' BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, 'document.dreamed', NEW.updated_at, NEW.id, NEW.container_tags, json_object('customId', NEW.custom_id, 'revision', NEW.revision));
END;
CREATE TRIGGER document_removed AFTER DELETE ON documents BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (OLD.organisation, 'document.deleted', OLD.updated_at, OLD.id, OLD.container_tags,
		json_object('customId', OLD.custom_id, 'revision', OLD.revision));
END;
CREATE TRIGGER memory_added AFTER INSERT ON memories BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, iif(NEW.version > 1, 'memory.updated', 'memory.created'), NEW.updated_at, NEW.id, json_array(NEW.container_tag),
		json_object('version', NEW.version, 'parent', NEW.parent));
END;
CREATE TRIGGER memory_forgotten AFTER UPDATE OF is_forgotten ON memories WHEN NEW.is_forgotten <> OLD.is_forgotten BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, iif(NEW.is_forgotten, 'memory.forgotten', 'memory.restored'), NEW.updated_at, NEW.id, json_array(NEW.container_tag),
		json_object('version', NEW.version, 'parent', NEW.parent));
END;
CREATE TRIGGER memory_removed AFTER DELETE ON memories BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (OLD.organisation, 'memory.deleted', OLD.updated_at, OLD.id, json_array(OLD.container_tag),
		json_object('version', OLD.version, 'parent', OLD.parent));
END;
