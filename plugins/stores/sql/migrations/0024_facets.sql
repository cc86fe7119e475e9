-- Documents are counted by all their properties along this index, in its order, instead of being read and sorted.
CREATE INDEX documents_by_facets ON documents (organisation, container_tags, type, status, task_type, dreaming_status,
	CASE WHEN json_type(metadata, '$.source') = 'text' THEN json_extract(metadata, '$.source') END);
