/** All limits, with the unit in the name. `// API` marks the numbers that the Supermemory API prescribes. */

export const limits = {
	// Client input.
	contentCharactersMax: 10_000_000,
	fileBytesMax: 50 * 1024 * 1024, // API: 50 MB
	fetchedBytesMax: 10 * 1024 * 1024, // API: 10 MB
	requestBodyBytesMax: 32 * 1024 * 1024, // JSON with escapes around the longest content
	customIdCharactersMax: 255,
	containerTagCharactersMax: 100,
	containerTagsPerDocumentMax: 100,
	metadataKeysMax: 200,
	metadataKeyCharactersMax: 255,
	metadataTextCharactersMax: 10_000,
	metadataListMax: 1_000,
	filepathCharactersMax: 1_024,
	fileNameCharactersMax: 255,
	addressCharactersMax: 8_192,
	entityContextCharactersMax: 1_500, // API
	containerNameCharactersMax: 100, // API
	containerEmojiCharactersMax: 10, // API; one emoji may be a sequence of several characters
	profileBucketsMax: 50, // API
	memoryPathsMax: 200, // of a container: `memoryFilesystemPaths`
	settingItemsMax: 500, // of a list in the settings of an organisation

	// Connections.
	connectionsMax: 100, // per organisation
	signInsMax: 100, // begun and not finished, per organisation
	signInMs: 60 * 60_000, // API
	storedSyncRunsMax: 20,
	storedSyncWarningsMax: 10, // per run
	concurrentSyncsMax: 4, // syncs may take hours; their slots are separate from those of other jobs
	connectionDocumentsMax: 10_000, // API
	connectorKeyCharactersMax: 200, // leaves room for the connection's id before it in a customId
	cursorBytesMax: 16 * 1024 * 1024, // room for two long URLs per document

	// Searches.
	queryCharactersMax: 10_000,
	/** Loading the model may take longer: this search is then done without vectors, and the next one finds the model loaded. */
	queryEmbedTimeoutMs: 10_000,
	/** The same for a reranker: if it takes longer, the results are not reranked. */
	rerankTimeoutMs: 10_000,
	/** Word search takes longer only under heavy load. The search then returns what the vectors, and the texts read so far, have found. */
	wordSearchTimeoutMs: 2_000,
	/** A user would notice a longer wait. */
	modelRewriteTimeoutMs: 1_500,
	/** With `aggregate`, the model writes one text from several results, which takes longer than a rewriting. */
	modelAggregateTimeoutMs: 15_000,
	/** How long a response of the model may take after the search has stopped waiting for it. It is stored for the next search. */
	modelLateTimeoutMs: 30_000,
	queryWordsMax: 64, // more words take time without a noticeable effect
	searchResultsMax: 100, // API
	searchResultsDefault: 10, // API
	searchTokensMin: 50, // one or two sentences
	searchTokensMax: 100_000, // about a hundred chunks
	filterConditionsMax: 200, // API
	filterDepthMax: 8, // API
	filterKeyCharactersMax: 64, // API
	candidatesPerResult: 4,
	candidatesMin: 40,
	candidatesMax: 4_000,
	chunksPerDocumentReturnedMax: 10,
	queryRewritingsMax: 4,

	// Results of processing.
	extractedCharactersMax: 50_000_000,
	blocksMax: 1_000_000,
	chunksPerDocumentMax: 100_000,
	chunkCharactersMax: 2_000, // about 500 tokens, the input limit of small embedding models
	headingsShownMax: 6, // above a chunk; the outermost are left out
	headingCharactersMax: 120, // of each of them
	captionCharactersMax: 300, // of a table
	chunkOverlapCharacters: 0, // searches return the neighbouring chunks as context instead
	attachmentsMax: 1_000, // direct attachments of a document
	attachmentBytesMax: 256 * 1024 * 1024, // of all direct attachments of a document
	attachmentDepthMax: 3, // a file in an archive in a mail in an archive
	descendantsMax: 5_000, // per document added by a client
	descendantBytesMax: 1024 * 1024 * 1024,
	warningsMax: 100,
	memoriesPerDocumentMax: 10_000,
	modelPieceCharactersMax: 8_000, // 2,000 tokens: with prompt and response they fit a context window of 4,096 tokens
	memoryCharactersMax: 10_000, // API
	similarMemoriesMax: 8, // known memories that a new one is compared with
	extendsEdgesPerMemoryMax: 3, // memories about one subject would otherwise all extend each other
	relativesMax: 5, // related memories returned with a memory
	profileStaticMax: 100, // profiles are put into prompts, where every line has a cost
	profileDynamicMax: 50,
	memoriesPerProfileBucketMax: 50,
	titleCharactersMax: 200,
	summaryCharactersMax: 600,

	// Times and concurrency.
	fetchTimeoutMs: 30_000,
	fetchPauseMaxMs: 60 * 60_000, // the longest Retry-After of an address that is respected
	routerResponseTimeoutMs: 10 * 60_000, // until a response begins; as long as OpenAI's own clients wait
	extractTimeoutMs: 10 * 60_000, // a long scan: 2.5 s a page, 200 pages
	extractMemoryMb: 1_024, // enough to decode a picture of 50 megapixels and run OCR on it
	extractStageTimeoutMs: 3 * 60 * 60_000, // including time queued while every sandbox process reads a hostile file
	stageTimeoutMs: 5 * 60_000, // of every other stage
	memoryStageTimeoutMs: 3 * 60 * 60_000, // including time queued for a slow local model that many documents use
	modelPauseMaxMs: 60 * 60_000, // the longest Retry-After of a provider that is respected
	modelAnswerRetentionMs: 7 * 24 * 60 * 60_000, // a prompt repeated within a week has no cost; not longer, since responses contain content
	modelUsageRetentionMs: 400 * 24 * 60 * 60_000, // thirteen months, to compare with the same month of the year before
	pageTimeoutMs: 60_000, // until a page is drawn, including the wait for others
	pagesDrawnAtOnceMax: 4, // each with the bytes of its file in memory
	pagesKeptMs: 5 * 60_000, // how long the picture of a page is kept
	pagesKeptBytesMax: 32 * 1024 * 1024,
	pageWidthMax: 2_400, // pixels: a tablet at twice its width
	leaseMs: 30_000,
	attemptsMax: 5,
	crashesBesideOthersMax: 2, // of a process that had a document in hand; after these the document is processed alone
	crashesMax: 7, // five of them alone: a process may also have been killed from outside
	crashPauseMs: 5_000, // before a document is processed alone; three times as long after each further crash, up to `retryDelayMaxMs`
	retryDelayMaxMs: 300_000,
	undoMs: 7 * 24 * 60 * 60_000, // how long a removal can be undone
	eventRetentionMs: 7 * 24 * 60 * 60_000, // listeners may be offline for a week; audit events are kept permanently
	eventStreamsMax: 100, // concurrent, per organisation
	eventTypesMax: 20,
	webhooksMax: 50, // per organisation
	webhookTimeoutMs: 15_000, // Standard Webhooks proposes 15 to 30 seconds
	webhookResponseBytesMax: 1024 * 1024, // the body is ignored
	webhookDeliveriesReturnedMax: 25,
	webhookSecretOverlapMs: 24 * 60 * 60_000, // how long a replaced secret keeps signing
	pollIntervalMs: 1_000, // a fallback: a new job wakes the worker at once
	concurrentDocumentsMax: 256, // light documents: less than a megabyte each, with chunks and vectors
	concurrentHeavyDocumentsMax: 16, // files, pages, and texts longer than `lightCharactersMax`
	lightCharactersMax: 16_000,
	concurrentEmbeddingsMax: 16, // batches, for remote services with limits
	documentsStartedMax: 512, // including those that wait for a sandbox process
	bytesInFlightMax: 128 * 1024 * 1024, // of large files that are being extracted or wait for it
	charactersInFlightMax: 10_000_000, // of long texts between extraction and publishing: 35 bytes each, with chunks and vectors
} as const;
