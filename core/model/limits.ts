/** All limits, with the unit in the name. A comment says where a number comes from the wire contract. */

export const limits = {
	// Input of clients.
	contentCharactersMax: 10_000_000,
	fileBytesMax: 50 * 1024 * 1024, // contract: 50 MB
	fetchedBytesMax: 10 * 1024 * 1024, // contract: 10 MB
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
	entityContextCharactersMax: 1_500, // contract
	containerNameCharactersMax: 100, // contract
	profileBucketsMax: 50, // contract
	memoryPathsMax: 200,
	settingItemsMax: 500,

	// Connections.
	connectionsMax: 100, // per organisation
	syncRunsKept: 20,
	syncWarningsKept: 10, // per run
	syncsAtOnce: 4, // syncs may take hours; their places are separate from those of other jobs
	connectionDocumentsMax: 10_000, // contract
	connectorKeyCharactersMax: 200, // leaves room for the connection's id before it in a customId
	cursorBytesMax: 16 * 1024 * 1024, // twice as many addresses as documents, most of them long

	// Searches.
	queryCharactersMax: 10_000,
	/** Loading a model may take longer; it is then ready for the next search. */
	queryEmbedMsMax: 10_000,
	/** The same for a reranker, which reads all candidates. */
	rerankMsMax: 10_000,
	/** Reading words only takes so long on a busy machine; the results are then those of vectors. */
	wordsReadMsMax: 2_000,
	/** A user would notice a longer wait. */
	modelRewriteMsMax: 1_500,
	/** Merged results are written by a model, which takes longer. */
	modelMergeMsMax: 15_000,
	/** How long a late answer may take, after the search has stopped waiting; it is stored for the next search. */
	modelLateMsMax: 30_000,
	queryWordsMax: 64, // more words take time without a noticeable effect
	searchResultsMax: 100, // contract
	searchResultsDefault: 10, // contract
	searchTokensMin: 50, // one or two sentences
	searchTokensMax: 100_000, // about a hundred chunks
	filterConditionsMax: 200, // contract
	filterDepthMax: 8, // contract
	filterKeyCharactersMax: 64, // contract
	candidatesPerResult: 4,
	candidatesMin: 40,
	candidatesMax: 4_000,
	chunksPerDocumentShownMax: 10,
	queryRewritingsMax: 4,

	// Results of processing.
	extractedCharactersMax: 50_000_000,
	blocksMax: 1_000_000,
	chunksPerDocumentMax: 100_000,
	chunkCharactersMax: 2_000, // about 500 tokens: what small embedding models read at once
	chunkOverlapCharacters: 0, // neighbours are shown as context instead
	attachmentsMax: 1_000, // direct attachments of a document
	attachmentBytesMax: 256 * 1024 * 1024, // of all direct attachments of a document
	attachmentDepthMax: 3, // a file in an archive in a mail in an archive
	descendantsMax: 5_000, // per document added by a client
	descendantBytesMax: 1024 * 1024 * 1024,
	warningsMax: 100,
	memoriesPerDocumentMax: 10_000,
	modelPieceCharactersMax: 8_000, // 2,000 tokens: with prompt and answer within the 4,096 that small servers read
	memoryCharactersMax: 10_000, // contract
	memoryNeighboursMax: 8,
	memoryExtendsMax: 3, // edges of a memory; memories about one subject would otherwise all extend each other
	relativesMax: 5, // shown with a memory
	profileStaticMax: 100, // profiles are put into prompts, where every line has a cost
	profileDynamicMax: 50,
	profileBucketMax: 50, // per bucket
	titleCharactersMax: 200,
	summaryCharactersMax: 600,

	// Times and concurrency.
	fetchTimeoutMs: 30_000,
	fetchPauseMaxMs: 60 * 60_000, // the longest Retry-After of an address that is respected
	routerAnswerMsMax: 10 * 60_000, // until an answer begins; as long as OpenAI's own clients wait
	extractTimeoutMs: 10 * 60_000, // a long scan: 2.5 s a page, 200 pages
	extractMemoryMb: 1_024, // a picture of 50 megapixels, decoded and read
	extractStageTimeoutMs: 3 * 60 * 60_000, // including the wait for a process behind a full set of hostile files
	stageTimeoutMs: 5 * 60_000,
	rememberStageTimeoutMs: 3 * 60 * 60_000, // including the wait for a slow local model behind all documents in progress
	modelPauseMaxMs: 60 * 60_000, // the longest Retry-After of a provider that is respected
	modelAnswersKeptMs: 7 * 24 * 60 * 60_000, // a repeated question within a week has no cost; not longer, since answers contain content
	modelUsageKeptMs: 400 * 24 * 60 * 60_000, // thirteen months, to compare with the same month of the year before
	leaseMs: 30_000,
	attemptsMax: 5,
	retryDelayMaxMs: 300_000,
	undoMs: 7 * 24 * 60 * 60_000, // how long a removal can be undone
	eventsKeptMs: 7 * 24 * 60 * 60_000, // listeners may be offline for a week; administrative acts are kept permanently
	eventStreamsMax: 100, // concurrent, per organisation
	eventTypesMax: 20,
	webhooksMax: 50, // of one organisation
	webhookTimeoutMs: 15_000, // Standard Webhooks proposes 15 to 30 seconds
	webhookAnswerBytesMax: 1024 * 1024, // the body is ignored
	webhookDeliveriesShownMax: 25,
	webhookSecretOverlapMs: 24 * 60 * 60_000, // how long a replaced secret keeps signing
	pollIntervalMs: 1_000, // a fallback: a new job wakes the worker at once
	documentsAtOnceMax: 256, // light documents: less than a megabyte each, with chunks and vectors
	heavyDocumentsAtOnce: 16, // files, pages, and texts longer than `lightCharactersMax`
	lightCharactersMax: 16_000,
	embeddingsAtOnce: 16, // batches, for remote services with limits
	documentsBegunMax: 512, // including those that wait for a sandbox process
	bytesInHandMax: 128 * 1024 * 1024, // bytes of large files being extracted or waiting for it
	charactersInHandMax: 10_000_000, // characters of long texts between extraction and publishing: 35 bytes each, with chunks and vectors
} as const;

export type Limits = typeof limits;
