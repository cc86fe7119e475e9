/** `CAIRN_TRANSCRIPTION_…`: none unless there is an address, a key that no error repeats, and more weight than the config file. */

import { expect, test } from "bun:test";
import mediaPlugin from "../../../plugins/extractors/media/index.ts";
import { withTranscription } from "../../../server/boot/transcription-options.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";

const url = "http://127.0.0.1:8000/v1";
const read = (env: Readonly<Record<string, string>>) => readSettings({ env, flags: [] });

test("is read from the environment", () => {
	expect(read({}).transcription).toEqual({ url: null, key: null, model: null, bytesMax: null });
	const env = { CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: "sk-1", CAIRN_TRANSCRIPTION_MODEL: "base", CAIRN_TRANSCRIPTION_BYTES_MAX: "1000" };
	expect(read(env).transcription).toEqual({ url, key: "sk-1", model: "base", bytesMax: 1000 });
});

test("what is wrong is refused, and a key is not repeated", () => {
	for (const wrong of ["127.0.0.1:8000", "ftp://x", "http://me:secret@x/v1"])
		expect(() => read({ CAIRN_TRANSCRIPTION_URL: wrong })).toThrow("setting CAIRN_TRANSCRIPTION_URL is not right");
	expect(() => read({ CAIRN_TRANSCRIPTION_KEY: "with a blank" })).toThrow(/^(?!.*with a blank)/);
});

test("outranks the options of the config file, and leaves them alone without an address", () => {
	const listed = mediaPlugin({ transcription: { url: "http://old/v1", model: "small", timeoutMs: 7 } });
	expect(withTranscription(listed, read({})).given).toBe(listed.given);
	expect(withTranscription(listed, read({ CAIRN_TRANSCRIPTION_URL: url, CAIRN_TRANSCRIPTION_KEY: "sk-1" })).given).toEqual({
		transcription: { url, key: "sk-1", model: "small", timeoutMs: 7 },
	});
});
