/** Defaults < config file < environment < flags → one frozen value. A name nobody knows is refused with its nearest neighbour. */

import { join } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import { none } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Definition } from "./definition.ts";
import { definitions, type SettingName, type SettingValue } from "./definitions.ts";
import { modelEndpoints, modelNamed } from "./model-endpoint.ts";
import type { Settings } from "./settings.ts";

/** Our own, and the two that every hosting platform sets. */
const prefix = "CAIRN_";

export interface Given {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** As typed, without program and script. */
	readonly flags: readonly string[];
}

/** @throws ServiceError `SETTING_UNKNOWN`, `SETTING_INVALID` */
export function readSettings({ env, flags }: Given, configUse: Config["use"] = {}): Settings {
	const byFlag = parseFlags(flags);
	refuseUnknown(
		Object.keys(env).filter((name) => name.startsWith(prefix)),
		envNames(),
	);
	const setting = <Name extends SettingName>(name: Name, fromFile?: string): SettingValue<Name> =>
		pick(definitions[name] as unknown as Definition<SettingValue<Name>>, byFlag, env, fromFile);
	const models = modelEndpoints({
		openai: { model: setting("openaiModel"), apiKey: setting("openaiApiKey"), baseUrl: setting("openaiBaseUrl") },
		anthropic: { model: setting("anthropicModel"), apiKey: setting("anthropicApiKey") },
		gemini: { model: setting("geminiModel"), apiKey: setting("geminiApiKey") },
	});
	const languageModel = setting("useLanguageModel", configUse.languageModel) ?? models[0]?.name ?? none;
	return Object.freeze({
		port: setting("port"),
		host: setting("host"),
		dataDir: setting("dataDir"),
		apiKey: setting("apiKey"),
		config: setting("config"),
		fetchAllow: setting("fetchAllow"),
		logLevel: setting("logLevel"),
		fileBytesMax: setting("fileBytesMax"),
		rateLimit: setting("rateLimit"),
		corsOrigins: setting("corsOrigins"),
		undoDays: setting("undoDays"),
		documentsAtOnce: setting("documentsAtOnce"),
		sandboxProcesses: setting("sandboxProcesses"),
		extractTimeoutMs: setting("extractTimeoutMs"),
		extractMemoryMb: setting("extractMemoryMb"),
		model: modelNamed(languageModel, models),
		modelTerms: Object.freeze({
			uses: setting("modelUses"),
			callsPerDocumentMax: setting("modelCallsPerDocument"),
			callsAtOnce: setting("modelCallsAtOnce"),
			timeoutMs: setting("modelTimeoutMs"),
			tokensPerDay: setting("modelTokensPerDay"),
			containerTokensPerDay: setting("modelContainerTokensPerDay"),
			keyTokensPerDay: setting("modelKeyTokensPerDay"),
			prices: setting("modelPrices"),
		}),
		transcription: Object.freeze({
			url: setting("transcriptionUrl"),
			key: setting("transcriptionKey"),
			model: setting("transcriptionModel"),
			bytesMax: setting("transcriptionBytesMax"),
		}),
		ocrLanguages: setting("ocrLanguages"),
		embedding: Object.freeze({
			model: setting("embeddingModel"),
			url: setting("embeddingUrl"),
			key: setting("embeddingKey"),
			price: setting("embeddingPrice"),
		}),
		modelsDir: setting("modelsDir") ?? join(setting("dataDir"), "models"),
		modelsUrl: setting("modelsUrl"),
		use: Object.freeze({
			languageModel,
			storage: setting("useStorage", configUse.storage),
			embedder: setting("useEmbedder", configUse.embedder),
			reranker: setting("useReranker", configUse.reranker),
		}),
	});
}

function pick<Value>(definition: Definition<Value>, byFlag: ReadonlyMap<string, string>, env: Given["env"], fromFile: string | undefined): Value {
	const flag = byFlag.get(definition.flag);
	const given = flag ?? env[definition.env] ?? fromFile;
	if (given === undefined || (flag === undefined && given === "")) return definition.fallback;
	const result = definition.read(given);
	if ("value" in result) return result.value;
	const name = flag === undefined ? definition.env : `--${definition.flag}`;
	throw fail("SETTING_INVALID", name, `${definition.isSecret ? "it" : `"${given}"`} should be ${result.expected}`);
}

/** `--port=8080` and `--port 8080` alike. */
function parseFlags(flags: readonly string[]): ReadonlyMap<string, string> {
	const known = Object.values(definitions).map(({ flag }) => flag);
	const found = new Map<string, string>();
	for (let i = 0; i < flags.length; i++) {
		const [name = "", ...rest] = (flags[i] ?? "").split("=");
		if (!name.startsWith("--"))
			throw unknown(
				name,
				known.map((flag) => `--${flag}`),
			);
		refuseUnknown(
			[name],
			known.map((flag) => `--${flag}`),
		);
		found.set(name.slice(2), rest.length > 0 ? rest.join("=") : (flags[++i] ?? ""));
	}
	return found;
}

function envNames(): readonly string[] {
	return Object.values(definitions).map(({ env }) => env);
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
	for (const name of names) if (!known.includes(name)) throw unknown(name, known);
}

/** Names the neighbour only when it is near enough to be what was meant. */
function unknown(name: string, known: readonly string[]): ServiceError {
	const nearest = closest(name, [...known]);
	const isNear = distance(name, nearest) <= Math.max(3, name.length / 2);
	return fail("SETTING_UNKNOWN", name, isNear ? `; did you mean ${nearest}?` : `; there are ${known.join(", ")}`);
}
