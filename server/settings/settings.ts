/** The settings of this server, as one frozen value. */

import type { ModelTerms } from "../../core/language/terms.ts";
import type { Choice } from "../../core/parts.ts";
import type { SettingValue } from "../../core/plugin/plugin-settings.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { LogLevel } from "../../core/ports/world.ts";

export interface Settings {
	readonly port: number;
	readonly host: string;
	/** Absolute. */
	readonly dataDir: string;
	/** A key the operator has chosen; null when the server makes its own. */
	readonly apiKey: string | null;
	/** The config file, absolute; null when there is none. */
	readonly config: string | null;
	/** Private hosts that may be fetched, each as an exact `host` or `host:port`. */
	readonly fetchAllow: readonly string[];
	readonly logLevel: LogLevel;
	readonly fileBytesMax: number;
	/** The rate limit of keys without one of their own; null for none. */
	readonly rateLimit: RateLimit | null;
	/** Origins allowed by CORS; `*` for all, empty for only our own. */
	readonly corsOrigins: readonly string[];
	/** By which MCP clients reach this server, where they sign in by OAuth; else null. */
	readonly oauthAddress: string | null;
	/** For how long bulk deletions and forgotten memories can be undone; 0 for not at all. */
	readonly undoDays: number;
	/** Backups that the server takes by itself; null for none. */
	readonly backups: { readonly folder: string; readonly everyHours: number; readonly kept: number } | null;
	/** For how long the backup before an upgrade is kept; 0 if none is made. */
	readonly upgradeBackupDays: number;
	readonly documentsAtOnce: number;
	readonly sandboxProcesses: number;
	/** Upper bounds for the limits that an extractor requests. */
	readonly extractTimeoutMs: number;
	readonly extractMemoryMb: number;
	readonly modelTerms: ModelTerms;
	/** The provider behind the memory router; null for no router. */
	readonly router: { readonly url: string; readonly key: string | null; readonly tokensMax: number } | null;
	/** Values of the plugins' settings, by environment name. */
	readonly plugins: Readonly<Record<string, SettingValue>>;
	/** The folder of local models, absolute. */
	readonly modelsDir: string;
	/** The URL that models are downloaded from, on request. */
	readonly modelsUrl: string;
	/** The chosen plugins. `languageModel` null: the first that is configured. `blobStore` null: the storage's own, or the default one. */
	readonly use: Omit<Choice, "languageModel" | "blobStore"> & { readonly languageModel: string | null; readonly blobStore: string | null };
}
