/** `CAIRN_TRANSCRIPTION_…`: none unless there is an address, a key that no error repeats, and more weight than the config file. */

import { expect, test } from "bun:test";
import mediaPlugin from "../../../plugins/extractors/media/index.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";

const url = "http://127.0.0.1:8000/v1";
const names = ["URL", "KEY", "MODEL", "BYTES_MAX"].map((name) => `CAIRN_TRANSCRIPTION_${name}`);
const read = (env: Readonly<Record<string, string>>) => readSettings({ env, flags: [] });

test("is read from the environment", () => {
	for (const name of names) expect(read({}).plugins[name]).toBeNull();
	const env = { CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: "sk-1", CAIRN_TRANSCRIPTION_MODEL: "base", CAIRN_TRANSCRIPTION_BYTES_MAX: "1000" };
	expect(names.map((name) => read(env).plugins[name])).toEqual([url, "sk-1", "base", 1000]);
});

test("what is wrong is refused, and a key is not repeated", () => {
	for (const wrong of ["127.0.0.1:8000", "ftp://x", "http://me:secret@x/v1"])
		expect(() => read({ CAIRN_TRANSCRIPTION_URL: wrong })).toThrow("setting CAIRN_TRANSCRIPTION_URL is not valid");
	expect(() => read({ CAIRN_TRANSCRIPTION_KEY: "with a blank" })).toThrow(/^(?!.*with a blank)/);
});

test("outranks the options of the config file, and leaves them alone without an address", () => {
	const { configure } = mediaPlugin();
	const given = { transcription: { url: "http://old/v1", model: "small", timeoutMs: 7 } };
	const configured = (env: Readonly<Record<string, string>>) =>
		configure?.(given, { settings: read(env).plugins, modelsDir: "/m", modelTimeoutMs: 1, use: {} });
	const listening = { folder: "/m" };
	expect(configured({})).toEqual({ options: { ...given, listening } });
	expect(configured({ CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: "sk-1" })).toEqual({
		options: { transcription: { url, key: "sk-1", model: "small", timeoutMs: 7 }, listening },
		endpoint: url,
	});
});
