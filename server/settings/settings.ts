/** The settings of this server, as one frozen value. */

import type { ModelPolicy } from "../../core/language/model-policy.ts";
import type { Choice } from "../../core/parts.ts";
import type { SettingValue } from "../../core/plugin/plugin-settings.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { LogLevel } from "../../core/ports/world.ts";
import type { BackupKind } from "../backup/kept-backups.ts";

/** `auto` is `text` on a terminal, and `json` elsewhere. */
export const logFormats = ["auto", "text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** The names of the specification of OpenTelemetry. */
export const samplerNames = ["always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const;
export type SamplerName = (typeof samplerNames)[number];

/** `api` answers requests and works on no jobs; `worker` works on jobs and answers only whether it is well. */
export const serverRoles = ["all", "api", "worker"] as const;
export type ServerRole = (typeof serverRoles)[number];

export interface Settings {
	readonly role: ServerRole;
	readonly port: number;
	readonly host: string;
	/** Host names that requests may have, besides those of this machine; `*` for all. Null for all, or for none but those of this machine if the server listens on loopback. */
	readonly hosts: readonly string[] | null;
	/** Absolute path. */
	readonly dataDir: string;
	/** The API key that the operator has chosen; null if the server creates one. */
	readonly apiKey: string | null;
	/** Of which the server makes its own secrets; null for files in the data folder. */
	readonly secret: string | null;
	/** Absolute path of the config file; null if there is none. */
	readonly config: string | null;
	/** Private hosts that may be fetched, each as an exact `host` or `host:port`. */
	readonly fetchAllow: readonly string[];
	readonly logLevel: LogLevel;
	readonly logFormat: LogFormat;
	/** The token that may read the metrics; null if an operator's key may. */
	readonly metricsToken: string | null;
	/** Where traces are sent; null for nowhere. The ratio is used by the `traceidratio` samplers. */
	readonly tracing: { readonly endpoint: string; readonly service: string; readonly sampler: SamplerName; readonly samplerArgument: number } | null;
	readonly fileBytesMax: number;
	/** The rate limit of keys that have no limit themselves; null for none. */
	readonly rateLimit: RateLimit | null;
	/** Origins allowed by CORS; `*` for all, empty for only the server's own. */
	readonly corsOrigins: readonly string[];
	/** The origin by which MCP clients reach this server to sign in by OAuth; null if OAuth is off. */
	readonly oauthAddress: string | null;
	/** The origins to which a browser may be sent after a sign-in at a provider, besides the server's own; `*` for all. */
	readonly redirectOrigins: readonly string[];
	/** For how many days bulk deletions and forgotten memories can be undone; 0 makes bulk deletions final. */
	readonly undoDays: number;
	/** Automatic backups; null for none. */
	readonly backups: { readonly place: string; readonly kind: BackupKind; readonly everyHours: number; readonly kept: number } | null;
	/** For how long the backup before an upgrade is kept; 0 if none is made. */
	readonly upgradeBackupDays: number;
	/** The mark of the original files that become those of this server, as its log names it; null for none. */
	readonly blobsClaim: string | null;
	readonly documentsAtOnce: number;
	readonly sandboxProcesses: number;
	/** Upper bounds for the limits that an extractor requests. */
	readonly extractTimeoutMs: number;
	readonly extractMemoryMb: number;
	readonly modelPolicy: ModelPolicy;
	/** The provider behind the memory router; null for no router. */
	readonly router: { readonly url: string; readonly key: string | null; readonly tokensMax: number } | null;
	/** Values of the plugins' settings, by environment name. */
	readonly plugins: Readonly<Record<string, SettingValue>>;
	/** The folder of local models, absolute. */
	readonly modelsDir: string;
	/** The URL that models are downloaded from, on request. */
	readonly modelsUrl: string;
	/** The chosen plugins. If `languageModel` is null, the first configured one is used; if `blobStore` is null, the storage's own or the default one. */
	readonly use: Omit<Choice, "languageModel" | "blobStore"> & { readonly languageModel: string | null; readonly blobStore: string | null };
}
