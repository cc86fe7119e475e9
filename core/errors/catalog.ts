/**
 * All error codes with kind, message and remedy, sorted. `%s` is filled with the arguments of `fail`.
 * A code is never renamed, only retired. `docs/errors.md` lists the same codes; a test compares both ways. One table in one
 * file, however long: a code is looked up by its letters, and two with the same words would be seen.
 */

/** Kinds are closed: each has one HTTP status and one answer to "is it worth trying again?". */
export const kinds = [
	"invalid",
	"unauthorized",
	"forbidden",
	"missing",
	"not-allowed",
	"conflict",
	"too-large",
	"unsupported",
	"unreadable",
	"exhausted",
	"unimplemented",
	"unavailable",
	"timeout",
	"internal",
] as const;
export type ErrorKind = (typeof kinds)[number];

/** Kinds that may pass by themselves, so that the job is tried again. */
export const passingKinds: ReadonlySet<ErrorKind> = new Set(["exhausted", "unavailable", "timeout"]);

interface Entry {
	readonly kind: ErrorKind;
	readonly words: string;
	/** The remedy, for the person who reads it. */
	readonly hint?: string;
}

export const catalog = {
	ADDRESS_BLOCKED: {
		kind: "invalid",
		words: "the address %s is not allowed: %s",
		hint: "only public http and https addresses are fetched; an operator may allow an exact host with CAIRN_FETCH_ALLOW",
	},
	ADDRESS_CHANGED: {
		kind: "unreadable",
		words: "%s did not answer as it used to: %s",
		hint: "a newer version of cairn may know its new answers; until then add the text itself, or a file",
	},
	ADDRESS_CONSENT: {
		kind: "unreadable",
		words: "the address %s shows a question about cookies in place of its content",
		hint: "add the text itself, or upload a file; from another network the page may answer without asking",
	},
	ADDRESS_EMPTY: {
		kind: "unreadable",
		words: "the page at %s holds no words: its scripts draw it in the browser",
		hint: "add the text itself, or save the page from the browser and upload the file",
	},
	ADDRESS_FAILED: { kind: "unavailable", words: "the address %s could not be fetched: %s", hint: "check that the address opens in a browser" },
	ADDRESS_GONE: { kind: "unreadable", words: "there is nothing at %s: %s", hint: "check that the address opens in a browser without signing in" },
	ADDRESS_MALFORMED: { kind: "invalid", words: "%s is not an http or https address" },
	ADDRESS_PRIVATE: {
		kind: "unreadable",
		words: "%s is not shown to the public: %s",
		hint: "share it with everyone who has the link, or download it and upload the file",
	},
	ADDRESS_REFUSED: {
		kind: "unreadable",
		words: "the address %s answered with status %s",
		hint: "check that the address opens in a browser without signing in",
	},
	ARCHIVE_UNREADABLE: {
		kind: "unreadable",
		words: "none of the files in the archive can be taken out: %s",
		hint: "unpack it and add its files, or pack them anew as ZIP",
	},
	BACKUP_INVALID: { kind: "invalid", words: "this is no whole backup: %s", hint: "take another backup; cairn verify FILE looks through one" },
	BODY_MALFORMED: {
		kind: "invalid",
		words: "the request body is not valid JSON: %s",
		hint: "JSON wants double quotes around names and texts, and no comma after the last member",
	},
	BODY_TOO_LARGE: { kind: "too-large", words: "the request body is larger than %s bytes", hint: "send large content as a file to /v3/documents/file" },
	CAPTIONS_MISSING: {
		kind: "unsupported",
		words: "the video %s has no captions that can be read: %s",
		hint: "upload its subtitles, or the recording itself: CAIRN_TRANSCRIPTION_URL names a service that listens to recordings",
	},
	CHUNKER_MISSING: { kind: "unsupported", words: "no chunker takes %s (available: %s)" },
	COMMAND_INVALID: { kind: "invalid", words: "%s", hint: "cairn help shows every command" },
	CONNECTIONS_TOO_MANY: { kind: "conflict", words: "there are %s connections already", hint: "delete one that is no longer used" },
	CONNECTION_AMBIGUOUS: { kind: "conflict", words: "several connections of %s have these container tags: %s", hint: "name the one that is meant by its id" },
	CONNECTION_CONTESTED: { kind: "conflict", words: "the connection kept changing while it was written", hint: "read it again and repeat the change" },
	CONNECTION_FORBIDDEN: { kind: "forbidden", words: "%s refuses access: %s", hint: "check the keys and what they may do there" },
	CONNECTION_INVALID: { kind: "invalid", words: "%s: %s is not right: %s", hint: "metadata holds what the provider needs, under exactly this name" },
	CONNECTION_MISSING: { kind: "missing", words: "Connection not found" },
	CONNECTION_SEALED: {
		kind: "unauthorized",
		words: "the keys of the connection can no longer be opened",
		hint: "the file vault-key of the data folder was lost or changed; create the connection again with the same metadata",
	},
	CONNECTION_SOURCE_MISSING: { kind: "missing", words: "%s: what is to be synced is not there: %s", hint: "check its name and its place" },
	CONNECTION_UNAUTHORIZED: { kind: "unauthorized", words: "%s does not know the keys: %s", hint: "check that they are whole and still valid" },
	CONNECTION_WITHOUT_RESOURCES: {
		kind: "unimplemented",
		words: "connections of %s have no resources to choose from",
		hint: "what is synced is said in the metadata when the connection is created",
	},
	CONNECTOR_MISSING: {
		kind: "unimplemented",
		words: "no connector for %s is installed (installed: %s)",
		hint: "list a plugin in cairn.config.ts that offers a connector of this name, as docs/connections.md tells; there is no hosted sign-in here",
	},
	CONTAINER_FORBIDDEN: {
		kind: "forbidden",
		words: "this key %s",
		hint: "GET /v3/session tells which containers the key reaches; an administrator may make another key",
	},
	CONTAINER_MERGING: { kind: "conflict", words: "the container %s is being merged", hint: "wait until the merge is done" },
	CONTAINER_MISSING: { kind: "missing", words: "Container tag not found" },
	CONTENT_EMPTY: { kind: "unreadable", words: "no text was found in the document", hint: "check that the file is not blank, or a picture without words" },
	CONTRACT_MISMATCH: { kind: "invalid", words: "plugin %s was written for contract %s, this server speaks contract %s" },
	CURSOR_INVALID: { kind: "invalid", words: "the cursor is none that this server gave out", hint: "send nextCursor as it came, or begin without a cursor" },
	CUSTOM_ID_AMBIGUOUS: {
		kind: "conflict",
		words: "several documents have the customId %s, in the containers %s",
		hint: "send the containerTag if the request takes one, or use the id of the document, which POST /v3/documents/list shows by container",
	},
	CUSTOM_ID_TAKEN: { kind: "conflict", words: "another document of the container already has the customId %s" },
	DATA_DIR_UNUSABLE: {
		kind: "invalid",
		words: "the data folder %s cannot be used: %s",
		hint: "set CAIRN_DATA_DIR to a folder that this user may write to",
	},
	DOCUMENT_INSIDE: {
		kind: "conflict",
		words: "the document is inside of document %s, which gives it its content, customId and containers",
		hint: "change that document, or add this file by itself",
	},
	DOCUMENT_MISSING: { kind: "missing", words: "Document not found" },
	DOCUMENT_SUPERSEDED: { kind: "conflict", words: "document %s was changed or deleted while it was processed" },
	DOCUMENT_SYNCED: {
		kind: "conflict",
		words: "a connection knows this document by its customId, which cannot be changed",
		hint: "delete the connection with deleteDocuments=false, or leave the customId as it is",
	},
	EMBEDDER_DECLINED: { kind: "internal", words: "the embedding service %s does not take the text: %s" },
	EMBEDDER_UNAVAILABLE: {
		kind: "unavailable",
		words: "the embedding service %s does not answer: %s",
		hint: "it is tried again by itself, as often as it takes; check its address, its key, and that it runs",
	},
	EMBEDDING_MALFORMED: { kind: "internal", words: "embedder %s answered a vector that %s" },
	ENDPOINT_FORBIDDEN: { kind: "forbidden", words: "this key may not call %s (allowed: %s)", hint: "use a key without this bound" },
	EXPORT_INVALID: { kind: "invalid", words: "this is no whole export: %s", hint: "make another with cairn export FILE" },
	EXTRACTOR_MISSING: {
		kind: "unsupported",
		words: "no extractor reads %s (available: %s)",
		hint: "install a plugin that reads this type, or convert the file",
	},
	FILE_BROKEN: { kind: "unreadable", words: "the file is damaged: %s", hint: "open and save it again with the program that made it" },
	FILE_ENCRYPTED: { kind: "unreadable", words: "the file is protected by a password", hint: "remove the password and upload it again" },
	FILE_MISSING: {
		kind: "invalid",
		words: "the form has no part named file with a file in it",
		hint: "name the part file and give it a file name: curl -F file=@report.pdf",
	},
	FILE_NONE: { kind: "missing", words: "the document has no file", hint: "only uploads keep their original file" },
	FILE_TOO_LARGE: { kind: "too-large", words: "the file is larger than %s bytes" },
	FILTER_KEY_UNSAFE: {
		kind: "invalid",
		words: "Invalid metadata key: contains unsafe characters",
		hint: "a key has 1 to 64 letters, digits, underscores, dots or hyphens",
	},
	FILTER_MALFORMED: { kind: "invalid", words: "Invalid filter structure: %s" },
	FILTER_TOO_COMPLEX: { kind: "invalid", words: "Query exceeds maximum complexity: %s" },
	FORM_MALFORMED: { kind: "invalid", words: "the multipart form cannot be read: %s" },
	IDEMPOTENCY_IN_FLIGHT: {
		kind: "conflict",
		words: "the first request with this Idempotency-Key is not answered yet",
		hint: "wait a moment and repeat the request",
	},
	IDEMPOTENCY_KEY_REUSED: {
		kind: "unreadable",
		words: "this Idempotency-Key belongs to another request",
		hint: "make a new key for every request that is not a repetition",
	},
	IDEMPOTENCY_UNKNOWN: {
		kind: "conflict",
		words: "a request with this Idempotency-Key came before, and its answer was not kept",
		hint: "it may have taken effect: look at what is there, then go on with a new key",
	},
	IMAGE_TOO_LARGE: { kind: "unreadable", words: "the picture has %s megapixels, more than %s are not read", hint: "lower its resolution" },
	IMPORT_UNKNOWN: {
		kind: "invalid",
		words: "%s is not what it should be: %s",
		hint: "docs/import.md names the file or folder for each program",
	},
	INPUT_INVALID: { kind: "invalid", words: "%s" },
	INTERNAL: { kind: "internal", words: "something went wrong on the server", hint: "the server's log tells more under the request id" },
	KEYS_WRONG: {
		kind: "exhausted",
		words: "too many wrong keys came from this network",
		hint: "send a key that is known: it is answered at once",
	},
	KEY_INVALID: { kind: "unauthorized", words: "Unauthorized", hint: "Invalid or missing API key" },
	KEY_LAST_ADMIN: { kind: "conflict", words: "this is the last key with which keys can be managed", hint: "make another admin key first" },
	KEY_MISSING: { kind: "missing", words: "Key not found", hint: "GET /v3/auth/keys lists the keys" },
	LENGTH_REQUIRED: { kind: "invalid", words: "the request needs a content-length header" },
	LINK_INVALID: { kind: "forbidden", words: "the link is not right or no longer holds", hint: "ask for a new one at /v3/documents/{id}/file-url" },
	MEMORY_CONTESTED: { kind: "conflict", words: "the memory kept changing while it was written", hint: "read it again and repeat the change" },
	MEMORY_FORGOTTEN: { kind: "conflict", words: "the memory is already forgotten" },
	MEMORY_MISSING: {
		kind: "missing",
		words: "Memory not found",
		hint: "a memory is named by its own id or exact text, and its container; a document's id names no memory",
	},
	MEMORY_NOT_FORGOTTEN: { kind: "conflict", words: "the memory is not forgotten" },
	MEMORY_NOT_REVIEWABLE: { kind: "conflict", words: "the memory cannot be reviewed: %s" },
	MERGE_MISSING: { kind: "missing", words: "Merge job not found", hint: "a merge can be asked about for thirty days after its end" },
	METHOD_NOT_ALLOWED: { kind: "not-allowed", words: "no route answers %s %s; this path answers %s", hint: "the routes are listed at /swagger" },
	MODEL_CHANGED: {
		kind: "conflict",
		words: "the model %s is not what it was when it was first fetched: %s",
		hint: "if the change is meant, fetch it with cairn models pull, and the word update behind its name",
	},
	MODEL_DECLINED: { kind: "internal", words: "the language model %s does not take the question: %s" },
	MODEL_FILE_BROKEN: { kind: "invalid", words: "the model %s cannot be used: %s", hint: "fetch the file again, or name another one" },
	MODEL_FOLDER_BROKEN: {
		kind: "internal",
		words: "the model %s cannot be used: %s",
		hint: "cairn models verify tells which file is not as it should be; cairn models pull brings it again",
	},
	MODEL_MALFORMED: {
		kind: "internal",
		words: "the language model's answer could not be used: %s",
		hint: "a larger model, or one made for JSON, may do better",
	},
	MODEL_PROCESS_FAILED: {
		kind: "unavailable",
		words: "the local model %s does not answer: %s",
		hint: "it is tried again by itself; a smaller model needs less memory and time",
	},
	MODEL_PULL_FAILED: {
		kind: "unavailable",
		words: "the model %s could not be fetched: %s",
		hint: "run the same command again: what has come stays; without a network copy the model's folder into CAIRN_MODELS_DIR",
	},
	MODEL_REFUSED: { kind: "internal", words: "the language model %s refuses: %s", hint: "check its name, its address and its key" },
	MODEL_SPENT: { kind: "exhausted", words: "the language model is not asked: %s", hint: "GET /v3/usage tells what was spent" },
	MODEL_UNAVAILABLE: {
		kind: "unavailable",
		words: "the language model %s does not answer: %s",
		hint: "it is tried again by itself, as often as it takes; check that the model's server is running",
	},
	MODEL_UNKNOWN: { kind: "missing", words: "no model is called %s (known: %s)", hint: "any other is named as on the hub: owner/name" },
	OPEN_FILES_EXHAUSTED: {
		kind: "unavailable",
		words: "the system lets the server open no more files and connections",
		hint: "try again when fewer clients are connected; an operator may raise the limit, see docs/configuration.md",
	},
	OPEN_FILES_LIMITED: {
		kind: "invalid",
		words: "the system lets this process open %s files and connections at one time, and the server needs %s",
		hint: "raise the limit: ulimit -n in a shell, LimitNOFILE= of systemd, --ulimit nofile= of Docker",
	},
	OUTPUT_TOO_LARGE: { kind: "unreadable", words: "the document holds more than %s of text", hint: "split the file" },
	PACKAGE_MISSING: {
		kind: "invalid",
		words: "%s imports the package %s, which is not installed",
		hint: "install it in the folder of that file; cairn fetches nothing by itself",
	},
	PLUGIN_MALFORMED: { kind: "invalid", words: "plugin %s is malformed: %s" },
	PLUGIN_MISSING: { kind: "invalid", words: "no %s is called %s (available: %s)" },
	PLUGIN_NAME_TAKEN: { kind: "conflict", words: "two plugins offer a %s called %s" },
	PLUGIN_NEEDS: { kind: "invalid", words: "plugin %s needs the package %s, which is not installed", hint: "install it with the package manager beside cairn" },
	PLUGIN_OPTIONS_INVALID: { kind: "invalid", words: "the options of plugin %s are not right: %s" },
	PLUGIN_UNLOADABLE: { kind: "invalid", words: "plugin %s could not be loaded: %s" },
	PORT_TAKEN: { kind: "invalid", words: "%s port %s cannot be listened on: %s", hint: "set PORT to a free port, or 0 for any" },
	PROCESS_CRASHED: { kind: "unreadable", words: "the file made its reader crash", hint: "the file is damaged or hostile; other documents are not affected" },
	PROCESS_MEMORY: {
		kind: "unreadable",
		words: "reading the file took more than %s MB of memory",
		hint: "split the file or lower its resolution; the operator's limit is CAIRN_EXTRACT_MEMORY_MB",
	},
	PROCESS_TIMEOUT: {
		kind: "unreadable",
		words: "reading the file took longer than %s seconds",
		hint: "split the file; the operator's limit is CAIRN_EXTRACT_TIMEOUT_MS",
	},
	PROCESS_UNAVAILABLE: { kind: "unavailable", words: "no process could be had to read the file: %s", hint: "it is tried again by itself" },
	PROVIDER_UNKNOWN: { kind: "missing", words: "no provider is called %s (known: %s)" },
	RATE_LIMITED: { kind: "exhausted", words: "no more than %s requests in %s seconds are answered", hint: "wait as long as Retry-After says" },
	REGISTRY_FROZEN: { kind: "internal", words: "plugins are admitted at start only" },
	ROLE_MISSING: { kind: "forbidden", words: "this needs a key with the role %s", hint: "ask an administrator of the organisation for such a key" },
	ROUTER_UNAVAILABLE: {
		kind: "unavailable",
		words: "the provider behind the memory router, %s, does not answer: %s",
		hint: "try again later; an operator checks CAIRN_ROUTER_URL and that the provider runs",
	},
	ROUTE_MISSING: { kind: "missing", words: "no route answers %s %s%s", hint: "the routes are listed at /swagger" },
	SETTINGS_CONTESTED: { kind: "conflict", words: "the settings kept changing while they were written", hint: "read them again and repeat the change" },
	SETTINGS_TOPICLESS: {
		kind: "invalid",
		words: "there is nothing yet to suggest buckets from",
		hint: "add documents, or say in filterPrompt or workspacePrompt what they are about",
	},
	SETTING_INVALID: { kind: "invalid", words: "setting %s is not right: %s" },
	SETTING_UNKNOWN: { kind: "invalid", words: "there is no setting %s%s" },
	STAGE_FAILED: { kind: "internal", words: "the stage %s failed", hint: "this is a fault of the server or of a plugin; its log tells more" },
	STAGE_TIMEOUT: { kind: "timeout", words: "the stage %s took longer than %s seconds" },
	STORAGE_BUSY: {
		kind: "unavailable",
		words: "the data folder %s is in use by another server",
		hint: "stop the other server, or set CAIRN_DATA_DIR to another folder",
	},
	STORAGE_DAMAGED: {
		kind: "unavailable",
		words: "the data folder is damaged: %s",
		hint: "stop the server and put the whole data folder back from a backup; the doctor (npm run doctor) tells what else is damaged",
	},
	STORAGE_FOREIGN: {
		kind: "conflict",
		words: "%s is a database of another program",
		hint: "set CAIRN_DATA_DIR to a folder of cairn's own, or put cairn's database in its place",
	},
	STORAGE_FULL: { kind: "unavailable", words: "the disk is full", hint: "free some space; nothing that was accepted is lost" },
	STORAGE_LOST: {
		kind: "conflict",
		words: "the database %s is %s, but other files of its store are there",
		hint: "put it back from a backup; to begin with an empty store, move the whole data folder away",
	},
	STORAGE_NEWER: {
		kind: "conflict",
		words: "the data folder was written by a newer version of cairn (schema %s, this version knows %s)",
		hint: "start the newer version",
	},
	STORAGE_READ_ONLY: {
		kind: "unavailable",
		words: "the storage cannot be written: %s",
		hint: "see that the data folder and all in it may be written by the user that runs the server, and that its disk is not mounted read-only",
	},
	STORAGE_UNREACHABLE: {
		kind: "unavailable",
		words: "the storage does not answer: %s",
		hint: "check the disk and the rights of the data folder; the server's log tells more",
	},
	STREAMS_TOO_MANY: { kind: "exhausted", words: "more than %s streams of events are open", hint: "close one, or share one among those who listen" },
	TRANSCRIPTION_FAILED: {
		kind: "unavailable",
		words: "the transcription service %s failed: %s",
		hint: "it is tried again by itself; check that the service runs and is not overloaded",
	},
	TRANSCRIPTION_MISCONFIGURED: {
		kind: "unsupported",
		words: "the transcription service %s does not take the request: %s",
		hint: "check CAIRN_TRANSCRIPTION_URL, CAIRN_TRANSCRIPTION_KEY and CAIRN_TRANSCRIPTION_MODEL",
	},
	TRANSCRIPTION_REFUSED: {
		kind: "unreadable",
		words: "the transcription service %s cannot read the recording: %s",
		hint: "check that the recording plays, or convert it to MP3",
	},
	TRANSCRIPTION_TOO_LARGE: {
		kind: "too-large",
		words: "the recording has %s bytes, the transcription service takes %s",
		hint: "compress or split it; for a service that takes more set CAIRN_TRANSCRIPTION_BYTES_MAX",
	},
	TRANSCRIPTION_UNAVAILABLE: {
		kind: "unsupported",
		words: "the recording has no subtitles, and there is no transcription service to listen to it",
		hint: "set CAIRN_TRANSCRIPTION_URL to an OpenAI-compatible service, or fetch a local model (WAV and MP3) with cairn models pull whisper-base, or upload the subtitles",
	},
	UNDO_EXPIRED: {
		kind: "missing",
		words: "there is nothing to undo",
		hint: "what was removed or forgotten can be brought back once, and for as many days as CAIRN_UNDO_DAYS says",
	},
	UPGRADE_BACKUP_ROOM: {
		kind: "unavailable",
		words: "the data folder has to be upgraded, and there is no room for the backup before it: it takes up to %s, and %s are free",
		hint: "free some space, or set CAIRN_UPGRADE_BACKUP_DAYS=0 to upgrade without a backup; nothing was changed",
	},
	WEBHOOKS_TOO_MANY: { kind: "conflict", words: "there are %s webhooks already", hint: "delete one that is no longer used" },
	WEBHOOK_CONTESTED: { kind: "conflict", words: "the webhook kept changing while it was written", hint: "read it again and repeat the change" },
	WEBHOOK_MISSING: { kind: "missing", words: "Webhook not found" },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalog;

type CountWords<Text extends string, Counted extends readonly unknown[] = readonly []> = Text extends `${string}%s${infer Rest}`
	? CountWords<Rest, readonly [...Counted, string | number]>
	: Counted;

/** How many words follow which code: as many as its text has `%s`. */
export type Words<Code extends ErrorCode> = CountWords<(typeof catalog)[Code]["words"]>;

export function entryOf(code: ErrorCode): Entry {
	return catalog[code];
}

export function isErrorCode(text: string): text is ErrorCode {
	return Object.hasOwn(catalog, text);
}
