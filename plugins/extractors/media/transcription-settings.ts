/** Environment settings of transcription: a service, which takes precedence over that of the config file, and the models folder. */

import type { Configure, GivenOptions, PluginSetting } from "cairn-memory";

export const settings: readonly PluginSetting[] = [
	{ env: "CAIRN_TRANSCRIPTION_URL", kind: "address", meaning: "OpenAI-compatible service that transcribes speech, such as http://127.0.0.1:8000/v1" },
	{ env: "CAIRN_TRANSCRIPTION_KEY", kind: "secret", meaning: "API key for the transcription service" },
	{ env: "CAIRN_TRANSCRIPTION_MODEL", kind: "text", meaning: "model of the transcription service" },
	{ env: "CAIRN_TRANSCRIPTION_BYTES_MAX", kind: [1, 10 * 1024 ** 3], meaning: "largest recording that the transcription service accepts, in bytes" },
];

export const configure: Configure = (configOptions, { settings: values, modelsDir }) => {
	const { CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: key, CAIRN_TRANSCRIPTION_MODEL: model, CAIRN_TRANSCRIPTION_BYTES_MAX: bytesMax } = values;
	const listening = { folder: modelsDir, ...objectOption(configOptions, "listening") };
	if (typeof url !== "string") return { options: { ...configOptions, listening } };
	const fromEnvironment = Object.fromEntries(Object.entries({ url, key, model, bytesMax }).filter(([, value]) => value != null));
	return { options: { ...configOptions, listening, transcription: { ...objectOption(configOptions, "transcription"), ...fromEnvironment } }, endpoint: url };
};

/** The option if it is an object, otherwise an empty one. The options are validated when the plugin is loaded. */
function objectOption(configOptions: GivenOptions, name: string): GivenOptions {
	const value = configOptions[name];
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as GivenOptions) : {};
}
