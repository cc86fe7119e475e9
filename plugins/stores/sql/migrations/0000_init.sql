-- Accounts.
CREATE TABLE organisations (
	id TEXT NOT NULL PRIMARY KEY,
	name TEXT NOT NULL,
	slug TEXT NOT NULL,
	created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE api_keys (
	organisation TEXT NOT NULL,
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	hash TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (organisation, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

-- Documents.
CREATE TABLE documents (
	organisation TEXT NOT NULL,
	id TEXT NOT NULL,
	custom_id TEXT,
	content TEXT NOT NULL,
	blob TEXT,
	container_tags TEXT NOT NULL,
	metadata TEXT NOT NULL,
	filepath TEXT,
	task_type TEXT NOT NULL,
	dreaming TEXT NOT NULL,
	status TEXT NOT NULL,
	dreaming_status TEXT NOT NULL,
	revision INTEGER NOT NULL,
	published_revision INTEGER,
	published_edition INTEGER,
	staged_revision INTEGER,
	staged_edition INTEGER,
	last_edition INTEGER NOT NULL DEFAULT 0,
	type TEXT NOT NULL,
	title TEXT,
	summary TEXT,
	language TEXT,
	remarks TEXT NOT NULL,
	failure TEXT,
	progress TEXT,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	PRIMARY KEY (organisation, id)
);
CREATE UNIQUE INDEX documents_by_custom_id ON documents (organisation, custom_id) WHERE custom_id IS NOT NULL;
CREATE INDEX documents_by_creation ON documents (organisation, created_at);
CREATE INDEX documents_by_update ON documents (organisation, updated_at);
CREATE INDEX documents_by_filepath ON documents (organisation, filepath) WHERE filepath IS NOT NULL;
CREATE INDEX documents_by_blob ON documents (organisation, blob) WHERE blob IS NOT NULL;
CREATE INDEX documents_by_status ON documents (organisation, status, created_at);
CREATE INDEX documents_dreaming ON documents (organisation, created_at) WHERE dreaming_status = 'dreaming';
CREATE TABLE document_texts (
	organisation TEXT NOT NULL,
	document TEXT NOT NULL,
	content TEXT,
	found TEXT,
	PRIMARY KEY (organisation, document)
);
CREATE TABLE document_tags (
	organisation TEXT NOT NULL,
	tag TEXT NOT NULL,
	document TEXT NOT NULL,
	PRIMARY KEY (organisation, tag, document)
) WITHOUT ROWID;
CREATE TABLE document_metadata (
	organisation TEXT NOT NULL,
	document TEXT NOT NULL,
	key TEXT NOT NULL,
	element INTEGER NOT NULL,
	text TEXT,
	folded TEXT,
	number REAL,
	PRIMARY KEY (organisation, document, key, element)
) WITHOUT ROWID;
CREATE INDEX document_metadata_by_text ON document_metadata (organisation, key, folded);
CREATE INDEX document_metadata_by_number ON document_metadata (organisation, key, number) WHERE number IS NOT NULL;

-- Chunks.
CREATE TABLE chunks (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	id TEXT NOT NULL,
	document TEXT NOT NULL,
	revision INTEGER NOT NULL,
	edition INTEGER NOT NULL,
	position INTEGER NOT NULL,
	text TEXT NOT NULL,
	indexed_text TEXT,
	place TEXT NOT NULL
);
CREATE UNIQUE INDEX chunks_identity ON chunks (organisation, id);
CREATE UNIQUE INDEX chunks_in_order ON chunks (organisation, document, edition, position);
CREATE TABLE chunk_vectors (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	space TEXT NOT NULL,
	chunk TEXT NOT NULL,
	vector BLOB NOT NULL
);
CREATE UNIQUE INDEX chunk_vectors_identity ON chunk_vectors (organisation, chunk, space);
CREATE INDEX chunk_vectors_by_space ON chunk_vectors (organisation, space);
CREATE INDEX chunk_vectors_in_order ON chunk_vectors (organisation, space); -- and, as every index, by key
CREATE TABLE discarded_editions (
	organisation TEXT NOT NULL,
	document TEXT NOT NULL,
	edition INTEGER NOT NULL,
	PRIMARY KEY (organisation, document, edition)
) WITHOUT ROWID;

-- Memories.
CREATE TABLE memories (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	id TEXT NOT NULL,
	container_tag TEXT NOT NULL,
	text TEXT NOT NULL,
	is_static INTEGER NOT NULL,
	is_inference INTEGER NOT NULL,
	confidence REAL NOT NULL,
	subject TEXT,
	event_time INTEGER,
	forget_after INTEGER,
	version INTEGER NOT NULL,
	parent TEXT,
	root TEXT,
	is_latest INTEGER NOT NULL,
	is_forgotten INTEGER NOT NULL,
	forget_reason TEXT,
	metadata TEXT NOT NULL,
	extractor TEXT,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX memories_identity ON memories (organisation, id);
CREATE INDEX memories_by_container ON memories (organisation, container_tag, created_at);
CREATE INDEX memories_by_creation ON memories (organisation, created_at);
CREATE INDEX memories_by_parent ON memories (organisation, parent) WHERE parent IS NOT NULL;
CREATE INDEX memories_by_root ON memories (organisation, root) WHERE root IS NOT NULL;
CREATE TABLE memory_vectors (
	key INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	space TEXT NOT NULL,
	memory TEXT NOT NULL,
	vector BLOB NOT NULL
);
CREATE UNIQUE INDEX memory_vectors_identity ON memory_vectors (organisation, memory, space);
CREATE INDEX memory_vectors_by_space ON memory_vectors (organisation, space);
CREATE INDEX memory_vectors_in_order ON memory_vectors (organisation, space);
CREATE TABLE memory_evidence (
	organisation TEXT NOT NULL,
	memory TEXT NOT NULL,
	ordinal INTEGER NOT NULL,
	document TEXT NOT NULL,
	chunk TEXT NOT NULL,
	span_begin INTEGER NOT NULL,
	span_end INTEGER NOT NULL,
	PRIMARY KEY (organisation, memory, ordinal)
) WITHOUT ROWID;
CREATE INDEX memory_evidence_by_document ON memory_evidence (organisation, document);
CREATE TABLE memory_edges (
	organisation TEXT NOT NULL,
	source TEXT NOT NULL,
	target TEXT NOT NULL,
	relation TEXT NOT NULL,
	PRIMARY KEY (organisation, source, target, relation)
) WITHOUT ROWID;
CREATE INDEX memory_edges_by_target ON memory_edges (organisation, target);
CREATE TABLE memory_metadata (
	organisation TEXT NOT NULL,
	memory TEXT NOT NULL,
	key TEXT NOT NULL,
	element INTEGER NOT NULL,
	text TEXT,
	folded TEXT,
	number REAL,
	PRIMARY KEY (organisation, memory, key, element)
) WITHOUT ROWID;
CREATE INDEX memory_metadata_by_text ON memory_metadata (organisation, key, folded);
CREATE INDEX memory_metadata_by_number ON memory_metadata (organisation, key, number) WHERE number IS NOT NULL;

-- Jobs.
CREATE TABLE jobs (
	organisation TEXT NOT NULL,
	id TEXT NOT NULL,
	task TEXT NOT NULL,
	subject TEXT NOT NULL,
	not_before INTEGER NOT NULL,
	attempt INTEGER NOT NULL DEFAULT 0,
	lease TEXT,
	leased_until INTEGER,
	worker TEXT,
	why TEXT,
	PRIMARY KEY (organisation, id)
);
CREATE UNIQUE INDEX jobs_waiting ON jobs (organisation, task, subject) WHERE lease IS NULL;
CREATE INDEX jobs_leased ON jobs (organisation, task, subject) WHERE lease IS NOT NULL;
CREATE INDEX jobs_due ON jobs (not_before) WHERE lease IS NULL;
