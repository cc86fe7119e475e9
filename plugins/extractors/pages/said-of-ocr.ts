/** Environment settings of OCR: the languages of scans, and the models folder unless the config file names another. */

import { join } from "node:path";
import type { Configure, PluginSetting } from "cairn-memory";

export const settings: readonly PluginSetting[] = [
	{
		env: "CAIRN_OCR_LANGUAGES",
		kind: "list",
		meaning:
			"languages of scans and pictures as Tesseract calls them, the most usual first, comma separated; default eng and all models in the folder tesseract of the local models",
	},
];

export const configure: Configure = (given, { settings: { CAIRN_OCR_LANGUAGES: languages }, modelsDir }) => ({
	options: { data: join(modelsDir, "tesseract"), ...given, ...(Array.isArray(languages) && languages.length > 0 && { languages }) },
});
