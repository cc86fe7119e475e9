/** Reads all settings: flags override the environment, which overrides the config file. An unknown name is rejected, with the nearest known one as a suggestion. */

import { join } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { BackupKind } from "../backup/kept-backups.ts";
import { clientVariables } from "../client/client-variables.ts";
import type { Definition } from "./definition.ts";
import { definitions, type SettingName, type SettingValue } from "./definitions.ts";
import { builtinDefinitions, type PluginDefinition } from "./plugin-settings.ts";
import type { SamplerName, Settings } from "./settings.ts";

/** The prefix of cairn's environment variables. Only PORT and HOST, which hosting platforms set, have none. */
const prefix = "CAIRN_";

/** Variables that only commands read; the server ignores them. */
const clientOnlyVariables: ReadonlySet<string> = new Set(Object.values(clientVariables));

export interface SettingSources {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Arguments, without program and script. */
	readonly flags: readonly string[];
}

/** The path of the config file; null if none is set. It is needed before the other settings are validated. @throws ServiceError `SETTING_INVALID` */
export function configFile({ env, flags }: SettingSources): string | null {
	return pick(definitions.config, parseFlags(flags), env, undefined);
}

/**
 * @param declared the settings of the plugins that are listed or built in
 * @throws ServiceError `SETTING_UNKNOWN`, `SETTING_INVALID`
 */
export function readSettings(
	{ env, flags }: SettingSources,
	configUse: Config["use"] = {},
	declared: readonly PluginDefinition[] = builtinDefinitions,
): Settings {
	const byFlag = parseFlags(flags);
	const allDefinitions = [...Object.values(definitions), ...declared];
	refuseUnknown(
		[...byFlag.keys()].map((flag) => `--${flag}`),
		allDefinitions.map(({ flag }) => `--${flag}`),
	);
	refuseUnknown(
		Object.keys(env).filter((name) => name.startsWith(prefix) && !clientOnlyVariables.has(name)),
		allDefinitions.map(({ env: name }) => name),
	);
	const setting = <Name extends SettingName>(name: Name, fromFile?: string): SettingValue<Name> =>
		pick(definitions[name] as unknown as Definition<SettingValue<Name>>, byFlag, env, fromFile);
	const routerUrl = setting("routerUrl");
	const plugins = Object.freeze(Object.fromEntries(declared.map((definition) => [definition.env, pick(definition, byFlag, env, undefined)])));
	const implied: NonNullable<Config["use"]> = Object.assign({}, ...declared.map((definition) => (plugins[definition.env] === null ? {} : definition.use)));
	return Object.freeze({
		role: setting("role"),
		port: setting("port"),
		host: setting("host"),
		hosts: setting("hosts"),
		dataDir: setting("dataDir"),
		apiKey: setting("apiKey"),
		secret: setting("secret"),
		config: setting("config"),
		fetchAllow: setting("fetchAllow"),
		logLevel: setting("logLevel"),
		logFormat: setting("logFormat"),
		metricsToken: setting("metricsToken"),
		tracing: tracingTo(setting("traceEndpoint"), setting("traceService"), setting("traceSampler"), setting("traceSamplerArgument")),
		fileBytesMax: setting("fileBytesMax"),
		rateLimit: setting("rateLimit"),
		corsOrigins: setting("corsOrigins"),
		oauthAddress: setting("oauthAddress"),
		redirectOrigins: setting("redirectOrigins"),
		undoDays: setting("undoDays"),
		backups: backupsIn(setting("backupDir"), setting("backupKind"), setting("backupHours"), setting("backupsKept")),
		upgradeBackupDays: setting("upgradeBackupDays"),
		blobsClaim: setting("blobsClaim"),
		documentsAtOnce: setting("documentsAtOnce"),
		sandboxProcesses: setting("sandboxProcesses"),
		extractTimeoutMs: setting("extractTimeoutMs"),
		extractMemoryMb: setting("extractMemoryMb"),
		modelPolicy: Object.freeze({
			uses: setting("modelUses"),
			callsPerDocumentMax: setting("modelCallsPerDocument"),
			concurrentCallsMax: setting("modelCallsAtOnce"),
			timeoutMs: setting("modelTimeoutMs"),
			tokensPerDay: setting("modelTokensPerDay"),
			containerTokensPerDay: setting("modelContainerTokensPerDay"),
			keyTokensPerDay: setting("modelKeyTokensPerDay"),
			prices: setting("modelPrices"),
		}),
		router: routerUrl === null ? null : Object.freeze({ url: routerUrl, key: setting("routerKey"), tokensMax: setting("routerTokens") }),
		plugins,
		modelsDir: setting("modelsDir") ?? join(setting("dataDir"), "models"),
		modelsUrl: setting("modelsUrl"),
		use: Object.freeze({
			languageModel: setting("useLanguageModel", configUse.languageModel),
			storage: setting("useStorage", implied.storage ?? configUse.storage),
			blobStore: setting("useBlobStore", implied.blobStore ?? configUse.blobStore),
			embedder: setting("useEmbedder", configUse.embedder),
			reranker: setting("useReranker", configUse.reranker),
		}),
	});
}

function tracingTo(endpoint: string | null, service: string, sampler: SamplerName, samplerArgument: number): Settings["tracing"] {
	return endpoint === null ? null : Object.freeze({ endpoint, service, sampler, samplerArgument });
}

function backupsIn(place: string | null, kind: BackupKind, everyHours: number, kept: number): Settings["backups"] {
	return place === null ? null : Object.freeze({ place, kind, everyHours, kept });
}

function pick<Value>(definition: Definition<Value>, byFlag: ReadonlyMap<string, string>, env: SettingSources["env"], fromFile: string | undefined): Value {
	const flag = byFlag.get(definition.flag);
	const text = flag ?? env[definition.env] ?? fromFile;
	if (text === undefined || (flag === undefined && text === "")) return definition.fallback;
	const result = definition.read(text);
	if ("value" in result) return result.value;
	const name = flag === undefined ? definition.env : `--${definition.flag}`;
	throw fail("SETTING_INVALID", name, `${definition.isSecret ? "it" : `"${text}"`} should be ${result.expected}`);
}

/** Accepts `--port=8080` and `--port 8080`. */
function parseFlags(flags: readonly string[]): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	for (let i = 0; i < flags.length; i++) {
		const [name = "", ...rest] = (flags[i] ?? "").split("=");
		if (!name.startsWith("--")) throw unknownSetting(name, flagNames);
		found.set(name.slice(2), rest.length > 0 ? rest.join("=") : (flags[++i] ?? ""));
	}
	return found;
}

const flagNames = [...Object.values(definitions), ...builtinDefinitions].map(({ flag }) => `--${flag}`);

function refuseUnknown(names: readonly string[], validNames: readonly string[]): void {
	for (const name of names) if (!validNames.includes(name)) throw unknownSetting(name, validNames);
}

/** The error for an unknown setting; it suggests the nearest name if it is similar enough. */
function unknownSetting(name: string, validNames: readonly string[]): ServiceError {
	const nearest = closest(name, [...validNames]);
	const isNear = distance(name, nearest) <= Math.max(3, name.length / 2);
	return fail("SETTING_UNKNOWN", name, isNear ? `; did you mean ${nearest}?` : `; there are ${validNames.join(", ")}`);
}
