/** Environment settings of OCR: the languages of scans, and the models folder unless the config file names another one. */

import { join } from "node:path";
import type { Configure, PluginSetting } from "cairn-memory";

export const settings: readonly PluginSetting[] = [
	{
		env: "CAIRN_OCR_LANGUAGES",
		kind: "list",
		meaning:
			"languages of scans and pictures by Tesseract's codes, the most common first, comma separated; default eng and all models in the folder tesseract of the models folder",
	},
];

export const configure: Configure = (configOptions, { settings: { CAIRN_OCR_LANGUAGES: languages }, modelsDir }) => ({
	options: { data: join(modelsDir, "tesseract"), ...configOptions, ...(Array.isArray(languages) && languages.length > 0 && { languages }) },
});
