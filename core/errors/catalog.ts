/**
 * All error codes with kind, message and hint, sorted. The arguments of `fail` replace each `%s`.
 * A code is never renamed, only retired. `docs/errors.md` lists the same codes; a test compares both. The table stays in one
 * file, however long, so that codes are easy to look up and two with the same message are noticed.
 */

/** All kinds of errors. The kind determines the HTTP status and whether a retry may succeed. */
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
	"over-quota",
	"unimplemented",
	"unavailable",
	"timeout",
	"internal",
] as const;
export type ErrorKind = (typeof kinds)[number];

/** Kinds of temporary errors: a job that fails with one is retried. */
export const temporaryKinds: ReadonlySet<ErrorKind> = new Set(["exhausted", "unavailable", "timeout"]);

interface Entry {
	readonly kind: ErrorKind;
	readonly message: string;
	/** What the reader can do about it. */
	readonly hint?: string;
}

export const catalog = {
	ADDRESS_BLOCKED: {
		kind: "invalid",
		message: "the URL %s is not allowed: %s",
		hint: "only public http and https URLs are fetched; an operator can allow an exact host with CAIRN_FETCH_ALLOW",
	},
	ADDRESS_CHANGED: {
		kind: "unreadable",
		message: "%s did not respond as expected: %s",
		hint: "a newer version of cairn may understand its new responses; until then add the text itself, or upload a file",
	},
	ADDRESS_CONSENT: {
		kind: "unreadable",
		message: "the URL %s shows a cookie consent page instead of its content",
		hint: "add the text itself, or upload a file; from another network the page may not ask for consent",
	},
	ADDRESS_EMPTY: {
		kind: "unreadable",
		message: "the page at %s contains no text: its scripts render it in the browser",
		hint: "add the text itself, or save the page from the browser and upload the file",
	},
	ADDRESS_FAILED: { kind: "unavailable", message: "the URL %s could not be fetched: %s", hint: "check that the URL opens in a browser" },
	ADDRESS_GONE: { kind: "unreadable", message: "there is nothing at %s: %s", hint: "check that the URL opens in a browser without signing in" },
	ADDRESS_MALFORMED: { kind: "invalid", message: "%s is not an http or https URL" },
	ADDRESS_PRIVATE: {
		kind: "unreadable",
		message: "%s is not public: %s",
		hint: "share it with everyone who has the link, or download it and upload the file",
	},
	ADDRESS_REFUSED: {
		kind: "unreadable",
		message: "the URL %s responded with status %s",
		hint: "check that the URL opens in a browser without signing in",
	},
	ARCHIVE_UNREADABLE: {
		kind: "unreadable",
		message: "none of the files in the archive can be extracted: %s",
		hint: "unpack it and add its files, or pack them again as ZIP",
	},
	BACKUPS_OFF: {
		kind: "conflict",
		message: "this server takes no backups",
		hint: "an operator sets CAIRN_BACKUP_DIR to a folder or a bucket, see docs/backup.md",
	},
	BACKUP_INCOMPLETE: {
		kind: "unavailable",
		message: "the backup was given up, because its copy lost %s while it was made",
		hint: "take it again, and see that nothing else removes files from the data folder",
	},
	BACKUP_INVALID: { kind: "invalid", message: "this is not a complete backup: %s", hint: "make another backup; cairn verify FILE checks one" },
	BACKUP_MISSING: {
		kind: "missing",
		message: "Backup not found",
		hint: "only backups since the last start of the server have progress; GET /v3/backups lists all",
	},
	BACKUP_ROOM: {
		kind: "unavailable",
		message: "there is no room in %s for the copy of the tables that the backup is made from: it takes up to %s, and %s are free",
		hint: "free some space; nothing was changed",
	},
	BACKUP_RUNNING: { kind: "conflict", message: "another backup to %s is running%s", hint: "wait until it is done" },
	BACKUP_TARGET_FAILED: {
		kind: "unavailable",
		message: "the backup target %s cannot be used: %s",
		hint: "check bucket, endpoint, region and keys, see docs/backup.md; nothing incomplete was left there",
	},
	BODY_MALFORMED: {
		kind: "invalid",
		message: "the request body is not valid JSON: %s",
		hint: "JSON needs double quotes around keys and strings, and no comma after the last member",
	},
	BODY_TOO_LARGE: { kind: "too-large", message: "the request body is larger than %s bytes", hint: "send large content as a file to /v3/documents/file" },
	BUCKET_UNAVAILABLE: {
		kind: "unavailable",
		message: "the bucket %s cannot be used: %s",
		hint: "it is retried automatically; check the URL of the bucket, its keys, and that the service responds",
	},
	CAPTIONS_MISSING: {
		kind: "unsupported",
		message: "the video %s has no captions that can be read: %s",
		hint: "upload its subtitles, or the recording itself: CAIRN_TRANSCRIPTION_URL sets a service that transcribes recordings",
	},
	CHUNKER_MISSING: { kind: "unsupported", message: "no chunker accepts %s (available: %s)" },
	COMMAND_INVALID: { kind: "invalid", message: "%s", hint: "cairn help shows every command" },
	CONNECTIONS_TOO_MANY: { kind: "conflict", message: "there are %s connections already", hint: "delete one that is no longer used" },
	CONNECTION_AMBIGUOUS: { kind: "conflict", message: "several connections of %s have these container tags: %s", hint: "use the id of one of them" },
	CONNECTION_CLIENT_REFUSED: {
		kind: "unavailable",
		message: "%s does not accept this server as its client: %s",
		hint: "an operator checks the client id and the client secret, and that the address of the callback is registered, see docs/connections.md",
	},
	CONNECTION_CONTESTED: { kind: "conflict", message: "the connection kept changing while it was written", hint: "read it again and repeat the change" },
	CONNECTION_FORBIDDEN: { kind: "forbidden", message: "%s refuses access: %s", hint: "check the keys and what they may do there" },
	CONNECTION_INVALID: { kind: "invalid", message: "%s: %s is not valid: %s", hint: "metadata must contain what the provider needs, under exactly this name" },
	CONNECTION_MISSING: { kind: "missing", message: "Connection not found" },
	CONNECTION_SEALED: {
		kind: "unauthorized",
		message: "the keys of the connection can no longer be decrypted",
		hint: "the file vault-key of the data folder was lost or changed; create the connection again with the same metadata",
	},
	CONNECTION_SOURCE_MISSING: { kind: "missing", message: "%s: the source to be synced does not exist: %s", hint: "check its name and location" },
	CONNECTION_UNAUTHORIZED: { kind: "unauthorized", message: "%s does not accept the keys: %s", hint: "check that they are complete and still valid" },
	CONNECTION_WITHOUT_RESOURCES: {
		kind: "unimplemented",
		message: "connections of %s have no resources to choose from",
		hint: "the metadata that the connection was created with determines what is synced",
	},
	CONNECTOR_MISSING: {
		kind: "unimplemented",
		message: "no connector for %s is installed (installed: %s)",
		hint: "add a plugin with a connector of this name to cairn.config.ts, see docs/connections.md; hosted sign-in is not available",
	},
	CONSENT_MISSING: { kind: "missing", message: "Consent not found", hint: "GET /v3/auth/consents lists the consents of the key" },
	CONTAINER_FORBIDDEN: {
		kind: "forbidden",
		message: "this key %s",
		hint: "GET /v3/session lists the containers of the key; an administrator can create another key",
	},
	CONTAINER_MERGING: { kind: "conflict", message: "the container %s is being merged", hint: "wait until the merge is done" },
	CONTAINER_MISSING: { kind: "missing", message: "Container tag not found" },
	CONTENT_EMPTY: { kind: "unreadable", message: "no text was found in the document", hint: "check that the file is not blank, and not a picture without text" },
	CONTRACT_MISMATCH: { kind: "invalid", message: "plugin %s was written for contract version %s, this server has version %s" },
	CURSOR_INVALID: { kind: "invalid", message: "this server has not issued this cursor", hint: "send nextCursor unchanged, or begin without a cursor" },
	CUSTOM_ID_AMBIGUOUS: {
		kind: "conflict",
		message: "several documents have the customId %s, in the containers %s",
		hint: "send the containerTag if the request takes one, or use the id of the document, which POST /v3/documents/list shows by container",
	},
	CUSTOM_ID_TAKEN: { kind: "conflict", message: "another document of the container already has the customId %s" },
	DATA_DIR_UNUSABLE: {
		kind: "invalid",
		message: "the data folder %s cannot be used: %s",
		hint: "set CAIRN_DATA_DIR to another folder, one that this user may write to",
	},
	DOCUMENT_INSIDE: {
		kind: "conflict",
		message: "the document is an attachment of document %s, which determines its content, customId and containers",
		hint: "change that document, or add this file as a document of its own",
	},
	DOCUMENT_MISSING: { kind: "missing", message: "Document not found" },
	DOCUMENT_SUPERSEDED: { kind: "conflict", message: "document %s was changed or deleted while it was processed" },
	DOCUMENT_SYNCED: {
		kind: "conflict",
		message: "a connection identifies this document by its customId, so the customId cannot be changed",
		hint: "delete the connection with deleteDocuments=false, or leave the customId as it is",
	},
	EMBEDDER_DECLINED: { kind: "internal", message: "the embedding service %s does not accept the text: %s" },
	EMBEDDER_UNAVAILABLE: {
		kind: "unavailable",
		message: "the embedding service %s does not respond: %s",
		hint: "it is retried automatically until it succeeds; check its URL, its key, and that it runs",
	},
	EMBEDDING_MALFORMED: { kind: "internal", message: "embedder %s returned a vector that %s" },
	ENDPOINT_FORBIDDEN: { kind: "forbidden", message: "this key may not call %s (allowed: %s)", hint: "use a key without this restriction" },
	EXPORT_INVALID: { kind: "invalid", message: "this is not a complete export: %s", hint: "make another with cairn export FILE" },
	EXTRACTOR_MISSING: {
		kind: "unsupported",
		message: "no extractor reads %s (available: %s)",
		hint: "install a plugin that reads this type, or convert the file",
	},
	FILE_BROKEN: { kind: "unreadable", message: "the file is damaged: %s", hint: "open and save it again with the program that made it" },
	FILE_ENCRYPTED: { kind: "unreadable", message: "the file is protected by a password", hint: "remove the password and upload it again" },
	FILE_MISSING: {
		kind: "invalid",
		message: "the form has no part named file with a file in it",
		hint: "name the part file and give it a file name: curl -F file=@report.pdf",
	},
	FILE_NONE: { kind: "missing", message: "the document has no file", hint: "only uploads keep their original file" },
	FILE_TOO_LARGE: { kind: "too-large", message: "the file is larger than %s bytes" },
	FILTER_KEY_UNSAFE: {
		kind: "invalid",
		message: "Invalid metadata key: contains unsafe characters",
		hint: "a key has 1 to 64 letters, digits, underscores, dots or hyphens",
	},
	FILTER_MALFORMED: { kind: "invalid", message: "Invalid filter structure: %s" },
	FILTER_TOO_COMPLEX: { kind: "invalid", message: "Query exceeds maximum complexity: %s" },
	FORM_MALFORMED: { kind: "invalid", message: "the multipart form cannot be read: %s" },
	HOST_FORBIDDEN: {
		kind: "forbidden",
		message: "this server does not answer for the host %s",
		hint: "ask for it by the address that it printed at its start; an operator who serves it under another name adds that to CAIRN_HOSTS",
	},
	IDEMPOTENCY_IN_FLIGHT: {
		kind: "conflict",
		message: "the first request with this Idempotency-Key is still in progress",
		hint: "wait a moment and repeat the request",
	},
	IDEMPOTENCY_KEY_REUSED: {
		kind: "unreadable",
		message: "this Idempotency-Key was used for a different request",
		hint: "use a new key for every request that is not a retry",
	},
	IDEMPOTENCY_UNKNOWN: {
		kind: "conflict",
		message: "an earlier request used this Idempotency-Key, and its response was not stored",
		hint: "it may have taken effect: check the current state, then continue with a new key",
	},
	IMAGE_TOO_LARGE: { kind: "unreadable", message: "the picture has %s megapixels, at most %s are accepted", hint: "lower its resolution" },
	IMPORT_UNKNOWN: {
		kind: "invalid",
		message: "%s is not what was expected: %s",
		hint: "docs/import.md names the file or folder for each program",
	},
	INPUT_INVALID: { kind: "invalid", message: "%s" },
	INTERNAL: { kind: "internal", message: "something went wrong on the server", hint: "the server's log has more details under the request id" },
	ITEM_REFUSED: {
		kind: "unreadable",
		message: "%s is not handed out: %s",
		hint: "it is tried again at every sync; its owner can change who may download it",
	},
	KEYS_WRONG: {
		kind: "exhausted",
		message: "too many requests with wrong keys came from this network",
		hint: "a request with a valid key is answered at once",
	},
	KEY_INVALID: { kind: "unauthorized", message: "Unauthorized", hint: "Invalid or missing API key" },
	KEY_LAST_ADMIN: { kind: "conflict", message: "this is the last key that can manage keys", hint: "create another admin key first" },
	KEY_MISSING: { kind: "missing", message: "Key not found", hint: "GET /v3/auth/keys lists the keys" },
	LEASE_LOST: { kind: "unavailable", message: "another worker has taken over this work" },
	LENGTH_REQUIRED: { kind: "invalid", message: "the request needs a content-length header" },
	LINK_INVALID: { kind: "forbidden", message: "the link is invalid or has expired", hint: "ask for a new one at /v3/documents/{id}/file-url" },
	MEMORY_CONTESTED: { kind: "conflict", message: "the memory kept changing while it was written", hint: "read it again and repeat the change" },
	MEMORY_FORGOTTEN: { kind: "conflict", message: "the memory is already forgotten" },
	MEMORY_MISSING: {
		kind: "missing",
		message: "Memory not found",
		hint: "a memory is identified by its own id or exact text, and its container; the id of a document does not identify a memory",
	},
	MEMORY_NOT_FORGOTTEN: { kind: "conflict", message: "the memory is not forgotten" },
	MEMORY_NOT_REVIEWABLE: { kind: "conflict", message: "the memory cannot be reviewed: %s" },
	MERGE_MISSING: { kind: "missing", message: "Merge job not found", hint: "the state of a merge can be read for thirty days after its end" },
	METHOD_NOT_ALLOWED: { kind: "not-allowed", message: "no route handles %s %s; this path accepts %s", hint: "the routes are listed at /swagger" },
	MODEL_CHANGED: {
		kind: "conflict",
		message: "the model %s is no longer the one that was first fetched: %s",
		hint: "if the change is intended, fetch it with cairn models pull and the word update after its name",
	},
	MODEL_DECLINED: { kind: "internal", message: "the language model %s does not accept the prompt: %s" },
	MODEL_FILE_BROKEN: { kind: "invalid", message: "the model %s cannot be used: %s", hint: "fetch the file again, or choose another one" },
	MODEL_FOLDER_BROKEN: {
		kind: "internal",
		message: "the model %s cannot be used: %s",
		hint: "cairn models verify shows which file is damaged; cairn models pull fetches it again",
	},
	MODEL_MALFORMED: {
		kind: "internal",
		message: "the language model's response could not be used: %s",
		hint: "a larger model, or one trained for JSON output, may do better",
	},
	MODEL_PROCESS_FAILED: {
		kind: "unavailable",
		message: "the local model %s does not respond: %s",
		hint: "it is retried automatically; a smaller model needs less memory and time",
	},
	MODEL_PULL_FAILED: {
		kind: "unavailable",
		message: "the model %s could not be fetched: %s",
		hint: "run the same command again, and it continues where it stopped; without a network, copy the model's folder into CAIRN_MODELS_DIR",
	},
	MODEL_REFUSED: { kind: "internal", message: "the language model %s refuses access: %s", hint: "check its name, its URL and its key" },
	MODEL_SPENT: { kind: "exhausted", message: "the language model is not used: %s", hint: "GET /v3/usage shows what was spent" },
	MODEL_UNAVAILABLE: {
		kind: "unavailable",
		message: "the language model %s does not respond: %s",
		hint: "it is retried automatically until it succeeds; check that the model's server is running",
	},
	MODEL_UNKNOWN: { kind: "missing", message: "no model is called %s (known: %s)", hint: "other models have the name they have on the hub: owner/name" },
	OPEN_FILES_EXHAUSTED: {
		kind: "unavailable",
		message: "the system does not let the server open any more files and connections",
		hint: "try again when fewer clients are connected; an operator may raise the limit, see docs/configuration.md",
	},
	OPEN_FILES_LIMITED: {
		kind: "invalid",
		message: "the system lets this process open %s files and connections at the same time, and the server needs %s",
		hint: "raise the limit: ulimit -n in a shell, LimitNOFILE= of systemd, --ulimit nofile= of Docker",
	},
	ORGANISATION_MISSING: { kind: "missing", message: "Organisation not found", hint: "GET /v3/organisations lists them" },
	ORGANISATION_OWN: {
		kind: "conflict",
		message: "the organisation of the operator, and the first one of the server, cannot be removed",
		hint: "POST /v3/settings/reset deletes all of its data",
	},
	ORIGIN_FORBIDDEN: {
		kind: "forbidden",
		message: "web pages of %s may not change anything here",
		hint: "an operator who trusts these pages adds their origin to CAIRN_CORS_ORIGINS",
	},
	OUTPUT_TOO_LARGE: { kind: "unreadable", message: "the document contains more than %s of text", hint: "split the file" },
	PACKAGE_MISSING: {
		kind: "invalid",
		message: "%s imports the package %s, which is not installed",
		hint: "install it in the folder of that file; cairn downloads no packages itself",
	},
	PAGES_NONE: {
		kind: "missing",
		message: "%s has no pages that can be drawn",
		hint: "pages of PDFs and pictures are drawn; read the text of the document instead",
	},
	PAGE_MISSING: { kind: "missing", message: "there is no page %s: the last one is %s" },
	PLUGIN_MALFORMED: { kind: "invalid", message: "plugin %s is malformed: %s" },
	PLUGIN_MISSING: { kind: "invalid", message: "no %s is called %s (with these settings there are: %s)" },
	PLUGIN_NAME_TAKEN: { kind: "conflict", message: "two plugins offer a %s called %s" },
	PLUGIN_NEEDS: {
		kind: "invalid",
		message: "plugin %s needs the package %s, which is not installed",
		hint: "install it with the package manager, next to cairn",
	},
	PLUGIN_OPTIONS_INVALID: { kind: "invalid", message: "the options of plugin %s are not valid: %s" },
	PLUGIN_UNLOADABLE: { kind: "invalid", message: "plugin %s could not be loaded: %s" },
	PORT_TAKEN: {
		kind: "invalid",
		message: "%s port %s cannot be listened on: %s",
		hint: "set PORT to a free port, or 0 for any; HOST should be an address of this machine",
	},
	PROCESS_CRASHED: { kind: "unreadable", message: "the file made its reader crash", hint: "the file is damaged or hostile; other documents are not affected" },
	PROCESS_MEMORY: {
		kind: "unreadable",
		message: "reading the file took more than %s MB of memory",
		hint: "split the file or lower its resolution; the operator's limit is CAIRN_EXTRACT_MEMORY_MB",
	},
	PROCESS_TIMEOUT: {
		kind: "unreadable",
		message: "reading the file took longer than %s seconds",
		hint: "split the file; the operator's limit is CAIRN_EXTRACT_TIMEOUT_MS",
	},
	PROCESS_UNAVAILABLE: { kind: "unavailable", message: "no process could be started to read the file: %s", hint: "it is retried automatically" },
	PROVIDER_UNKNOWN: { kind: "missing", message: "no provider is called %s (known: %s)" },
	QUOTA_BYTES: {
		kind: "over-quota",
		message: "the organisation has stored %s bytes, and %s more would exceed its quota of %s",
		hint: "delete documents, or ask the operator for a larger quota; GET /v3/usage shows what is used",
	},
	QUOTA_DOCUMENTS: {
		kind: "over-quota",
		message: "the organisation has %s documents, and its quota is %s",
		hint: "delete documents, or ask the operator for a larger quota; GET /v3/usage shows what is used",
	},
	QUOTA_REQUESTS: {
		kind: "exhausted",
		message: "at most %s requests a minute of the organisation are answered",
		hint: "wait as long as Retry-After says, or ask the operator for a larger quota",
	},
	RATE_LIMITED: { kind: "exhausted", message: "at most %s requests in %s seconds are answered", hint: "wait as long as Retry-After says" },
	REDIRECT_FORBIDDEN: {
		kind: "invalid",
		message: "nobody may be sent to %s after a sign-in",
		hint: "leave redirectUrl out, or an operator adds the origin of the page to CAIRN_REDIRECT_ORIGINS",
	},
	REGISTRY_FROZEN: { kind: "internal", message: "plugins can be registered at start only" },
	ROLE_MISSING: { kind: "forbidden", message: "this needs a key with the role %s", hint: "ask an administrator of the organisation for such a key" },
	ROUTER_UNAVAILABLE: {
		kind: "unavailable",
		message: "the provider behind the memory router, %s, does not respond: %s",
		hint: "try again later; an operator checks CAIRN_ROUTER_URL and that the provider runs",
	},
	ROUTE_MISSING: { kind: "missing", message: "no route handles %s %s%s", hint: "the routes are listed at /swagger" },
	SETTINGS_CONTESTED: { kind: "conflict", message: "the settings kept changing while they were written", hint: "read them again and repeat the change" },
	SETTINGS_TOPICLESS: {
		kind: "invalid",
		message: "there is nothing yet to suggest buckets from",
		hint: "add documents, or describe their topics in filterPrompt or workspacePrompt",
	},
	SETTING_INVALID: { kind: "invalid", message: "setting %s is not valid: %s" },
	SETTING_UNKNOWN: { kind: "invalid", message: "there is no setting %s%s" },
	SIGN_INS_TOO_MANY: { kind: "conflict", message: "there are %s unfinished sign-ins already", hint: "finish one; each ends after an hour" },
	SIGN_IN_PENDING: { kind: "missing", message: "nobody has signed in to %s yet", hint: "open the link that creating the connection gave, and ask again" },
	SIGN_IN_REFUSED: { kind: "forbidden", message: "%s did not let anybody sign in: %s", hint: "create the connection again to get a new link" },
	SIGN_IN_UNKNOWN: {
		kind: "invalid",
		message: "this sign-in has expired, was already finished, or was not begun here",
		hint: "create the connection again to get a new link",
	},
	STAGE_FAILED: { kind: "internal", message: "the stage %s failed", hint: "this is a fault of the server or of a plugin; the server's log has more details" },
	STAGE_TIMEOUT: { kind: "timeout", message: "the stage %s took longer than %s seconds" },
	STORAGE_BUSY: {
		kind: "unavailable",
		message: "the folder %s is in use by another server",
		hint: "stop the other server, or set CAIRN_DATA_DIR to another folder",
	},
	STORAGE_DAMAGED: {
		kind: "unavailable",
		message: "the data folder is damaged: %s",
		hint: "stop the server and restore the whole data folder from a backup; the doctor (npm run doctor) shows what else is damaged",
	},
	STORAGE_FOREIGN: {
		kind: "conflict",
		message: "%s is a database of another program",
		hint: "set CAIRN_DATA_DIR to a folder that only cairn uses, or put cairn's database in its place",
	},
	STORAGE_FULL: { kind: "unavailable", message: "the disk is full", hint: "free some space; nothing that was accepted is lost" },
	STORAGE_LOST: {
		kind: "conflict",
		message: "the database %s is %s, but other files of its store exist",
		hint: "restore it from a backup; to begin with an empty store, move the whole data folder away",
	},
	STORAGE_NEWER: {
		kind: "conflict",
		message: "the data folder was written by a newer version of cairn (schema %s, this version knows %s)",
		hint: "start the newer version",
	},
	STORAGE_READ_ONLY: {
		kind: "unavailable",
		message: "the storage cannot be written: %s",
		hint: "make sure that the user who runs the server may write to the data folder and everything in it, and that its disk is not mounted read-only",
	},
	STORAGE_UNREACHABLE: {
		kind: "unavailable",
		message: "the storage does not respond: %s",
		hint: "check the disk and the permissions of the data folder, or that the database in CAIRN_STORAGE_URL can be reached; the server's log has more details",
	},
	STREAMS_TOO_MANY: { kind: "exhausted", message: "more than %s streams of events are open", hint: "close one, or share one among several listeners" },
	TRANSCRIPTION_FAILED: {
		kind: "unavailable",
		message: "the transcription service %s failed: %s",
		hint: "it is retried automatically; check that the service runs and is not overloaded",
	},
	TRANSCRIPTION_MISCONFIGURED: {
		kind: "unsupported",
		message: "the transcription service %s does not accept the request: %s",
		hint: "check CAIRN_TRANSCRIPTION_URL, CAIRN_TRANSCRIPTION_KEY and CAIRN_TRANSCRIPTION_MODEL",
	},
	TRANSCRIPTION_REFUSED: {
		kind: "unreadable",
		message: "the transcription service %s cannot read the recording: %s",
		hint: "check that the recording plays, or convert it to MP3",
	},
	TRANSCRIPTION_TOO_LARGE: {
		kind: "too-large",
		message: "the recording has %s bytes, the transcription service accepts at most %s",
		hint: "compress or split it; if the service accepts more, raise CAIRN_TRANSCRIPTION_BYTES_MAX",
	},
	TRANSCRIPTION_UNAVAILABLE: {
		kind: "unsupported",
		message: "the recording has no subtitles, and there is no service to transcribe it",
		hint: "set CAIRN_TRANSCRIPTION_URL to an OpenAI-compatible service, or fetch a local model (WAV and MP3) with cairn models pull whisper-base, or upload the subtitles",
	},
	UNDO_EXPIRED: {
		kind: "missing",
		message: "there is nothing to undo",
		hint: "removed documents and forgotten memories can be restored once, for as many days as CAIRN_UNDO_DAYS says",
	},
	UPGRADE_BACKUP_ROOM: {
		kind: "unavailable",
		message: "the data folder has to be upgraded, and there is no room for the backup before it: it takes up to %s, and %s are free",
		hint: "free some space, or set CAIRN_UPGRADE_BACKUP_DAYS=0 to upgrade without a backup; nothing was changed",
	},
	WEBHOOKS_TOO_MANY: { kind: "conflict", message: "there are %s webhooks already", hint: "delete one that is no longer used" },
	WEBHOOK_CONTESTED: { kind: "conflict", message: "the webhook kept changing while it was written", hint: "read it again and repeat the change" },
	WEBHOOK_MISSING: { kind: "missing", message: "Webhook not found" },
	WORKER_STOPPED: { kind: "unavailable", message: "the thread that works on jobs has ended; another one is being started" },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalog;

type ArgumentsOf<Message extends string, Found extends readonly unknown[] = readonly []> = Message extends `${string}%s${infer Rest}`
	? ArgumentsOf<Rest, readonly [...Found, string | number]>
	: Found;

/** The arguments of `fail` for a code: one for each `%s` of its message. */
export type MessageArguments<Code extends ErrorCode> = ArgumentsOf<(typeof catalog)[Code]["message"]>;

export function entryOf(code: ErrorCode): Entry {
	return catalog[code];
}

export function isErrorCode(text: string): text is ErrorCode {
	return Object.hasOwn(catalog, text);
}
