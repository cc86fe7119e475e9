/**
 * All settings of the server, except those that plugins declare: environment variable, flag, default and parser of each. The flag is
 * the same name in kebab case: `CAIRN_DATA_DIR` is `--data-dir`.
 */

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { TokenPrices } from "../../core/language/model-policy.ts";
import { limits } from "../../core/model/limits.ts";
import { none } from "../../core/parts.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { LogLevel } from "../../core/ports/world.ts";
import { type ModelUse, modelUses } from "../../core/settings/model-uses.ts";
import { type BackupKind, backupKinds } from "../backup/kept-backups.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { type Definition, define } from "./definition.ts";
import { documentsAtOnce, memoryBytes } from "./machine.ts";
import {
	backupPlace,
	hostNames,
	hosts,
	httpUrl,
	integer,
	modelTasks,
	nonEmptyString,
	oneOf,
	origins,
	ownOrigin,
	path,
	prices,
	providerToken,
	rate,
	secretKey,
	share,
} from "./readers.ts";
import { type LogFormat, logFormats, type SamplerName, type ServerRole, samplerNames, serverRoles } from "./settings.ts";

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export const definitions = {
	port: define({ env: "PORT", flag: "port", fallback: 6767, meaning: "port to listen on; 0 takes a free one", read: integer(0, 65_535) }),
	// Loopback by default, so that other machines on the network cannot try keys.
	host: define({ env: "HOST", flag: "host", fallback: "127.0.0.1", meaning: "address to listen on", read: nonEmptyString }),
	role: define<ServerRole>({
		env: "CAIRN_ROLE",
		flag: "role",
		fallback: "all",
		meaning: "all; or api, which answers requests, or worker, which works on jobs: several servers on one PostgreSQL database",
		read: oneOf(serverRoles),
	}),
	hosts: define<readonly string[] | null>({
		env: "CAIRN_HOSTS",
		flag: "hosts",
		fallback: null,
		meaning: "host names by which clients may ask for this server, comma separated, or * for all; on loopback only those of this machine without it",
		read: hostNames,
	}),
	dataDir: define({ env: "CAIRN_DATA_DIR", flag: "data-dir", fallback: resolve(".cairn"), meaning: "folder for the database, files and indexes", read: path }),
	apiKey: define<string | null>({
		env: "CAIRN_API_KEY",
		flag: "api-key",
		fallback: null,
		meaning: "API key to accept; without it one is made at the first start",
		read: secretKey,
		isSecret: true,
	}),
	secret: define<string | null>({
		env: "CAIRN_SECRET",
		flag: "secret",
		fallback: null,
		meaning: "what servers that share a database and no data folder encrypt and sign with, the same for all; without it, files in the data folder",
		read: secretKey,
		isSecret: true,
	}),
	config: define<string | null>({
		env: "CAIRN_CONFIG",
		flag: "config",
		fallback: null,
		meaning: "config file; default cairn.config.ts in the working folder, if there is one",
		read: path,
	}),
	fetchAllow: define<readonly string[]>({
		env: "CAIRN_FETCH_ALLOW",
		flag: "fetch-allow",
		fallback: [],
		meaning: "private hosts that may be fetched: exact host or host:port, comma separated",
		read: hosts,
	}),
	logLevel: define<LogLevel>({ env: "CAIRN_LOG_LEVEL", flag: "log-level", fallback: "info", meaning: "least serious lines to log", read: oneOf(logLevels) }),
	logFormat: define<LogFormat>({
		env: "CAIRN_LOG_FORMAT",
		flag: "log-format",
		fallback: "auto",
		meaning: "text or json lines; auto is text on a terminal and json elsewhere",
		read: oneOf(logFormats),
	}),
	metricsToken: define<string | null>({
		env: "CAIRN_METRICS_TOKEN",
		flag: "metrics-token",
		fallback: null,
		meaning: "token that may read /metrics; without it an operator's key may",
		read: secretKey,
		isSecret: true,
	}),
	traceEndpoint: define<string | null>({
		env: "OTEL_EXPORTER_OTLP_ENDPOINT",
		flag: "otel-exporter-otlp-endpoint",
		fallback: null,
		meaning: "collector that traces are sent to by OTLP over HTTP, such as http://127.0.0.1:4318; without it there are none",
		read: httpUrl,
	}),
	traceService: define({
		env: "OTEL_SERVICE_NAME",
		flag: "otel-service-name",
		fallback: "cairn",
		meaning: "name of this server in traces",
		read: nonEmptyString,
	}),
	traceSampler: define<SamplerName>({
		env: "OTEL_TRACES_SAMPLER",
		flag: "otel-traces-sampler",
		fallback: "parentbased_always_on",
		meaning: `which traces are recorded: ${samplerNames.join(", ")}`,
		read: oneOf(samplerNames),
	}),
	traceSamplerArgument: define({
		env: "OTEL_TRACES_SAMPLER_ARG",
		flag: "otel-traces-sampler-arg",
		fallback: 1 as number,
		meaning: "share of traces that a sampler by ratio records, from 0 to 1",
		read: share,
	}),
	fileBytesMax: define<number>({
		env: "CAIRN_FILE_BYTES_MAX",
		flag: "file-bytes-max",
		fallback: limits.fileBytesMax,
		meaning: "largest upload in bytes",
		read: integer(1, 10 * 1024 ** 3),
	}),
	rateLimit: define<RateLimit | null>({
		env: "CAIRN_RATE_LIMIT",
		flag: "rate-limit",
		fallback: null,
		meaning: "requests that a key without a limit of its own may send, such as 600/60s",
		read: rate,
	}),
	corsOrigins: define<readonly string[]>({
		env: "CAIRN_CORS_ORIGINS",
		flag: "cors-origins",
		fallback: [],
		meaning: "web pages that may ask from a browser: exact origins such as https://app.example.com, comma separated, or * for all",
		read: origins,
	}),
	oauthAddress: define<string | null>({
		env: "CAIRN_OAUTH_ADDRESS",
		flag: "oauth-address",
		fallback: null,
		meaning: "address by which MCP clients reach this server, such as https://cairn.example.com; lets them sign in by OAuth",
		read: ownOrigin,
	}),
	redirectOrigins: define<readonly string[]>({
		env: "CAIRN_REDIRECT_ORIGINS",
		flag: "redirect-origins",
		fallback: [],
		meaning: "pages to which a browser may be sent after a sign-in at a provider: exact origins, comma separated, or * for all; its own always",
		read: origins,
	}),
	undoDays: define<number>({
		env: "CAIRN_UNDO_DAYS",
		flag: "undo-days",
		fallback: limits.undoMs / (24 * 60 * 60_000),
		meaning: "days for which bulk deletions and forgotten memories can be undone; 0 makes bulk deletions final",
		read: integer(0, 365),
	}),
	backupDir: define<string | null>({
		env: "CAIRN_BACKUP_DIR",
		flag: "backup-dir",
		fallback: null,
		meaning: "folder or S3 address (s3://bucket/prefix) for backups that the server takes by itself; without it it takes none",
		read: backupPlace,
	}),
	backupHours: define<number>({
		env: "CAIRN_BACKUP_HOURS",
		flag: "backup-hours",
		fallback: 24,
		meaning: "hours from one backup in CAIRN_BACKUP_DIR to the next",
		read: integer(1, 24 * 365),
	}),
	backupsKept: define<number>({
		env: "CAIRN_BACKUPS_KEPT",
		flag: "backups-kept",
		fallback: 7,
		meaning: "how many backups in CAIRN_BACKUP_DIR are kept; older ones are removed after a new one",
		read: integer(1, 10_000),
	}),
	backupKind: define<BackupKind>({
		env: "CAIRN_BACKUP_KIND",
		flag: "backup-kind",
		fallback: "full",
		meaning: "full: each backup in CAIRN_BACKUP_DIR is one archive; incremental: originals are stored once for all of them",
		read: oneOf(backupKinds),
	}),
	upgradeBackupDays: define<number>({
		env: "CAIRN_UPGRADE_BACKUP_DAYS",
		flag: "upgrade-backup-days",
		fallback: 30,
		meaning: "days for which the backup that is made before an upgrade of the data folder is kept in it; 0 makes none",
		read: integer(0, 36_500),
	}),
	blobsClaim: define<string | null>({
		env: "CAIRN_BLOBS_CLAIM",
		flag: "blobs-claim",
		fallback: null,
		meaning: "makes the original files those of this server, so that it removes those of no document; the value is in the warning in its log",
		read: providerToken,
	}),
	// The documents in progress may use a thirtieth of the memory: half a megabyte for each text that is not heavy.
	documentsAtOnce: define<number>({
		env: "CAIRN_DOCUMENTS_AT_ONCE",
		flag: "documents-at-once",
		fallback: documentsAtOnce(availableParallelism(), memoryBytes()),
		meaning: "documents in the pipeline at one time, if as many end within a second; of files and long texts 16 at most, beside those that take long to read",
		read: integer(1, limits.concurrentDocumentsMax),
	}),
	// One process per core, because extractors only compute. At least two, so that small files do not wait for one long scan.
	sandboxProcesses: define<number>({
		env: "CAIRN_SANDBOX_PROCESSES",
		flag: "sandbox-processes",
		fallback: Math.max(2, availableParallelism()),
		meaning: "processes that read untrusted files",
		read: integer(1, 64),
	}),
	// The defaults are the largest limits that our own extractors request, so that by default the extractors' limits apply.
	extractTimeoutMs: define<number>({
		env: "CAIRN_EXTRACT_TIMEOUT_MS",
		flag: "extract-timeout-ms",
		fallback: limits.extractTimeoutMs,
		meaning: "longest that one file may be read; an extractor may ask for less",
		read: integer(100, 24 * 60 * 60_000),
	}),
	extractMemoryMb: define<number>({
		env: "CAIRN_EXTRACT_MEMORY_MB",
		flag: "extract-memory-mb",
		fallback: limits.extractMemoryMb,
		meaning: "most memory that reading one file may take; an extractor may ask for less",
		read: integer(128, 64 * 1024),
	}),
	modelUses: define<readonly ModelUse[]>({
		env: "CAIRN_MODEL_USES",
		flag: "model-uses",
		fallback: modelUses,
		meaning: `what the language model is asked for, comma separated: ${modelUses.join(", ")}`,
		read: modelTasks,
	}),
	// Eight calls of 8,000 characters read about a dozen pages; longer documents rarely have memories on every page.
	modelCallsPerDocument: define<number>({
		env: "CAIRN_MODEL_CALLS_PER_DOCUMENT",
		flag: "model-calls-per-document",
		fallback: 8,
		meaning: "most questions that the language model is asked for the memories of one document",
		read: integer(1, 1_000),
	}),
	modelCallsAtOnce: define<number>({
		env: "CAIRN_MODEL_CALLS_AT_ONCE",
		flag: "model-calls-at-once",
		fallback: 4,
		meaning: "questions that the language model is asked at one time",
		read: integer(1, 64),
	}),
	// A small model on a CPU writes a few words per second.
	modelTimeoutMs: define<number>({
		env: "CAIRN_MODEL_TIMEOUT_MS",
		flag: "model-timeout-ms",
		fallback: 120_000,
		meaning: "longest to wait for an answer of the language model",
		read: integer(100, 60 * 60_000),
	}),
	modelTokensPerDay: define<number | null>({
		env: "CAIRN_MODEL_TOKENS_PER_DAY",
		flag: "model-tokens-per-day",
		fallback: null,
		meaning: "tokens that an organisation may spend in a day, input and output together",
		read: integer(0, 1_000_000_000_000),
	}),
	modelContainerTokensPerDay: define<number | null>({
		env: "CAIRN_MODEL_CONTAINER_TOKENS_PER_DAY",
		flag: "model-container-tokens-per-day",
		fallback: null,
		meaning: "the same for each container",
		read: integer(0, 1_000_000_000_000),
	}),
	modelKeyTokensPerDay: define<number | null>({
		env: "CAIRN_MODEL_KEY_TOKENS_PER_DAY",
		flag: "model-key-tokens-per-day",
		fallback: null,
		meaning: "the same for what each key hands in",
		read: integer(0, 1_000_000_000_000),
	}),
	modelPrices: define<TokenPrices | null>({
		env: "CAIRN_MODEL_PRICES",
		flag: "model-prices",
		fallback: null,
		meaning: "prices of a million tokens, input/output, such as 0.15/0.60; only for the ledger",
		read: prices,
	}),
	routerUrl: define<string | null>({
		env: "CAIRN_ROUTER_URL",
		flag: "router-url",
		fallback: null,
		meaning: "provider behind the memory router: any server that speaks OpenAI's protocol, such as https://api.openai.com/v1; without one there is no router",
		read: httpUrl,
	}),
	routerKey: define<string | null>({
		env: "CAIRN_ROUTER_KEY",
		flag: "router-key",
		fallback: null,
		meaning: "key for it, for requests that bring none",
		read: providerToken,
		isSecret: true,
	}),
	// The default has room for about thirty memories: a few cents for a thousand requests to a small model.
	routerTokens: define({
		env: "CAIRN_ROUTER_TOKENS",
		flag: "router-tokens",
		fallback: 1_000,
		meaning: "most tokens of what is known of the user that the router adds to a prompt",
		read: integer(100, limits.searchTokensMax),
	}),
	modelsDir: define<string | null>({
		env: "CAIRN_MODELS_DIR",
		flag: "models-dir",
		fallback: null,
		meaning: "folder of local models, one folder each; default models in the data folder",
		read: path,
	}),
	modelsUrl: define({
		env: "CAIRN_MODELS_URL",
		flag: "models-url",
		fallback: "https://huggingface.co",
		meaning: "where cairn models pull fetches from: the hub, or a mirror of it",
		read: httpUrl,
	}),
	useLanguageModel: define<string | null>({
		env: "CAIRN_USE_LANGUAGE_MODEL",
		flag: "use-language-model",
		fallback: null,
		meaning: "language model plugin; none for none",
		read: nonEmptyString,
	}),
	useStorage: define({ env: "CAIRN_USE_STORAGE", flag: "use-storage", fallback: defaultParts.storage, meaning: "storage plugin", read: nonEmptyString }),
	useBlobStore: define<string | null>({
		env: "CAIRN_USE_BLOB_STORE",
		flag: "use-blob-store",
		fallback: null,
		meaning: "blob store plugin; by default the storage's own, or files in its folder",
		read: nonEmptyString,
	}),
	useEmbedder: define({ env: "CAIRN_USE_EMBEDDER", flag: "use-embedder", fallback: defaultParts.embedder, meaning: "embedder plugin", read: nonEmptyString }),
	useReranker: define({
		env: "CAIRN_USE_RERANKER",
		flag: "use-reranker",
		fallback: none,
		meaning: "reranker plugin, or none",
		read: nonEmptyString,
	}),
} as const;

export type SettingName = keyof typeof definitions;
export type SettingValue<Name extends SettingName> = (typeof definitions)[Name] extends Definition<infer Value> ? Value : never;
