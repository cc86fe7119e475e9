/** Environment settings of transcription: a service, which takes precedence over the config file, and the models folder. */

import type { Configure, GivenOptions, PluginSetting } from "cairn-memory";

export const settings: readonly PluginSetting[] = [
	{ env: "CAIRN_TRANSCRIPTION_URL", kind: "address", meaning: "OpenAI-compatible service that puts speech into words, such as http://127.0.0.1:8000/v1" },
	{ env: "CAIRN_TRANSCRIPTION_KEY", kind: "secret", meaning: "key for it" },
	{ env: "CAIRN_TRANSCRIPTION_MODEL", kind: "text", meaning: "model of it" },
	{ env: "CAIRN_TRANSCRIPTION_BYTES_MAX", kind: [1, 10 * 1024 ** 3], meaning: "largest recording it takes, in bytes" },
];

export const configure: Configure = (given, { settings: said, modelsDir }) => {
	const { CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: key, CAIRN_TRANSCRIPTION_MODEL: model, CAIRN_TRANSCRIPTION_BYTES_MAX: bytesMax } = said;
	const listening = { folder: modelsDir, ...recordIn(given, "listening") };
	if (typeof url !== "string") return { options: { ...given, listening } };
	const named = Object.fromEntries(Object.entries({ url, key, model, bytesMax }).filter(([, value]) => value != null));
	return { options: { ...given, listening, transcription: { ...recordIn(given, "transcription"), ...named } }, endpoint: url };
};

/** Whether it is valid is checked at admission. */
function recordIn(given: GivenOptions, name: string): GivenOptions {
	const value = given[name];
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as GivenOptions) : {};
}
