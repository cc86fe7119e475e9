-- Whether a memory is in a container is read from this index alone: of one in another container no row is read, so that it takes as long as of none.
CREATE UNIQUE INDEX memories_at_home ON memories (organisation, container_tag, id);
