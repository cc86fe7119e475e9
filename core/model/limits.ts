/** All limits, with the unit in the name. A comment says where a number comes from the wire contract. */

export const limits = {
	// What a client may hand in.
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

	// What a connection may bring.
	connectionsMax: 100, // of one organisation
	syncRunsKept: 20,
	syncWarningsKept: 10, // of one run
	syncsAtOnce: 4, // they may go on for hours, and nothing else waits for one of their places
	connectionDocumentsMax: 10_000, // contract
	connectorKeyCharactersMax: 200, // leaves room for the connection's id before it in a customId
	cursorBytesMax: 16 * 1024 * 1024, // twice as many addresses as documents, most of them long

	// What a search may ask.
	queryCharactersMax: 10_000,
	/** A model that has to be loaded first takes longer; it is there for the next question. */
	queryEmbedMsMax: 10_000,
	/** The same for a reranker, which reads all candidates. */
	rerankMsMax: 10_000,
	/** A machine has to be very busy for words to take so long; vectors answer meanwhile. */
	wordsReadMsMax: 2_000,
	/** A person who waits for results notices more. */
	modelRewriteMsMax: 1_500,
	/** Who asks for memories to be merged waits for a model to write. */
	modelMergeMsMax: 15_000,
	/** How long a late answer may take, after the search has stopped waiting; it is stored for the next search. */
	modelLateMsMax: 30_000,
	queryWordsMax: 64, // more words cost time and change nothing that a person would notice
	searchResultsMax: 100, // contract
	searchResultsDefault: 10, // contract
	searchTokensMin: 50, // a sentence or two
	searchTokensMax: 100_000, // what a hundred chunks have
	filterConditionsMax: 200, // contract
	filterDepthMax: 8, // contract
	filterKeyCharactersMax: 64, // contract
	candidatesPerResult: 4,
	candidatesMin: 40,
	candidatesMax: 4_000,
	chunksPerDocumentShownMax: 10,
	queryRewritingsMax: 4,

	// What a document may become.
	extractedCharactersMax: 50_000_000,
	blocksMax: 1_000_000,
	chunksPerDocumentMax: 100_000,
	chunkCharactersMax: 2_000, // about 500 tokens: what small embedding models read at once
	chunkOverlapCharacters: 0, // neighbours are shown as context instead
	attachmentsMax: 1_000, // directly inside of one document
	attachmentBytesMax: 256 * 1024 * 1024, // of all that is directly inside of one document
	attachmentDepthMax: 3, // a file in an archive in a mail in an archive
	descendantsMax: 5_000, // everything below one document that a client handed in
	descendantBytesMax: 1024 * 1024 * 1024,
	warningsMax: 100,
	memoriesPerDocumentMax: 10_000,
	modelPieceCharactersMax: 8_000, // 2,000 tokens: with prompt and answer within the 4,096 that small servers read
	memoryCharactersMax: 10_000, // contract
	memoryNeighboursMax: 8,
	memoryExtendsMax: 3, // edges of one memory: about one subject everything adds to everything
	relativesMax: 5, // shown with one memory: the rest is what a search is for
	profileStaticMax: 100, // a profile is read at a glance, by a model that pays for every line
	profileDynamicMax: 50,
	profileBucketMax: 50, // each
	titleCharactersMax: 200,
	summaryCharactersMax: 600,

	// How long and how often.
	fetchTimeoutMs: 30_000,
	fetchPauseMaxMs: 60 * 60_000, // the longest that the Retry-After of an address is obeyed
	extractTimeoutMs: 10 * 60_000, // a long scan: 2.5 s a page, 200 pages
	extractMemoryMb: 1_024, // a picture of 50 megapixels, decoded and read
	extractStageTimeoutMs: 3 * 60 * 60_000, // with the wait for a process, behind as many hostile files as are read at once
	stageTimeoutMs: 5 * 60_000,
	rememberStageTimeoutMs: 3 * 60 * 60_000, // with the wait for a slow model on this machine, behind as many documents as are begun
	modelPauseMaxMs: 60 * 60_000, // the longest that a provider's Retry-After is obeyed
	modelAnswersKeptMs: 7 * 24 * 60 * 60_000, // what comes again within a week is not paid again; no longer, since it is content
	modelUsageKeptMs: 400 * 24 * 60 * 60_000, // a year and a month: to compare with the same month of the year before
	leaseMs: 30_000,
	attemptsMax: 5,
	retryDelayMaxMs: 300_000,
	undoMs: 7 * 24 * 60 * 60_000, // how long what was removed or forgotten can come back
	eventsKeptMs: 7 * 24 * 60 * 60_000, // who listens may be away for a week; administrative acts are kept for good
	eventStreamsMax: 100, // of one organisation at one time
	eventTypesMax: 20,
	webhooksMax: 50, // of one organisation
	webhookTimeoutMs: 15_000, // what Standard Webhooks proposes is 15 to 30 seconds
	webhookAnswerBytesMax: 1024 * 1024, // nobody reads it
	webhookDeliveriesShownMax: 25,
	webhookSecretOverlapMs: 24 * 60 * 60_000, // as long an old secret signs beside the new one
	pollIntervalMs: 1_000, // a fallback: a new job wakes the worker at once
	documentsAtOnceMax: 256, // texts that are not heavy: with chunks and vectors less than a megabyte each
	heavyDocumentsAtOnce: 16, // files, pages and texts longer than the next: each may be anything
	lightCharactersMax: 16_000,
	embeddingsAtOnce: 16, // batches: a service elsewhere has its limits
	documentsBegunMax: 512, // with those that merely wait for a process that reads them
	bytesInHandMax: 128 * 1024 * 1024, // of the bigger files that are read or wait for it
	charactersInHandMax: 10_000_000, // of the longer texts between reading and publishing: 35 bytes each, with chunks and vectors
} as const;

export type Limits = typeof limits;
